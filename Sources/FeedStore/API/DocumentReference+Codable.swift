import DocumentDatabase

extension DocumentReference {
  /// Replaces the document by an `Encodable` value, or creates it.
  ///
  /// - Parameters:
  ///   - value: A value that encodes as a map.
  ///   - encoder: How it is encoded.
  ///   - completion: Receives the error of the write, if any.
  /// - Throws: What the encoder throws; the write has not happened then.
  public func setData<T: Encodable>(
    from value: T, encoder: Firestore.Encoder = Firestore.Encoder(),
    completion: (((any Error)?) -> Void)? = nil
  ) throws {
    firestore.submit(
      replacing(with: try encoder.encodeFields(value)), completion: completion)
  }

  /// Replaces the document by an `Encodable` value, or with `merge` only what the value holds.
  ///
  /// - Parameters:
  ///   - value: A value that encodes as a map.
  ///   - merge: Whether all other fields stay.
  ///   - encoder: How it is encoded.
  ///   - completion: Receives the error of the write, if any.
  /// - Throws: What the encoder throws; the write has not happened then.
  public func setData<T: Encodable>(
    from value: T, merge: Bool, encoder: Firestore.Encoder = Firestore.Encoder(),
    completion: (((any Error)?) -> Void)? = nil
  ) throws {
    firestore.submit(setting(try encoder.encode(value), merge: merge), completion: completion)
  }

  /// Replaces the named fields by those of an `Encodable` value.
  ///
  /// - Parameters:
  ///   - value: A value that encodes as a map and has each named field.
  ///   - mergeFields: The fields, each a dotted `String` or a `FieldPath`.
  ///   - encoder: How it is encoded.
  ///   - completion: Receives the error of the write, if any.
  /// - Throws: What the encoder throws; the write has not happened then.
  public func setData<T: Encodable>(
    from value: T, mergeFields: [Any], encoder: Firestore.Encoder = Firestore.Encoder(),
    completion: (((any Error)?) -> Void)? = nil
  ) throws {
    firestore.submit(
      merging(try encoder.encode(value), fields: mergeFields), completion: completion)
  }

  /// Reads the document and decodes it.
  ///
  /// - Parameters:
  ///   - type: What to decode; an optional type is nil where there is no document.
  ///   - serverTimestampBehavior: Without effect here: no server timestamp is ever pending.
  ///   - decoder: How it is decoded.
  ///   - source: Where to read.
  /// - Returns: The decoded document.
  /// - Throws: `FirestoreErrorCode` as `getDocument(source:)`; `DecodingError` where the document does
  ///   not fit the type, or does not exist and the type is not optional.
  /// - Cost: One read, also where there is no document.
  public func getDocument<T: Decodable>(
    as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
    decoder: Firestore.Decoder = .init(), source: FirestoreSource = .default
  ) async throws -> T {
    try snapshot(source).get().data(as: type, with: serverTimestampBehavior, decoder: decoder)
  }

  /// Reads the document before it returns, decodes it and calls `completion` on the settings' queue.
  ///
  /// - Parameters:
  ///   - type: What to decode; an optional type is nil where there is no document.
  ///   - serverTimestampBehavior: Without effect here: no server timestamp is ever pending.
  ///   - decoder: How it is decoded.
  ///   - source: Where to read.
  ///   - completion: Receives the decoded document or the error.
  public func getDocument<T: Decodable>(
    as type: T.Type, with serverTimestampBehavior: ServerTimestampBehavior = .none,
    decoder: Firestore.Decoder = .init(), source: FirestoreSource = .default,
    completion: @escaping (Result<T, any Error>) -> Void
  ) {
    let result = Result {
      try snapshot(source).get().data(as: type, with: serverTimestampBehavior, decoder: decoder)
    }
    firestore.call { completion(result) }
  }
}
