import DocumentDatabase

// Each write has Firebase's three shapes: one that returns at once and leaves its error to
// `Firestore.onUnreportedError`, one with a completion closure, one to await. In all three the write
// has been applied when the method returns, unless the network is disabled: then it is seen by this
// client alone, and the completion closure and the awaiting caller wait. The awaited ones run on the caller's actor, so that data
// which cannot cross to another may be written.

extension DocumentReference {
  /// Replaces the whole document, or creates it.
  public func setData(_ documentData: [String: Any]) {
    firestore.submit(replacing(with: documentData))
  }

  /// Replaces the whole document, or creates it, and reports through `completion`.
  public func setData(
    _ documentData: [String: Any], completion: (((any Error)?) -> Void)? = nil
  ) {
    firestore.submit(replacing(with: documentData), completion: completion)
  }

  /// Replaces the whole document, or creates it.
  ///
  /// - Parameter documentData: The fields.
  /// - Throws: `FirestoreErrorCode` with `.invalidArgument` for a value or a path that Firestore does
  ///   not allow.
  public nonisolated(nonsending) func setData(_ documentData: [String: Any]) async throws {
    try await firestore.commit(replacing(with: documentData))
  }

  /// Replaces the document, or with `merge` only the fields in the data, map by map.
  public func setData(_ documentData: [String: Any], merge: Bool) {
    firestore.submit(setting(documentData, merge: merge))
  }

  /// Replaces the document, or with `merge` only the fields in the data, and reports through
  /// `completion`.
  public func setData(
    _ documentData: [String: Any], merge: Bool, completion: (((any Error)?) -> Void)? = nil
  ) {
    firestore.submit(setting(documentData, merge: merge), completion: completion)
  }

  /// Replaces the document, or with `merge` only the fields in the data, map by map; creates it where
  /// there is none.
  ///
  /// - Parameters:
  ///   - documentData: The fields; with `merge`, an empty map replaces what it finds.
  ///   - merge: Whether all other fields stay.
  /// - Throws: `FirestoreErrorCode` with `.invalidArgument` for a value or a path that Firestore does
  ///   not allow.
  public nonisolated(nonsending) func setData(
    _ documentData: [String: Any], merge: Bool
  ) async throws {
    try await firestore.commit(setting(documentData, merge: merge))
  }

  /// Replaces the named fields, each a dotted `String` or a `FieldPath`.
  public func setData(_ documentData: [String: Any], mergeFields: [Any]) {
    firestore.submit(merging(documentData, fields: mergeFields))
  }

  /// Replaces the named fields, each a dotted `String` or a `FieldPath`, and reports through
  /// `completion`.
  public func setData(
    _ documentData: [String: Any], mergeFields: [Any], completion: (((any Error)?) -> Void)? = nil
  ) {
    firestore.submit(merging(documentData, fields: mergeFields), completion: completion)
  }

  /// Replaces the named fields and leaves the others as they are.
  ///
  /// - Parameters:
  ///   - documentData: The data, which must have each named field and may have others.
  ///   - mergeFields: The fields, each a dotted `String` or a `FieldPath`.
  /// - Throws: `FirestoreErrorCode` with `.invalidArgument` for a named field that the data lacks, and
  ///   for a value or a path that Firestore does not allow.
  public nonisolated(nonsending) func setData(
    _ documentData: [String: Any], mergeFields: [Any]
  ) async throws {
    try await firestore.commit(merging(documentData, fields: mergeFields))
  }

  /// Changes some fields of an existing document; keys are dotted `String`s or `FieldPath`s.
  public func updateData(_ fields: [AnyHashable: Any]) { firestore.submit(updating(fields)) }

  /// Changes some fields of an existing document and reports through `completion`.
  public func updateData(
    _ fields: [AnyHashable: Any], completion: (((any Error)?) -> Void)? = nil
  ) {
    firestore.submit(updating(fields), completion: completion)
  }

  /// Changes some fields of an existing document.
  ///
  /// - Parameter fields: New values by dotted `String` or `FieldPath`; a map replaces the map it finds.
  /// - Throws: `FirestoreErrorCode` with `.notFound` where there is no document, `.invalidArgument` for
  ///   a value or a path that Firestore does not allow.
  public nonisolated(nonsending) func updateData(_ fields: [AnyHashable: Any]) async throws {
    try await firestore.commit(updating(fields))
  }

  /// Deletes the document, if there is one. Its subcollections stay.
  public func delete() { firestore.submit(deleting()) }

  /// Deletes the document, if there is one, and reports through `completion`.
  public func delete(completion: (((any Error)?) -> Void)? = nil) {
    firestore.submit(deleting(), completion: completion)
  }

  /// Deletes the document, if there is one. Its subcollections stay.
  ///
  /// - Throws: `FirestoreErrorCode` with `.invalidArgument` if the path is not a document's.
  public nonisolated(nonsending) func delete() async throws {
    try await firestore.commit(deleting())
  }
}
