package import DocumentDatabase

// `@unchecked` is inherited; see `Query`.

/// The place of a collection, and the query for all its documents.
public final class CollectionReference: Query, @unchecked Sendable {
  /// The path from the root, such as `posts` or `users/ann/posts`.
  public let path: String
  /// The checked path, or the mistake in it.
  package let name: Result<CollectionName, FirestoreErrorCode>

  package convenience init(firestore: Firestore, name: CollectionName) {
    self.init(firestore: firestore, path: name.path, name: .success(name))
  }

  convenience init(firestore: Firestore, path: String) {
    self.init(firestore: firestore, path: path, name: CollectionName.checked(path))
  }

  /// Takes a path as the caller wrote it.
  init(firestore: Firestore, path: String, name: Result<CollectionName, FirestoreErrorCode>) {
    self.name = name
    if case .success(let name) = name { self.path = name.path } else { self.path = path }
    super.init(
      firestore: firestore, request: name.map { QueryRequest(from: .collection($0)) },
      preparation: QueryPreparation())
  }

  /// The last segment of the path.
  public var collectionID: String {
    if case .success(let name) = name { return name.id }
    return path.splitAtLastSlash.last
  }

  /// The document that the collection is below; nil at the root.
  public var parent: DocumentReference? {
    switch name {
    case .success(let name):
      return name.parent.map { DocumentReference(firestore: firestore, name: $0) }
    case .failure(let error):
      return path.splitAtLastSlash.parent.map {
        DocumentReference(firestore: firestore, path: $0, name: .failure(error))
      }
    }
  }
}

extension CollectionReference {
  /// A new document's place: its id has 20 random letters and digits.
  public func document() -> DocumentReference { document(firestore.makeDocumentID()) }

  /// The document at `documentPath` below this collection, usually its id.
  public func document(_ documentPath: String) -> DocumentReference {
    if case .success(let collection) = name, let name = collection.document(plain: documentPath) {
      return DocumentReference(firestore: firestore, name: name)
    }
    let path = self.path + "/" + documentPath.withoutLeadingSlash
    let name = name.flatMap { _ in
      documentPath.isEmpty
        ? .failure(.invalid("Invalid path: the document in \(self.path) has an empty id."))
        : DocumentName.checked(path)
    }
    return DocumentReference(firestore: firestore, path: path, name: name)
  }

  /// Creates a document with a random id.
  @discardableResult
  public func addDocument(data: [String: Any]) -> DocumentReference {
    addDocument(data: data, completion: nil)
  }

  /// Creates a document with a random id and reports through `completion`.
  @discardableResult
  public func addDocument(
    data: [String: Any], completion: (((any Error)?) -> Void)? = nil
  ) -> DocumentReference {
    let document = document()
    document.setData(data, completion: completion)
    return document
  }

  /// Creates a document with a random id.
  ///
  /// - Parameter data: The fields.
  /// - Returns: The place of the new document.
  /// - Throws: `FirestoreErrorCode` with `.invalidArgument` for a value that Firestore does not allow.
  @discardableResult
  public nonisolated(nonsending) func addDocument(
    data: [String: Any]
  ) async throws -> DocumentReference {
    let document = document()
    try await document.setData(data)
    return document
  }

  /// Creates a document with a random id from an `Encodable` value.
  ///
  /// - Parameters:
  ///   - value: A value that encodes as a map.
  ///   - encoder: How it is encoded.
  ///   - completion: Receives the error of the write, if any.
  /// - Returns: The place of the new document.
  /// - Throws: What the encoder throws; the write has not happened then.
  @discardableResult
  public func addDocument<T: Encodable>(
    from value: T, encoder: Firestore.Encoder = Firestore.Encoder(),
    completion: (((any Error)?) -> Void)? = nil
  ) throws -> DocumentReference {
    let document = document()
    try document.setData(from: value, encoder: encoder, completion: completion)
    return document
  }
}
