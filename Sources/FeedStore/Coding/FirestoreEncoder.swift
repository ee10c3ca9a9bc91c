package import DocumentDatabase
import Foundation

extension Firestore {
  /// Makes document data of `Encodable` values.
  ///
  /// Firestore's own types, `Date`, `Data`, `URL` and `Decimal` are values by themselves, all others
  /// become maps and arrays. A nil property leaves its field out; see `ExplicitNull`.
  public final class Encoder {
    /// How dates are written; as Firestore timestamps unless set.
    public var dateEncodingStrategy = FirebaseDataEncoder.DateEncodingStrategy.timestamp
    /// How `Data` is written; as Firestore bytes unless set.
    public var dataEncodingStrategy = FirebaseDataEncoder.DataEncodingStrategy.blob
    /// What happens to NaN and the infinities; they are refused unless set.
    public var nonConformingFloatEncodingStrategy =
      FirebaseDataEncoder.NonConformingFloatEncodingStrategy.throw
    /// How coding keys become field names; unchanged unless set.
    public var keyEncodingStrategy = FirebaseDataEncoder.KeyEncodingStrategy.useDefaultKeys
    /// What `Encodable` types find in the `userInfo` of their encoder.
    public var userInfo: [CodingUserInfoKey: Any] = [:]

    /// Makes an encoder with the strategies Firebase has by default.
    public init() {}

    /// Encodes a value as the data of a document.
    ///
    /// - Parameter value: A value that encodes as a map.
    /// - Returns: What `setData(_:)` takes.
    /// - Throws: `EncodingError` with the coding path of what cannot be stored.
    public func encode<T: Encodable>(_ value: T) throws -> [String: Any] {
      let context = EncodingContext(options: self)
      let document = try EncodedDocument(members(of: value, in: context))
      let firestore = context.firestore ?? Firestore.firestore()
      var data = EncodedMap(encoding: document.fields).unboxed(in: firestore)
      for (field, sentinel) in document.sentinels { data.set(sentinel, at: field.segments[...]) }
      return data
    }

    /// Encodes a value as the fields of a document and the sentinels among them.
    package func encodeFields<T: Encodable>(_ value: T) throws -> EncodedDocument {
      try EncodedDocument(members(of: value, in: EncodingContext(options: self)))
    }

    private func members<T: Encodable>(
      of value: T, in context: EncodingContext
    ) throws -> [EncodingNode.Member] {
      let encoder = ValueEncoder(in: context, parent: nil, key: nil)
      encoder.node.content = try encoder.content(of: value)
      guard case .map(let members) = encoder.node.resolved.content else {
        throw Encoder.notAMap(value)
      }
      return members
    }

    private static func notAMap<T>(_ value: T) -> EncodingError {
      .invalidValue(
        value,
        EncodingError.Context(
          codingPath: [],
          debugDescription: "A document is a map of fields, and \(T.self) does not encode as one."))
    }
  }
}

/// A value as the fields of a document, with the sentinels apart: they are no values.
package struct EncodedDocument {
  package typealias Sentinel = (field: FieldReference, value: FieldValue)

  package var fields: Fields
  package var sentinels: [Sentinel]
}

extension [String: Any] {
  /// Puts a sentinel where the maps on its way are there already.
  fileprivate mutating func set(_ sentinel: FieldValue, at path: ArraySlice<String>) {
    guard let name = path.first else { return }
    if path.count == 1 {
      self[name] = sentinel
    } else if var inner = self[name] as? [String: Any] {
      inner.set(sentinel, at: path.dropFirst())
      self[name] = inner
    }
  }
}

/// What all encoders of one document share.
final class EncodingContext {
  let options: Firestore.Encoder
  let convertsNames: Bool
  /// The instance that the first reference among the values belongs to.
  var firestore: Firestore?

  init(options: Firestore.Encoder) {
    self.options = options
    if case .useDefaultKeys = options.keyEncodingStrategy {
      convertsNames = false
    } else {
      convertsNames = true
    }
  }
}
