package import DocumentDatabase

// `@unchecked` because the language allows no checked `Sendable` for a class with subclasses. All
// stored properties here are constants of `Sendable` types, and the subclass has none.

/// A document as it was when it was read, or the fact that there was none.
///
/// Fields are decoded from their stored bytes when they are asked for.
public class DocumentSnapshot: @unchecked Sendable {
  private let origin: Origin
  /// Nil where there was no document.
  package let stored: StoredDocument?

  /// What all documents of one answer share: an object, so that a page counts one reference per document
  /// to what is its own, and not one to the client, which all threads use.
  package final class Origin: Sendable {
    let firestore: Firestore
    let metadata: SnapshotMetadata
    /// The name of a document that is missing; any other knows its name itself.
    fileprivate let missing: DocumentName?

    init(_ firestore: Firestore, _ metadata: SnapshotMetadata, missing: DocumentName? = nil) {
      self.firestore = firestore
      self.metadata = metadata
      self.missing = missing
    }
  }

  package convenience init(
    firestore: Firestore, name: DocumentName, stored: StoredDocument?,
    metadata: SnapshotMetadata = .fromServer
  ) {
    self.init(
      stored, from: Origin(firestore, metadata, missing: stored == nil ? name : nil))
  }

  fileprivate init(_ stored: StoredDocument?, from origin: Origin) {
    self.origin = origin
    self.stored = stored
  }

  package var firestore: Firestore { origin.firestore }
  /// Where the snapshot comes from.
  public var metadata: SnapshotMetadata { origin.metadata }

  /// The place of the document.
  package var name: DocumentName {
    if let stored { return stored.name }
    guard let missing = origin.missing else {
      preconditionFailure("a snapshot is of a document or of a name")
    }
    return missing
  }

  /// The fields, nil where there was no document, with null for pending server timestamps.
  package var map: EncodedMap? { map(with: .none) }

  /// The fields, nil where there was no document.
  func map(with behavior: ServerTimestampBehavior) -> EncodedMap? {
    origin.metadata.noteLook()
    return origin.metadata.hasPendingWrites ? stored?.map.settling(behavior) : stored?.map
  }

  /// Whether there was a document.
  public var exists: Bool { stored != nil }
  /// The place of the document.
  public var reference: DocumentReference {
    origin.metadata.noteLook()
    return DocumentReference(firestore: firestore, name: name)
  }
  /// The last segment of the document's path.
  public var documentID: String {
    origin.metadata.noteLook()
    return stored?.id ?? name.id
  }

  /// All fields, nil where there was no document. Numbers and booleans are `NSNumber`, null is
  /// `NSNull`, times are `Timestamp`, bytes are `Data`.
  public func data() -> [String: Any]? { map?.unboxed(in: firestore) }

  /// All fields, with what the behaviour says for server timestamps that are pending.
  public func data(with serverTimestampBehavior: ServerTimestampBehavior) -> [String: Any]? {
    map(with: serverTimestampBehavior)?.unboxed(in: firestore)
  }

  /// The value of the field named by a dotted `String` or a `FieldPath`; nil where there is none, and
  /// for a name that no field can have.
  public func get(_ field: Any) -> Any? { self.get(field, serverTimestampBehavior: .none) }

  /// The value of the field named by a dotted `String` or a `FieldPath`, with what the behaviour says
  /// for a server timestamp that is pending.
  public func get(_ field: Any, serverTimestampBehavior: ServerTimestampBehavior) -> Any? {
    guard case .success(let path) = FieldPath(any: field).reference else { return nil }
    return map(with: serverTimestampBehavior)?[path]?.unboxed(in: firestore)
  }

  /// The value of the field named by a dotted `String` or a `FieldPath`; nil where there is none.
  public subscript(key: Any) -> Any? { self.get(key) }

  /// Decodes the document.
  ///
  /// - Parameters:
  ///   - type: What to decode; an optional type is nil where there was no document.
  ///   - serverTimestampBehavior: What stands for a server timestamp that is pending.
  ///   - decoder: How it is decoded.
  /// - Returns: The decoded document.
  /// - Throws: `DecodingError` where the document does not fit the type, or did not exist and the type
  ///   is not optional.
  public func data<T: Decodable>(
    as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
    decoder: Firestore.Decoder = .init()
  ) throws -> T {
    try decode(type, with: serverTimestampBehavior, options: decoder)
  }

  /// Decodes the document as a decoder does whose strategies are those of Firebase.
  ///
  /// - Parameter type: What to decode; an optional type is nil where there was no document.
  /// - Returns: The decoded document, with null for a server timestamp that is pending.
  /// - Throws: `DecodingError` where the document does not fit the type, or did not exist and the type
  ///   is not optional.
  public func data<T: Decodable>(as type: T.Type) throws -> T {
    try decode(type, with: .none, options: nil)
  }

  private func decode<T: Decodable>(
    _ type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior,
    options: Firestore.Decoder?
  ) throws -> T {
    guard let map = map(with: serverTimestampBehavior) else { return try decodeNothing(type) }
    return try ValueDecoder(map, options: options, source: .snapshot(self)).decodeStructure(type)
  }

  /// Apart and not inlined, because a cast looks up metadata also where it is not reached.
  @inline(never)
  private func decodeNothing<T>(_ type: T.Type) throws -> T {
    if let type = type as? any ExpressibleByNilLiteral.Type,
      let none = type.init(nilLiteral: ()) as? T
    {
      return none
    }
    throw DecodingError.valueNotFound(
      type,
      DecodingError.Context(
        codingPath: [],
        debugDescription: "There is no document at \(name), and \(type) is not optional."))
  }
}

extension DocumentSnapshot: Hashable {
  /// Whether both show the same place with the same fields.
  public static func == (left: DocumentSnapshot, right: DocumentSnapshot) -> Bool {
    left.firestore === right.firestore && left.name == right.name
      && left.metadata == right.metadata && left.stored?.updateTime == right.stored?.updateTime
      && left.stored?.fields == right.stored?.fields
  }

  /// Feeds the place to `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

// `@unchecked` is inherited; see `DocumentSnapshot`.

/// A document that a query returned; it always exists.
public final class QueryDocumentSnapshot: DocumentSnapshot, @unchecked Sendable {
  package init(stored: StoredDocument, from origin: Origin) { super.init(stored, from: origin) }

  package convenience init(
    firestore: Firestore, stored: StoredDocument, metadata: SnapshotMetadata = .fromServer
  ) {
    self.init(stored: stored, from: Origin(firestore, metadata))
  }

  /// All fields. Numbers and booleans are `NSNumber`, null is `NSNull`, times are `Timestamp`, bytes
  /// are `Data`.
  public override func data() -> [String: Any] { data(with: .none) }

  /// All fields, with what the behaviour says for server timestamps that are pending.
  public override func data(
    with serverTimestampBehavior: ServerTimestampBehavior
  ) -> [String: Any] { map(with: serverTimestampBehavior)?.unboxed(in: firestore) ?? [:] }
}
