package import DocumentDatabase

/// The place of a document, whether or not there is one.
public final class DocumentReference: Sendable {
  /// The database the place is in.
  public let firestore: Firestore
  /// The path from the root, such as `posts/first`.
  public let path: String
  /// The checked path, or the mistake in it.
  package let name: Result<DocumentName, FirestoreErrorCode>

  package init(firestore: Firestore, name: DocumentName) {
    self.firestore = firestore
    self.path = name.path
    self.name = .success(name)
  }

  /// Takes a path as the caller wrote it.
  init(firestore: Firestore, path: String, name: Result<DocumentName, FirestoreErrorCode>) {
    self.firestore = firestore
    self.name = name
    if case .success(let name) = name { self.path = name.path } else { self.path = path }
  }

  convenience init(firestore: Firestore, path: String) {
    self.init(firestore: firestore, path: path, name: DocumentName.checked(path))
  }

  /// The last segment of the path.
  public var documentID: String {
    if case .success(let name) = name { return name.id }
    return path.splitAtLastSlash.last
  }

  /// The collection the document is in.
  public var parent: CollectionReference {
    switch name {
    case .success(let name): CollectionReference(firestore: firestore, name: name.parent)
    case .failure(let error):
      CollectionReference(
        firestore: firestore, path: path.splitAtLastSlash.parent ?? "", name: .failure(error))
    }
  }

  /// The collection at `collectionPath` below this document.
  public func collection(_ collectionPath: String) -> CollectionReference {
    let path = self.path + "/" + collectionPath.withoutLeadingSlash
    let name = name.flatMap { _ in
      collectionPath.isEmpty
        ? .failure(.invalid("Invalid path: the collection below \(self.path) has an empty path."))
        : CollectionName.checked(path)
    }
    return CollectionReference(firestore: firestore, path: path, name: name)
  }

  /// The name as a reference value holds it.
  package var resourceName: ResourceName {
    get throws(FirestoreErrorCode) {
      ResourceName(database: firestore.database.name, document: try name.get())
    }
  }
}

extension String {
  /// A path to put below another: without the one leading slash that Firebase tolerates.
  var withoutLeadingSlash: Substring { hasPrefix("/") ? dropFirst() : self[...] }

  /// The parts of a path that is not valid, and so has no name to ask.
  var splitAtLastSlash: (parent: String?, last: String) {
    guard let slash = lastIndex(of: "/") else { return (nil, self) }
    return (String(self[..<slash]), String(self[index(after: slash)...]))
  }
}

extension DocumentReference: Hashable, CustomStringConvertible {
  /// Whether both are the same place in the same database.
  public static func == (left: DocumentReference, right: DocumentReference) -> Bool {
    left.firestore === right.firestore && left.name == right.name
  }

  /// Feeds the path to `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }

  /// The path.
  public var description: String { path }
}

extension DocumentReference: Codable {
  /// Always throws: only `Firestore.Decoder` knows which database a reference is in.
  public convenience init(from decoder: any Decoder) throws {
    throw FirestoreDecodingError.decodingIsNotSupported(
      "A DocumentReference can only be decoded with Firestore.Decoder.")
  }

  /// Always throws: only `Firestore.Encoder` keeps references as they are.
  public func encode(to encoder: any Encoder) throws {
    throw FirestoreEncodingError.encodingIsNotSupported(
      "A DocumentReference can only be encoded with Firestore.Encoder.")
  }
}

extension DocumentReference {
  /// Reads the document; while the network is disabled, from the client's cache.
  ///
  /// - Returns: The document; where there is none, a snapshot with `exists == false`.
  /// - Throws: `FirestoreErrorCode` with `.invalidArgument` if the path is not a document's,
  ///   `.unavailable` for what is not in the cache while the network is disabled.
  /// - Cost: One read, also where there is no document.
  @discardableResult
  public func getDocument() async throws -> DocumentSnapshot { try snapshot(.default).get() }

  /// Reads the document from the server or from the client's cache.
  ///
  /// - Parameter source: Where to read.
  /// - Returns: The document; where there is none, a snapshot with `exists == false`.
  /// - Throws: `FirestoreErrorCode` with `.unavailable` for what is not in the cache, and for `.server`
  ///   while the network is disabled; `.invalidArgument` if the path is not a document's.
  /// - Cost: One read, also where there is no document; none for `.cache`.
  @discardableResult
  public func getDocument(source: FirestoreSource) async throws -> DocumentSnapshot {
    try snapshot(source).get()
  }

  /// Reads the document before it returns, and calls `completion` with it on the settings' queue.
  public func getDocument(completion: @escaping (DocumentSnapshot?, (any Error)?) -> Void) {
    firestore.call(completion, with: snapshot(.default))
  }

  /// Reads the document from `source` before it returns, and calls `completion` with it on the
  /// settings' queue.
  ///
  /// - Parameters:
  ///   - source: Where to read.
  ///   - completion: Receives the document or the error.
  public func getDocument(
    source: FirestoreSource, completion: @escaping (DocumentSnapshot?, (any Error)?) -> Void
  ) {
    firestore.call(completion, with: snapshot(source))
  }

  func snapshot(_ source: FirestoreSource) -> Result<DocumentSnapshot, FirestoreErrorCode> {
    do throws(FirestoreErrorCode) {
      let name = try name.get()
      if try firestore.isRead(from: source, what: name.path) {
        let stored = try firestore.database.get(name)
        return .success(DocumentSnapshot(firestore: firestore, name: name, stored: stored))
      }
      guard let found = try firestore.engine.cached(name, in: firestore) else {
        throw .offline("Failed to get \(name) from the cache, which has no such document")
      }
      firestore.database.recordCached(name)
      let metadata = SnapshotMetadata(hasPendingWrites: found.hasPendingWrites, isFromCache: true)
      return .success(
        DocumentSnapshot(
          firestore: firestore, name: name, stored: found.document, metadata: metadata))
    } catch {
      return .failure(error)
    }
  }
}
