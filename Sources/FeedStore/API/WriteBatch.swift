import DocumentDatabase

/// Writes that are applied together or not at all.
///
/// A mistake in a write is kept and reported by the commit. A batch is used by one task at a time.
public final class WriteBatch {
  private let firestore: Firestore
  private var writes: [Write] = []
  private var firstMistake: FirestoreErrorCode?
  private var isCommitted = false

  init(firestore: Firestore) { self.firestore = firestore }

  /// Replaces a whole document, or creates it.
  @discardableResult
  public func setData(
    _ data: [String: Any], forDocument document: DocumentReference
  ) -> WriteBatch {
    add(document.replacing(with: data), to: document)
  }

  /// Replaces a document, or with `merge` only the fields in the data, map by map.
  @discardableResult
  public func setData(
    _ data: [String: Any], forDocument document: DocumentReference, merge: Bool
  ) -> WriteBatch {
    add(document.setting(data, merge: merge), to: document)
  }

  /// Replaces the named fields, each a dotted `String` or a `FieldPath`.
  @discardableResult
  public func setData(
    _ data: [String: Any], forDocument document: DocumentReference, mergeFields: [Any]
  ) -> WriteBatch {
    add(document.merging(data, fields: mergeFields), to: document)
  }

  /// Changes some fields of an existing document; keys are dotted `String`s or `FieldPath`s.
  @discardableResult
  public func updateData(
    _ fields: [AnyHashable: Any], forDocument document: DocumentReference
  ) -> WriteBatch {
    add(document.updating(fields), to: document)
  }

  /// Deletes a document, if there is one.
  @discardableResult
  public func deleteDocument(_ document: DocumentReference) -> WriteBatch {
    add(document.deleting(), to: document)
  }

  /// Applies the writes.
  public func commit() { firestore.submit(finish()) }

  /// Applies the writes and reports through `completion`.
  public func commit(completion: (((any Error)?) -> Void)? = nil) {
    firestore.submit(finish(), completion: completion)
  }

  /// Applies all writes or none.
  ///
  /// - Throws: `FirestoreErrorCode`: the first mistake made in building the batch, or `.notFound` where
  ///   a document to update does not exist.
  public nonisolated(nonsending) func commit() async throws { try await firestore.commit(finish()) }

  @discardableResult
  func add(
    _ added: Result<Write, FirestoreErrorCode>, to document: DocumentReference
  ) -> WriteBatch {
    do throws(FirestoreErrorCode) {
      try firestore.refuseForeign(document, in: "the batch")
      writes.append(try added.get())
    } catch {
      if firstMistake == nil { firstMistake = error }
    }
    return self
  }

  private func finish() -> Result<[Write], FirestoreErrorCode> {
    guard !isCommitted else {
      return .failure(.invalid("A write batch is used once; make a new one after its commit()."))
    }
    isCommitted = true
    return firstMistake.map { .failure($0) } ?? .success(writes)
  }
}

extension WriteBatch {
  /// Replaces a document by an `Encodable` value, or creates it.
  ///
  /// - Parameters:
  ///   - value: A value that encodes as a map.
  ///   - document: The document.
  ///   - encoder: How the value is encoded.
  /// - Returns: The batch.
  /// - Throws: What the encoder throws; the batch is unchanged then.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, forDocument document: DocumentReference,
    encoder: Firestore.Encoder = Firestore.Encoder()
  ) throws -> WriteBatch {
    setData(try encoder.encode(value), forDocument: document)
  }

  /// Replaces a document by an `Encodable` value, or with `merge` only what the value holds.
  ///
  /// - Parameters:
  ///   - value: A value that encodes as a map.
  ///   - document: The document.
  ///   - merge: Whether all other fields stay.
  ///   - encoder: How the value is encoded.
  /// - Returns: The batch.
  /// - Throws: What the encoder throws; the batch is unchanged then.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, forDocument document: DocumentReference, merge: Bool,
    encoder: Firestore.Encoder = Firestore.Encoder()
  ) throws -> WriteBatch {
    setData(try encoder.encode(value), forDocument: document, merge: merge)
  }

  /// Replaces the named fields by those of an `Encodable` value.
  ///
  /// - Parameters:
  ///   - value: A value that encodes as a map and has each named field.
  ///   - document: The document.
  ///   - mergeFields: The fields, each a dotted `String` or a `FieldPath`.
  ///   - encoder: How the value is encoded.
  /// - Returns: The batch.
  /// - Throws: What the encoder throws; the batch is unchanged then.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, forDocument document: DocumentReference, mergeFields: [Any],
    encoder: Firestore.Encoder = Firestore.Encoder()
  ) throws -> WriteBatch {
    setData(try encoder.encode(value), forDocument: document, mergeFields: mergeFields)
  }
}
