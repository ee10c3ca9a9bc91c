import DocumentDatabase
import Foundation

/// The decoder of one stored value. Decoders link to their parents, so that a coding path exists
/// only once somebody asks for it.
final class ValueDecoder: Decoder {
  let value: EncodedValue
  let context: DecodingContext
  private let parent: ValueDecoder?
  private let key: (any CodingKey)?
  /// The keys of a dictionary are data: no key strategy applies to them.
  private(set) var keepsNames = false

  init(
    _ value: EncodedValue, in context: DecodingContext, parent: ValueDecoder?,
    key: (any CodingKey)?
  ) {
    self.value = value
    self.context = context
    self.parent = parent
    self.key = key
  }

  var userInfo: [CodingUserInfoKey: Any] { context.userInfo }

  var codingPath: [any CodingKey] {
    var reversed: [any CodingKey] = []
    var decoder: ValueDecoder? = self
    while let current = decoder {
      if let key = current.key { reversed.append(key) }
      decoder = current.parent
    }
    return reversed.reversed()
  }

  func child(_ value: EncodedValue, at key: any CodingKey) -> ValueDecoder {
    ValueDecoder(value, in: context, parent: self, key: key)
  }

  /// Decodes this decoder's own value, once `scalar` is known not to apply or for the first time.
  func decodeSelf<T: Decodable>(_ type: T.Type) throws -> T {
    switch scalar(type, from: value) {
    case .read(let scalar): return scalar
    case .mismatch: throw mismatch(type)
    case .other: return try decodeStructure(type)
    }
  }

  /// Decodes a member of a container; a decoder for it is made only if its type needs one.
  @inline(__always)
  func decode<T: Decodable, Key: CodingKey>(
    _ type: T.Type, from member: EncodedValue, at key: @autoclosure () -> Key
  ) throws -> T {
    switch scalar(type, from: member) {
    case .read(let scalar): return scalar
    case .mismatch: throw child(member, at: key()).mismatch(type)
    case .other: return try child(member, at: key()).decodeStructure(type)
    }
  }

  /// Decodes the types that Firestore or Foundation give a meaning of their own, then all others
  /// by their `init(from:)`.
  func decodeStructure<T: Decodable>(_ type: T.Type) throws -> T {
    if let special = try special(type) {
      guard let value = special as? T else { throw mismatch(type) }
      return value
    }
    if context.convertsNames { keepsNames = type is any StringKeyedDictionary.Type }
    return try T(from: self)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .map(let map) = value else { throw mismatch("a map") }
    return KeyedDecodingContainer(FieldsDecodingContainer(map, of: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let array) = value else { throw mismatch("an array") }
    return ElementsDecodingContainer(array, of: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    if case .null = value { true } else { false }
  }

  func decode<T: Decodable>(_ type: T.Type) throws -> T { try decodeSelf(type) }
}

extension ValueDecoder {
  /// The error of a value of another type, or of a number that its type cannot hold.
  func mismatch<T>(_ type: T.Type) -> DecodingError {
    switch value {
    case .null:
      return .valueNotFound(type, context(saying: "\(place) is null, where \(type) is expected."))
    case .integer(let number) where type is any Numeric.Type:
      return .dataCorrupted(context(saying: "\(number) in \(place) does not fit in \(type)."))
    case .double(let number) where type is any Numeric.Type:
      return .dataCorrupted(context(saying: "\(number) in \(place) does not fit in \(type)."))
    default:
      return .typeMismatch(
        type, context(saying: "\(place) holds \(value.kind), where \(type) is expected."))
    }
  }

  /// The error of a value that is not a container of the expected kind.
  func mismatch(_ expected: String) -> DecodingError {
    let context = context(saying: "\(place) holds \(value.kind), where \(expected) is expected.")
    if case .null = value { return .valueNotFound(EncodedValue.self, context) }
    return .typeMismatch(EncodedValue.self, context)
  }

  func corrupted(_ problem: String) -> DecodingError {
    .dataCorrupted(context(saying: "\(place) \(problem)"))
  }

  func context(saying text: String) -> DecodingError.Context {
    DecodingError.Context(codingPath: codingPath, debugDescription: text)
  }

  /// Where the value is, for a reader: `Field "author.name" of posts/p1`.
  var place: String {
    let path = codingPath.map { key in
      key.intValue.map { "[\($0)]" } ?? key.stringValue
    }.joined(separator: ".")
    let field = path.isEmpty ? "The value" : "Field \"\(path)\""
    return context.reference.map { "\(field) of \($0.path)" } ?? field
  }
}

extension EncodedValue {
  /// The name of the type, with its article.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer: "an integer"
    case .double: "a double"
    case .timestamp: "a timestamp"
    case .string: "a string"
    case .bytes: "bytes"
    case .reference: "a reference"
    case .geoPoint: "a geo point"
    case .array: "an array"
    case .vector: "a vector"
    case .map: "a map"
    }
  }
}
