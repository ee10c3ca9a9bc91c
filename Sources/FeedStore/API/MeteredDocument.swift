import DocumentDatabase

extension DocumentReference {
  /// What Firestore's server can do and Firebase's clients cannot. Code that uses it does not compile
  /// against Firebase, and so cannot change its meaning there without being noticed.
  public var metered: MeteredDocument { MeteredDocument(document: self) }
}

extension DocumentSnapshot {
  /// What Firestore's server tells of a document and Firebase's clients do not.
  public var metered: MeteredSnapshot { MeteredSnapshot(snapshot: self) }
}

/// What must hold of a document for a write to be applied.
public enum WritePrecondition: Hashable, Sendable {
  /// The document exists.
  case exists
  /// The document was last changed at this time, that of `snapshot.metered.updateTime`.
  case lastUpdate(Timestamp)
}

/// The server's writes of a document that Firebase's clients do not offer.
///
/// They run on the caller's actor, so that data which cannot cross to another may be written.
public struct MeteredDocument: Sendable {
  let document: DocumentReference

  /// Creates the document, which must not exist.
  ///
  /// - Parameter data: The fields.
  /// - Throws: `FirestoreErrorCode` with `.alreadyExists` where there is a document,
  ///   `.invalidArgument` for a value or a path that Firestore does not allow.
  public nonisolated(nonsending) func create(_ data: [String: Any]) async throws {
    try await commit(document.replacing(with: data), if: .exists(false))
  }

  /// Changes some fields of the document if `precondition` holds.
  ///
  /// - Parameters:
  ///   - fields: New values by dotted `String` or `FieldPath`.
  ///   - precondition: What must hold.
  /// - Throws: `FirestoreErrorCode` with `.notFound` where there is no document,
  ///   `.failedPrecondition` where it was changed, `.invalidArgument` for a value or a path that
  ///   Firestore does not allow.
  public nonisolated(nonsending) func update(
    _ fields: [AnyHashable: Any], _ precondition: WritePrecondition
  ) async throws {
    try await commit(document.updating(fields), if: precondition.checked())
  }

  /// Deletes the document if `precondition` holds.
  ///
  /// - Parameter precondition: What must hold.
  /// - Throws: `FirestoreErrorCode` with `.notFound` where there is no document,
  ///   `.failedPrecondition` where it was changed.
  public nonisolated(nonsending) func delete(_ precondition: WritePrecondition) async throws {
    try await commit(document.deleting(), if: precondition.checked())
  }

  private nonisolated(nonsending) func commit(
    _ write: Result<Write, FirestoreErrorCode>, if precondition: Write.Precondition
  ) async throws(FirestoreErrorCode) {
    try await document.firestore.commit(write.demanding(precondition))
  }
}

extension WriteBatch {
  /// What Firestore's server can do in a batch and Firebase's clients cannot.
  public var metered: MeteredBatch { MeteredBatch(batch: self) }
}

/// The server's writes of a batch that Firebase's clients do not offer. A precondition that does not
/// hold refuses the whole batch.
public struct MeteredBatch {
  let batch: WriteBatch

  /// Creates a document, which must not exist.
  ///
  /// - Parameters:
  ///   - data: The fields.
  ///   - document: The document.
  /// - Returns: The batch.
  @discardableResult
  public func create(
    _ data: [String: Any], forDocument document: DocumentReference
  ) -> WriteBatch {
    batch.add(document.replacing(with: data).demanding(.exists(false)), to: document)
  }

  /// Changes some fields of a document if `precondition` holds.
  ///
  /// - Parameters:
  ///   - fields: New values by dotted `String` or `FieldPath`.
  ///   - document: The document.
  ///   - precondition: What must hold.
  /// - Returns: The batch.
  @discardableResult
  public func updateData(
    _ fields: [AnyHashable: Any], forDocument document: DocumentReference,
    _ precondition: WritePrecondition
  ) -> WriteBatch {
    batch.add(document.updating(fields).demanding(precondition), to: document)
  }

  /// Deletes a document if `precondition` holds.
  ///
  /// - Parameters:
  ///   - document: The document.
  ///   - precondition: What must hold.
  /// - Returns: The batch.
  @discardableResult
  public func deleteDocument(
    _ document: DocumentReference, _ precondition: WritePrecondition
  ) -> WriteBatch {
    batch.add(document.deleting().demanding(precondition), to: document)
  }
}

extension Result<Write, FirestoreErrorCode> {
  fileprivate func demanding(_ precondition: Write.Precondition) -> Self {
    map { Write($0.operation, transforms: $0.transforms, precondition: precondition) }
  }

  fileprivate func demanding(_ precondition: WritePrecondition) -> Self {
    do throws(FirestoreErrorCode) { return demanding(try precondition.checked()) } catch {
      return .failure(error)
    }
  }
}

/// What the server tells of a document beside its fields.
public struct MeteredSnapshot: Sendable {
  let snapshot: DocumentSnapshot

  /// When the document was created; nil where there was none.
  public var createTime: Timestamp? {
    snapshot.stored.map { Timestamp(microseconds: $0.createTime) }
  }

  /// When the document was last changed; nil where there was none.
  public var updateTime: Timestamp? {
    snapshot.stored.map { Timestamp(microseconds: $0.updateTime) }
  }
}

extension WritePrecondition {
  fileprivate func checked() throws(FirestoreErrorCode) -> Write.Precondition {
    switch self {
    case .exists: return .exists(true)
    case .lastUpdate(let time):
      guard let microseconds = time.microseconds else {
        throw .invalid("\(time) is not a time at which a document can have been changed.")
      }
      return .updateTime(microseconds: microseconds)
    }
  }
}
