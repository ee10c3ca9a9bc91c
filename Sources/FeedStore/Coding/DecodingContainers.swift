import DocumentDatabase

/// A map, read by the keys of a type.
struct FieldsDecodingContainer<Key: CodingKey>: KeyedDecodingContainerProtocol {
  private let decoder: ValueDecoder

  init(of decoder: ValueDecoder) { self.decoder = decoder }

  var codingPath: [any CodingKey] { decoder.codingPath }

  var allKeys: [Key] { decoder.fieldNames.compactMap { Key(stringValue: $0) } }

  private func required(_ key: Key) throws -> EncodedValue {
    guard let member = decoder.field(key.stringValue) else { throw missing(key) }
    return member
  }

  /// Names what is there as well: most missing keys are misspelt or in another key style.
  private func missing(_ key: Key) -> DecodingError {
    let names = decoder.fieldNames.joined(separator: ", ")
    return .keyNotFound(
      key,
      decoder.context(
        saying: "\(decoder.place) has no field \"\(key.stringValue)\"; it has: \(names)."))
  }

  func contains(_ key: Key) -> Bool { decoder.place(key.stringValue) != nil }

  func decodeNil(forKey key: Key) throws -> Bool {
    if case .null = try required(key) { true } else { false }
  }

  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    guard let place = decoder.place(key.stringValue) else { throw missing(key) }
    return try decoder.decode(type, at: place, for: key)
  }

  func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) throws -> KeyedDecodingContainer<Nested> {
    try decoder.child(required(key), at: key).container(keyedBy: type)
  }

  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try decoder.child(required(key), at: key).unkeyedContainer()
  }

  func superDecoder() throws -> any Decoder {
    let key = PlainKey("super")
    return decoder.child(decoder.field(key.stringValue) ?? .null, at: key)
  }

  func superDecoder(forKey key: Key) throws -> any Decoder {
    decoder.child(decoder.field(key.stringValue) ?? .null, at: key)
  }
}

/// A method for every scalar type, because the standard library's defaults look an optional up three
/// times, and because the compiler makes fast code of a type it knows.
extension FieldsDecodingContainer {
  @inline(__always)
  private func scalar<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T {
    guard let member = decoder.field(key.stringValue) else { throw missing(key) }
    return try decoder.decode(type, from: member, at: key)
  }

  @inline(__always)
  private func optional<T: Decodable>(_ type: T.Type, _ key: Key) throws -> T? {
    guard let member = decoder.field(key.stringValue) else { return nil }
    if case .null = member { return nil }
    return try decoder.decode(type, from: member, at: key)
  }

  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool {
    try decoder.boolean(key.stringValue) ?? scalar(type, key)
  }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try decoder.string(key.stringValue) ?? scalar(type, key)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try decoder.double(key.stringValue) ?? scalar(type, key)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try scalar(type, key) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int {
    if let number = decoder.integer(key.stringValue), let number = Int(exactly: number) {
      return number
    }
    return try scalar(type, key)
  }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try scalar(type, key) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try scalar(type, key) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try scalar(type, key) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 {
    try decoder.integer(key.stringValue) ?? scalar(type, key)
  }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try scalar(type, key) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try scalar(type, key) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 { try scalar(type, key) }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 { try scalar(type, key) }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 { try scalar(type, key) }

  func decodeIfPresent(_ type: Bool.Type, forKey key: Key) throws -> Bool? {
    try decoder.boolean(key.stringValue) ?? optional(type, key)
  }
  func decodeIfPresent(_ type: String.Type, forKey key: Key) throws -> String? {
    try decoder.string(key.stringValue) ?? optional(type, key)
  }
  func decodeIfPresent(_ type: Double.Type, forKey key: Key) throws -> Double? {
    try decoder.double(key.stringValue) ?? optional(type, key)
  }
  func decodeIfPresent(_ type: Float.Type, forKey key: Key) throws -> Float? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: Int.Type, forKey key: Key) throws -> Int? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: Int8.Type, forKey key: Key) throws -> Int8? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: Int16.Type, forKey key: Key) throws -> Int16? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: Int32.Type, forKey key: Key) throws -> Int32? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: Int64.Type, forKey key: Key) throws -> Int64? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: UInt.Type, forKey key: Key) throws -> UInt? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: UInt8.Type, forKey key: Key) throws -> UInt8? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: UInt16.Type, forKey key: Key) throws -> UInt16? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: UInt32.Type, forKey key: Key) throws -> UInt32? {
    try optional(type, key)
  }
  func decodeIfPresent(_ type: UInt64.Type, forKey key: Key) throws -> UInt64? {
    try optional(type, key)
  }
  func decodeIfPresent<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T? {
    guard let place = decoder.place(key.stringValue), !decoder.isNull(at: place) else { return nil }
    return try decoder.decode(type, at: place, for: key)
  }
}

/// An array, read in order.
struct ElementsDecodingContainer: UnkeyedDecodingContainer {
  private let array: EncodedArray
  private let decoder: ValueDecoder
  private(set) var currentIndex = 0

  init(_ array: EncodedArray, of decoder: ValueDecoder) {
    self.array = array
    self.decoder = decoder
  }

  var codingPath: [any CodingKey] { decoder.codingPath }
  var count: Int? { array.count }
  var isAtEnd: Bool { currentIndex >= array.count }

  private func next<T>(_ type: T.Type) throws -> EncodedValue {
    guard !isAtEnd else {
      throw DecodingError.valueNotFound(
        type,
        decoder.context(saying: "\(decoder.place) has \(array.count) elements, and no further."))
    }
    return array[currentIndex]
  }

  private var key: PlainKey { PlainKey(index: currentIndex) }

  mutating func decodeNil() throws -> Bool {
    guard case .null = try next(Never.self) else { return false }
    currentIndex += 1
    return true
  }

  mutating func decode<T: Decodable>(_ type: T.Type) throws -> T {
    let value = try decoder.decodeMember(type, from: next(type), at: key)
    currentIndex += 1
    return value
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) throws -> KeyedDecodingContainer<Nested> {
    let container = try decoder.child(next(type), at: key).container(keyedBy: type)
    currentIndex += 1
    return container
  }

  mutating func nestedUnkeyedContainer() throws -> any UnkeyedDecodingContainer {
    let container = try decoder.child(next([Never].self), at: key).unkeyedContainer()
    currentIndex += 1
    return container
  }

  mutating func superDecoder() throws -> any Decoder {
    let element = try decoder.child(next(Never.self), at: key)
    currentIndex += 1
    return element
  }
}
