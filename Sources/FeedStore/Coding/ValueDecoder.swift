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
  private var keepsNames = false
  /// Positions of fields by the names that a key strategy made; nil where names are keys.
  private var converted: [String: Int]?

  init(
    _ value: EncodedValue, in context: DecodingContext, parent: ValueDecoder?,
    key: (any CodingKey)?
  ) {
    self.value = value
    self.context = context
    self.parent = parent
    self.key = key
  }

  var userInfo: [CodingUserInfoKey: Any] { context.options.userInfo }

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

  /// Decodes the types that Firestore or Foundation give a meaning of their own, then all others
  /// by their `init(from:)`.
  func decodeStructure<T: Decodable>(_ type: T.Type) throws -> T {
    if let special = try special(type) { return try cast(special, to: type) }
    if context.convertsNames { keepsNames = type is any StringKeyedDictionary.Type }
    return try T(from: self)
  }

  /// Decodes a member of a container whose type is only known when it runs. The most frequent
  /// types do without a decoder of their own.
  func decodeMember<T: Decodable>(
    _ type: T.Type, from member: EncodedValue, at key: some CodingKey
  ) throws -> T {
    switch member {
    case .timestamp(let microseconds) where T.self == Date.self:
      if case .timestamp = context.options.dateDecodingStrategy {
        return try cast(Date(microseconds: microseconds), to: type)
      }
    case .string(let text) where T.self == String.self: return try cast(text.decoded, to: type)
    case .integer(let number) where T.self == Int.self:
      if let number = Int(exactly: number) { return try cast(number, to: type) }
    case .double(let number) where T.self == Double.self: return try cast(number, to: type)
    default: break
    }
    return try child(member, at: key).decodeStructure(type)
  }

  /// Apart and not inlined, because the code of a cast looks up metadata wherever it stands, also
  /// for the many types that are not cast.
  @inline(never)
  private func cast<Value, T>(_ value: Value, to type: T.Type) throws -> T {
    guard let value = value as? T else { throw mismatch(type) }
    return value
  }

  /// Decodes a member of a container, in code that is made for its type.
  @inline(__always)
  func decode<T: Decodable>(
    _ type: T.Type, from member: EncodedValue, at key: @autoclosure () -> some CodingKey
  ) throws -> T {
    switch scalar(type, from: member) {
    case .read(let scalar): return scalar
    case .mismatch, .other: throw child(member, at: key()).mismatch(type)
    }
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard case .map(let map) = value else { throw mismatch("a map") }
    if context.convertsNames, !keepsNames, converted == nil { convertNames(of: map) }
    return KeyedDecodingContainer(FieldsDecodingContainer(of: self))
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

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    switch scalar(type, from: value) {
    case .read(let scalar): return scalar
    case .mismatch: throw mismatch(type)
    case .other: return try decodeStructure(type)
    }
  }
}

/// The fields of a map. Containers hold only their decoder, because the standard library copies a
/// container for each field it decodes.
extension ValueDecoder {
  func field(_ name: String) -> EncodedValue? {
    guard case .map(let map) = value else { return nil }
    guard let converted else { return map[name] }
    return converted[name].map { map.value(at: $0) }
  }

  /// The names that keys are compared with.
  var fieldNames: [String] {
    guard case .map(let map) = value else { return [] }
    guard let converted else { return (0..<map.count).map { map.name(at: $0) } }
    return converted.sorted { $0.value < $1.value }.map(\.key)
  }

  private func convertNames(of map: EncodedMap) {
    let convert = context.options.keyDecodingStrategy.converter(in: codingPath)
    converted = convert.map { convert in
      Dictionary((0..<map.count).map { (convert(map.name(at: $0)), $0) }, uniquingKeysWith: { $1 })
    }
  }
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
