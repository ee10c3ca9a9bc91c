import DocumentDatabase

/// The reads and writes of one attempt of `Firestore.runTransaction`.
///
/// All reads come before all writes. A mistake in a write is kept and ends the transaction. A
/// transaction is used only within its block, by one thread.
///
/// Source: https://firebase.google.com/docs/firestore/manage-data/transactions
public final class Transaction {
  private let firestore: Firestore
  /// What was read, each document as it was first seen.
  private(set) var reads: [DocumentName: DocumentVersion] = [:]
  private(set) var writes: [Write] = []
  private var firstMistake: FirestoreErrorCode?

  private let isRetry: Bool

  init(firestore: Firestore, isRetry: Bool) {
    self.firestore = firestore
    self.isRetry = isRetry
  }

  /// Reads a document.
  ///
  /// - Parameter document: The document.
  /// - Returns: The document; where there is none, a snapshot with `exists == false`.
  /// - Throws: `FirestoreErrorCode` with `.invalidArgument` after a write, `.aborted` where the document
  ///   was changed since this attempt read it before.
  /// - Cost: One read, also where there is no document, in each attempt; one more at the commit for a
  ///   document that is not written.
  public func getDocument(_ document: DocumentReference) throws -> DocumentSnapshot {
    try read(document)
  }

  private func read(
    _ document: DocumentReference
  ) throws(FirestoreErrorCode) -> DocumentSnapshot {
    guard writes.isEmpty && firstMistake == nil else {
      let mistake = FirestoreErrorCode.invalid(
        "A transaction reads \(document.path) after it has written. Make all reads before all writes."
      )
      if firstMistake == nil { firstMistake = mistake }
      throw mistake
    }
    try firestore.refuseForeign(document, in: "the transaction")
    let name = try document.name.get()
    let stored = try firestore.database.get(name, isRetry: isRetry)
    let version = DocumentVersion(name: name, updateTime: stored?.updateTime)
    if let earlier = reads[name], earlier != version {
      let contention = FirestoreErrorCode(DatabaseError.contention(name))
      firstMistake = contention
      throw contention
    }
    reads[name] = version
    return DocumentSnapshot(firestore: firestore, name: name, stored: stored)
  }

  /// Replaces a whole document, or creates it.
  @discardableResult
  public func setData(
    _ data: [String: Any], forDocument document: DocumentReference
  ) -> Transaction {
    add(document.replacing(with: data), to: document)
  }

  /// Replaces a document, or with `merge` only the fields in the data, map by map.
  @discardableResult
  public func setData(
    _ data: [String: Any], forDocument document: DocumentReference, merge: Bool
  ) -> Transaction {
    add(document.setting(data, merge: merge), to: document)
  }

  /// Replaces the named fields, each a dotted `String` or a `FieldPath`.
  @discardableResult
  public func setData(
    _ data: [String: Any], forDocument document: DocumentReference, mergeFields: [Any]
  ) -> Transaction {
    add(document.merging(data, fields: mergeFields), to: document)
  }

  /// Changes some fields of an existing document; keys are dotted `String`s or `FieldPath`s.
  @discardableResult
  public func updateData(
    _ fields: [AnyHashable: Any], forDocument document: DocumentReference
  ) -> Transaction {
    if case .success(let name) = document.name, let read = reads[name], read.updateTime == nil,
      !writes.contains(where: { $0.document == name })
    {
      return add(
        .failure(
          .invalid(
            "A transaction updates \(name), which it has read and which does not exist. "
              + "Use setData to create it.")), to: document)
    }
    return add(document.updating(fields), to: document)
  }

  /// Deletes a document, if there is one.
  @discardableResult
  public func deleteDocument(_ document: DocumentReference) -> Transaction {
    add(document.deleting(), to: document)
  }

  /// What is to be committed, or the first mistake.
  func finish() throws(FirestoreErrorCode) -> (writes: [Write], reads: [DocumentVersion]) {
    if let firstMistake { throw firstMistake }
    return (writes, Array(reads.values))
  }

  private func add(
    _ added: Result<Write, FirestoreErrorCode>, to document: DocumentReference
  ) -> Transaction {
    do throws(FirestoreErrorCode) {
      try firestore.refuseForeign(document, in: "the transaction")
      writes.append(try added.get())
    } catch {
      if firstMistake == nil { firstMistake = error }
    }
    return self
  }
}

extension Firestore {
  /// A document of another instance cannot take part in what this one does at once.
  func refuseForeign(
    _ document: DocumentReference, in whole: String
  ) throws(FirestoreErrorCode) {
    guard document.firestore !== self else { return }
    throw .invalid(
      "The document \(document.path) is in the database \(document.firestore.database.name.text), "
        + "but \(whole) is for another instance, \(database.name.text).")
  }
}

extension Transaction {
  /// Replaces a document by an `Encodable` value, or creates it.
  ///
  /// - Parameters:
  ///   - value: A value that encodes as a map.
  ///   - document: The document.
  ///   - encoder: How the value is encoded.
  /// - Returns: The transaction.
  /// - Throws: What the encoder throws; nothing is added then.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, forDocument document: DocumentReference,
    encoder: Firestore.Encoder = Firestore.Encoder()
  ) throws -> Transaction {
    setData(try encoder.encode(value), forDocument: document)
  }

  /// Replaces a document by an `Encodable` value, or with `merge` only the fields it has.
  ///
  /// - Parameters:
  ///   - value: A value that encodes as a map.
  ///   - document: The document.
  ///   - merge: Whether all other fields stay.
  ///   - encoder: How the value is encoded.
  /// - Returns: The transaction.
  /// - Throws: What the encoder throws; nothing is added then.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, forDocument document: DocumentReference, merge: Bool,
    encoder: Firestore.Encoder = Firestore.Encoder()
  ) throws -> Transaction {
    setData(try encoder.encode(value), forDocument: document, merge: merge)
  }

  /// Replaces the named fields by those of an `Encodable` value, which must have each of them.
  ///
  /// - Parameters:
  ///   - value: A value that encodes as a map.
  ///   - document: The document.
  ///   - mergeFields: The fields, each a dotted `String` or a `FieldPath`.
  ///   - encoder: How the value is encoded.
  /// - Returns: The transaction.
  /// - Throws: What the encoder throws; nothing is added then.
  @discardableResult
  public func setData<T: Encodable>(
    from value: T, forDocument document: DocumentReference, mergeFields: [Any],
    encoder: Firestore.Encoder = Firestore.Encoder()
  ) throws -> Transaction {
    setData(try encoder.encode(value), forDocument: document, mergeFields: mergeFields)
  }
}
