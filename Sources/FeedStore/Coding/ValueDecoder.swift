import DocumentDatabase
import Foundation
import StorageEngine

/// The decoder of one stored value. Decoders link to their parents, so that a coding path exists
/// only once somebody asks for it.
final class ValueDecoder: Decoder {
  /// The value, where it is a map: apart from the others, because its fields are read where it stands.
  private let map: EncodedMap?
  /// The value, where it is no map.
  private let other: EncodedValue
  /// Nil stands for the options that a decoder has by default, for which none has to be made.
  private let given: Firestore.Decoder?
  let source: DecodingSource
  private let parent: ValueDecoder?
  private let key: (any CodingKey)?
  /// The keys of a dictionary are data: no key strategy applies to them.
  private var keepsNames = false
  /// Positions of fields by the names that a key strategy made; nil where names are keys.
  private var converted: [String: Int]?

  init(_ fields: EncodedMap, options: Firestore.Decoder?, source: DecodingSource) {
    map = fields
    other = .null
    given = options
    self.source = source
    parent = nil
    key = nil
  }

  init(_ value: EncodedValue, options: Firestore.Decoder, source: DecodingSource) {
    (map, other) = value.split
    given = options
    self.source = source
    parent = nil
    key = nil
  }

  private init(_ value: EncodedValue, at key: any CodingKey, of parent: ValueDecoder) {
    (map, other) = value.split
    given = parent.given
    source = parent.source
    self.parent = parent
    self.key = key
  }

  var value: EncodedValue { map.map { .map($0) } ?? other }

  var options: Firestore.Decoder { given ?? Firestore.Decoder() }

  /// Whether a key strategy stands between field names and keys.
  private var convertsNames: Bool { given.map { $0.convertsNames } ?? false }

  private var readsTimestampsAsDates: Bool {
    guard let given else { return true }
    if case .timestamp = given.dateDecodingStrategy { return true }
    return false
  }

  var userInfo: [CodingUserInfoKey: Any] { options.userInfo }

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
    ValueDecoder(value, at: key, of: self)
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
    guard let map else { throw mismatch("a map") }
    if convertsNames, !keepsNames, converted == nil { convertNames(of: map) }
    return KeyedDecodingContainer(FieldsDecodingContainer(of: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard case .array(let array) = value else { throw mismatch("an array") }
    return ElementsDecodingContainer(array, of: self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

extension ValueDecoder {
  /// Decodes a member of a container whose type is only known when it runs, with a decoder of its own
  /// where it needs one.
  func decodeMember<T: Decodable>(
    _ type: T.Type, from member: EncodedValue, at key: some CodingKey
  ) throws -> T {
    switch member {
    case .string(let text) where T.self == String.self: return same(text.decoded, as: type)
    case .integer(let number) where T.self == Int.self:
      if let number = Int(exactly: number) { return same(number, as: type) }
    case .double(let number) where T.self == Double.self: return same(number, as: type)
    default: break
    }
    return try child(member, at: key).decodeStructure(type)
  }

  /// Decodes the types that Firestore or Foundation give a meaning of their own, then all others
  /// by their `init(from:)`.
  func decodeStructure<T: Decodable>(_ type: T.Type) throws -> T {
    if T.self == Timestamp.self { return same(try timestamp(), as: type) }
    if T.self == Date.self, let date = try date() { return same(date, as: type) }
    if T.self == Data.self, let data = try data() { return same(data, as: type) }
    if T.self == URL.self { return same(try url(), as: type) }
    if T.self == Decimal.self { return same(try decimal(), as: type) }
    if T.self == DocumentReference.self { return same(try reference(), as: type) }
    if T.self == GeoPoint.self { return same(try geoPoint(), as: type) }
    if T.self == VectorValue.self { return same(try vector(), as: type) }
    if convertsNames { keepsNames = type is any StringKeyedDictionary.Type }
    return try T(from: self)
  }
}

extension ValueDecoder: SingleValueDecodingContainer {
  func decodeNil() -> Bool {
    if map == nil, case .null = other { true } else { false }
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
  /// Where the field that `name` stands for is in the map.
  func place(_ name: consuming String) -> Range<Int>? {
    guard let converted else { return map?.place(of: name) }
    return converted[name].flatMap { map?.place(at: $0) }
  }

  private func timestamp(at place: Range<Int>) -> Timestamp? {
    map?.timestamp(at: place).map { Timestamp(microseconds: $0) }
  }

  private func date(at place: Range<Int>) -> Date? {
    map?.timestamp(at: place).map { Date(microseconds: $0) }
  }

  private func strings(at place: Range<Int>) -> [String]? { map?.strings(at: place) }

  private func member(at place: Range<Int>) -> EncodedValue { map?.value(at: place) ?? .null }

  func isNull(at place: Range<Int>) -> Bool { map?.isNull(at: place) ?? true }

  func field(_ name: String) -> EncodedValue? { place(name).flatMap { map?.value(at: $0) } }

  func string(_ name: consuming String) -> String? { place(name).flatMap { map?.string(at: $0) } }

  func integer(_ name: consuming String) -> Int64? { place(name).flatMap { map?.integer(at: $0) } }

  func double(_ name: consuming String) -> Double? { place(name).flatMap { map?.double(at: $0) } }

  func boolean(_ name: consuming String) -> Bool? { place(name).flatMap { map?.boolean(at: $0) } }

  /// Decodes the field at `place`, whose type is only known when it runs. The most frequent types do
  /// without a decoder of their own.
  func decode<T: Decodable>(
    _ type: T.Type, at place: Range<Int>, for key: some CodingKey
  ) throws -> T {
    if T.self == Timestamp.self {
      if let time = timestamp(at: place) { return same(time, as: type) }
    } else if T.self == [String].self {
      if let strings = strings(at: place) { return same(strings, as: type) }
    } else if T.self == Date.self, readsTimestampsAsDates {
      if let date = date(at: place) { return same(date, as: type) }
    }
    return try decodeMember(type, from: member(at: place), at: key)
  }

  /// The names that keys are compared with.
  var fieldNames: [String] {
    guard let map else { return [] }
    guard let converted else { return (0..<map.count).map { map.name(at: $0) } }
    return converted.sorted { $0.value < $1.value }.map(\.key)
  }

  private func convertNames(of map: EncodedMap) {
    let convert = options.keyDecodingStrategy.converter(in: codingPath)
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
    return source.reference.map { "\(field) of \($0.path)" } ?? field
  }
}

extension EncodedValue {
  fileprivate var split: (map: EncodedMap?, other: EncodedValue) {
    if case .map(let map) = self { (map, .null) } else { (nil, self) }
  }

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
