package import DocumentDatabase
import Foundation

extension Firestore {
  /// Reads `Decodable` values from documents.
  ///
  /// Numbers decode into every number type that holds them exactly: `Int` from an integer or from a
  /// whole double, `Double` from an integer. Firestore's own types decode as they are.
  public final class Decoder {
    /// How dates are read; from Firestore timestamps unless set.
    public var dateDecodingStrategy = FirebaseDataDecoder.DateDecodingStrategy.timestamp
    /// How `Data` is read; from Firestore bytes unless set.
    public var dataDecodingStrategy = FirebaseDataDecoder.DataDecodingStrategy.blob
    /// Which texts stand for NaN and the infinities; none unless set.
    public var nonConformingFloatDecodingStrategy =
      FirebaseDataDecoder.NonConformingFloatDecodingStrategy.throw
    /// How field names become coding keys; unchanged unless set.
    public var keyDecodingStrategy = FirebaseDataDecoder.KeyDecodingStrategy.useDefaultKeys
    /// What `Decodable` types find in the `userInfo` of their decoder.
    public var userInfo: [CodingUserInfoKey: Any] = [:]

    /// Makes a decoder with the strategies Firebase has by default.
    public init() {}

    /// Decodes a value from the data of a document or of a field.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - data: What `DocumentSnapshot.data()` or `get(_:)` returned, or the like.
    /// - Returns: The decoded value.
    /// - Throws: `DecodingError` with the coding path of the field that does not fit;
    ///   `FirestoreDecodingError`.
    public func decode<T: Decodable>(_ type: T.Type, from data: Any) throws -> T {
      try decode(type, from: data, in: nil)
    }

    /// Decodes a value from the data of a document, whose reference fills `@DocumentID`.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - data: What `DocumentSnapshot.data()` returned, or the like.
    ///   - reference: The document the data belongs to.
    /// - Returns: The decoded value.
    /// - Throws: `DecodingError` with the coding path of the field that does not fit;
    ///   `FirestoreDecodingError`.
    public func decode<T: Decodable>(
      _ type: T.Type, from data: Any, in reference: DocumentReference?
    ) throws -> T {
      let boxed = EncodedMap(encoding: Fields([("", try Value(boxing: data))])).value(at: 0)
      return try decode(
        type, from: boxed,
        of: .data(in: reference, of: reference?.firestore ?? Decoder.firestore(of: data)))
    }

    /// Decodes the stored fields of a document, without dictionaries in between.
    package func decode<T: Decodable>(
      _ type: T.Type, from stored: EncodedValue, in reference: DocumentReference?
    ) throws -> T {
      try decode(type, from: stored, of: .data(in: reference, of: reference?.firestore))
    }

    private func decode<T: Decodable>(
      _ type: T.Type, from stored: EncodedValue, of source: DecodingSource
    ) throws -> T {
      let decoder = ValueDecoder(stored, options: self, source: source)
      if case .map = stored { return try decoder.decodeStructure(type) }
      return try decoder.decode(type)
    }

    /// The instance that the first reference in `data` belongs to.
    private static func firestore(of data: Any) -> Firestore? {
      switch data {
      case let reference as DocumentReference: reference.firestore
      case let map as [String: Any]: map.values.lazy.compactMap(firestore(of:)).first
      case let array as [Any]: array.lazy.compactMap(firestore(of:)).first
      default: nil
      }
    }
  }
}

extension Firestore.Decoder {
  var convertsNames: Bool {
    if case .useDefaultKeys = keyDecodingStrategy { false } else { true }
  }
}

/// Where decoded values come from: what `@DocumentID` and references need to know.
enum DecodingSource {
  /// A document that was read; its name is taken from its bytes only when somebody asks for it.
  case snapshot(DocumentSnapshot)
  case data(in: DocumentReference?, of: Firestore?)

  var reference: DocumentReference? {
    switch self {
    case .snapshot(let snapshot): snapshot.reference
    case .data(let reference, _): reference
    }
  }

  var firestore: Firestore? {
    switch self {
    case .snapshot(let snapshot): snapshot.firestore
    case .data(_, let firestore): firestore
    }
  }
}
