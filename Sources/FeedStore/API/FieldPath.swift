package import DocumentDatabase
import StorageEngine

/// The path of a field through nested maps.
///
/// A path that breaks a rule of field names is accepted here and refused, with the rule, by the
/// operation that uses it.
public final class FieldPath: Sendable {
  package let reference: Result<FieldReference, FirestoreErrorCode>

  /// Takes one literal name per level; a dot in it is part of the name.
  public convenience init(_ fieldNames: [String]) {
    self.init(FieldReference(segments: fieldNames))
  }

  /// The path that stands for a document's id, in filters, orders and cursors.
  public static func documentID() -> FieldPath { FieldPath(.documentName) }

  /// Reads the text that Firebase's methods take in place of a path: names joined by dots.
  package convenience init(dotted text: String) {
    if let reference = FieldReference(plain: text) {
      self.init(.success(reference))
      return
    }
    if let reserved = text.first(where: { "~*/[]".contains($0) }) {
      self.init(
        .failure(
          .invalid(
            "Invalid field path: \"\(text)\" has \"\(reserved)\"; none of ~ * / [ ] may occur in "
              + "a dotted path. Use FieldPath([…]) for a name that has one.")))
      return
    }
    let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    self.init(FieldReference(segments: names))
  }

  /// Reads what `get(_:)`, `mergeFields` and `updateData` accept: a dotted `String` or a path.
  package convenience init(any field: Any) {
    if let text = exactly(String.self, field) {
      self.init(dotted: text)
      return
    }
    switch field {
    case let path as FieldPath: self.init(path.reference)
    case let text as String: self.init(dotted: text)
    default:
      self.init(
        .failure(
          .invalid("A field is named by a String or a FieldPath, not by \(type(of: field)).")))
    }
  }

  package convenience init(_ reference: FieldReference) {
    do throws(FieldReferenceError) {
      try reference.validate()
      self.init(.success(reference))
    } catch {
      self.init(.failure(FirestoreErrorCode(error)))
    }
  }

  private init(_ reference: Result<FieldReference, FirestoreErrorCode>) {
    self.reference = reference
  }
}

extension FieldPath: Hashable {
  /// Whether both name the same field.
  public static func == (left: FieldPath, right: FieldPath) -> Bool {
    left.reference == right.reference
  }

  /// Feeds the path to `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(reference) }
}
