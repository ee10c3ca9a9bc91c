package import DocumentDatabase

/// What a write puts in place of a value to have the database compute it.
///
/// Allowed as the value of a field, at any depth of maps, and never in an array or a query.
///
/// Source: https://firebase.google.com/docs/firestore/manage-data/add-data#increment_a_numeric_value
public final class FieldValue: Sendable {
  package enum Sentinel: Hashable, Sendable {
    case delete
    case transform(FieldTransform.Operation)
  }

  /// What it stands for, or the mistake in its elements.
  package let sentinel: Result<Sentinel, FirestoreErrorCode>
  /// The Firebase call that makes it, for messages.
  package let call: String

  private init(_ call: String, _ sentinel: Result<Sentinel, FirestoreErrorCode>) {
    self.call = call
    self.sentinel = sentinel
  }

  private convenience init(_ call: String, _ operation: FieldTransform.Operation) {
    self.init(call, .success(.transform(operation)))
  }

  /// Removes the field; for `updateData` and for `setData` with `merge`.
  public static func delete() -> FieldValue { FieldValue("delete()", .success(.delete)) }

  /// The time of the commit.
  public static func serverTimestamp() -> FieldValue {
    FieldValue("serverTimestamp()", .serverTimestamp)
  }

  /// Appends the elements that the array does not have yet.
  public static func arrayUnion(_ elements: [Any]) -> FieldValue {
    FieldValue(
      "arrayUnion()", elements: elements, FieldTransform.Operation.arrayUnion)
  }

  /// Removes all elements that equal one of these.
  public static func arrayRemove(_ elements: [Any]) -> FieldValue {
    FieldValue("arrayRemove()", elements: elements, FieldTransform.Operation.arrayRemove)
  }

  private convenience init(
    _ call: String, elements: [Any], _ operation: ([Value]) -> FieldTransform.Operation
  ) {
    do throws(FirestoreErrorCode) {
      self.init(call, operation(try Value.elements(boxing: elements, of: call)))
    } catch {
      self.init(call, .failure(error))
    }
  }

  /// Adds a double, which makes the field a double.
  public static func increment(_ d: Double) -> FieldValue {
    FieldValue("increment()", .increment(.double(d)))
  }

  /// Adds an integer; an integer field saturates instead of wrapping.
  public static func increment(_ l: Int64) -> FieldValue {
    FieldValue("increment()", .increment(.integer(l)))
  }

  /// Adds an integer; in Firebase a bare literal is ambiguous here.
  public static func increment(_ l: Int) -> FieldValue { increment(Int64(l)) }

  /// Keeps the smaller of the field and `d`.
  public static func minimum(_ d: Double) -> FieldValue {
    FieldValue("minimum()", .minimum(.double(d)))
  }

  /// Keeps the smaller of the field and `l`.
  public static func minimum(_ l: Int64) -> FieldValue {
    FieldValue("minimum()", .minimum(.integer(l)))
  }

  /// Keeps the smaller of the field and `l`.
  public static func minimum(_ l: Int) -> FieldValue { minimum(Int64(l)) }

  /// Keeps the larger of the field and `d`.
  public static func maximum(_ d: Double) -> FieldValue {
    FieldValue("maximum()", .maximum(.double(d)))
  }

  /// Keeps the larger of the field and `l`.
  public static func maximum(_ l: Int64) -> FieldValue {
    FieldValue("maximum()", .maximum(.integer(l)))
  }

  /// Keeps the larger of the field and `l`.
  public static func maximum(_ l: Int) -> FieldValue { maximum(Int64(l)) }

  /// A vector value; not a sentinel, and made here because Firebase makes it here.
  public static func vector(_ array: [Double]) -> VectorValue { VectorValue(array) }

  /// A vector value from floats.
  public static func vector(_ array: [Float]) -> VectorValue { VectorValue(array.map(Double.init)) }
}

extension FieldValue: Hashable {
  /// Whether both ask for the same.
  public static func == (left: FieldValue, right: FieldValue) -> Bool {
    left.sentinel == right.sentinel
  }

  /// Feeds what it asks for to `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(sentinel) }
}

extension FieldValue: Encodable {
  /// Always throws: only `Firestore.Encoder` knows sentinels.
  public func encode(to encoder: any Encoder) throws {
    throw FirestoreEncodingError.encodingIsNotSupported(
      "FieldValue.\(call) can only be encoded with Firestore.Encoder.")
  }
}
