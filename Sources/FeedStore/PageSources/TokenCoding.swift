import DocumentDatabase

/// The content of a page token, version 1:
///
///     checksum: 4 bytes | fingerprint of the query: 8 bytes | number of values | values
///
/// A value is a tag and what belongs to it. Numbers in brackets of eight bytes are little-endian,
/// lengths and counts have seven bits a byte, the lowest first. A token may come from anywhere, so
/// every length is checked against what is left before it is used.
struct TokenContent: Hashable {
  static let version: UInt8 = 1

  var fingerprint: UInt64
  /// The values of the row's complete order, the document's name last.
  var values: [Value]

  var payload: [UInt8] {
    var writer = TokenWriter()
    writer.append(fingerprint)
    writer.append(values)
    let checksum = TokenContent.checksum(writer.bytes)
    return (0..<4).map { UInt8(truncatingIfNeeded: checksum >> (8 * $0)) } + writer.bytes
  }

  init(fingerprint: UInt64, values: [Value]) {
    self.fingerprint = fingerprint
    self.values = values
  }

  /// Nil where the bytes are not exactly one content.
  init?(payload: [UInt8]) {
    var reader = TokenReader(bytes: payload[...])
    guard let checksum = reader.bytes(4),
      checksum.enumerated().reduce(UInt32(0), { $0 | UInt32($1.element) << (8 * $1.offset) })
        == TokenContent.checksum(reader.bytes),
      let fingerprint = reader.word(), let values = reader.values(depth: 0), reader.bytes.isEmpty
    else { return nil }
    self.init(fingerprint: fingerprint, values: values)
  }

  /// FNV-1a: finds damage, keeps nobody from making a token.
  private static func checksum(_ bytes: some Sequence<UInt8>) -> UInt32 {
    bytes.reduce(0x811C_9DC5) { ($0 ^ UInt32($1)) &* 0x0100_0193 }
  }
}

private enum Tag: UInt8 {
  case null, no, yes, integer, double, timestamp, string, bytes, reference, geoPoint, array, vector
  case map
}

private struct TokenWriter {
  var bytes: [UInt8] = []

  mutating func append(_ word: UInt64) {
    for shift in stride(from: UInt64(0), to: 64, by: 8) {
      bytes.append(UInt8(truncatingIfNeeded: word >> shift))
    }
  }

  private mutating func append(count: Int) {
    var rest = UInt(count)
    while rest > 0x7F {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  private mutating func append(text: String) { append(Array(text.utf8)) }

  private mutating func append(_ content: [UInt8]) {
    append(count: content.count)
    bytes += content
  }

  mutating func append(_ values: [Value]) {
    append(count: values.count)
    for value in values { append(value) }
  }

  private mutating func append(_ tag: Tag) { bytes.append(tag.rawValue) }

  private mutating func append(_ tag: Tag, _ words: UInt64...) {
    append(tag)
    for word in words { append(word) }
  }

  private mutating func append(_ value: Value) {
    switch value {
    case .null: append(Tag.null)
    case .boolean(let flag): append(flag ? Tag.yes : Tag.no)
    case .integer(let number): append(.integer, UInt64(bitPattern: number))
    case .double(let number): append(.double, number.bitPattern)
    case .timestamp(let microseconds): append(.timestamp, UInt64(bitPattern: microseconds))
    case .geoPoint(let latitude, let longitude):
      append(.geoPoint, latitude.bitPattern, longitude.bitPattern)
    case .string(let text):
      append(Tag.string)
      append(text: text)
    case .bytes(let content):
      append(Tag.bytes)
      append(content)
    case .reference(let name):
      append(Tag.reference)
      append(text: name.text)
    case .array(let values):
      append(Tag.array)
      append(values)
    case .vector(let numbers):
      append(Tag.vector)
      append(count: numbers.count)
      for number in numbers { append(number.bitPattern) }
    case .map(let fields):
      append(Tag.map)
      append(count: fields.count)
      for field in fields.sorted {
        append(text: field.name)
        append(field.value)
      }
    }
  }
}

private struct TokenReader {
  /// Firestore allows 20 levels; more would only serve to exhaust the stack.
  private static let greatestDepth = 32

  var bytes: ArraySlice<UInt8>

  mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
    guard count <= bytes.count else { return nil }
    defer { bytes = bytes.dropFirst(count) }
    return bytes.prefix(count)
  }

  mutating func word() -> UInt64? {
    bytes(8)?.reversed().reduce(0) { $0 << 8 | UInt64($1) }
  }

  private mutating func count() -> Int? {
    var count = 0
    for shift in stride(from: 0, to: 56, by: 7) {
      guard let byte = bytes.popFirst() else { return nil }
      count |= Int(byte & 0x7F) << shift
      if byte & 0x80 == 0 { return count }
    }
    return nil
  }

  private mutating func content() -> ArraySlice<UInt8>? { count().flatMap { bytes($0) } }

  private mutating func text() -> String? {
    content().flatMap { String(validating: $0, as: UTF8.self) }
  }

  private mutating func double() -> Double? { word().map(Double.init(bitPattern:)) }

  /// A list of what `element` reads; each takes a byte at least, which bounds a forged count.
  private mutating func list<Element>(
    _ element: (inout TokenReader) -> Element?
  ) -> [Element]? {
    guard let count = count(), count <= bytes.count else { return nil }
    var elements: [Element] = []
    for _ in 0..<count {
      guard let next = element(&self) else { return nil }
      elements.append(next)
    }
    return elements
  }

  mutating func values(depth: Int) -> [Value]? { list { $0.value(depth: depth) } }

  private mutating func value(depth: Int) -> Value? {
    guard depth <= TokenReader.greatestDepth, let tag = bytes.popFirst().flatMap(Tag.init) else {
      return nil
    }
    switch tag {
    case .null: return .null
    case .no: return .boolean(false)
    case .yes: return .boolean(true)
    case .integer: return word().map { .integer(Int64(bitPattern: $0)) }
    case .double: return double().map(Value.double)
    case .timestamp: return word().map { .timestamp(microseconds: Int64(bitPattern: $0)) }
    case .string: return text().map(Value.string)
    case .bytes: return content().map { .bytes(Array($0)) }
    case .reference: return text().flatMap(ResourceName.init(parsing:)).map(Value.reference)
    case .geoPoint:
      guard let latitude = double(), let longitude = double() else { return nil }
      return .geoPoint(latitude: latitude, longitude: longitude)
    case .array: return values(depth: depth + 1).map(Value.array)
    case .vector: return list { $0.double() }.map(Value.vector)
    case .map:
      return list { reader in
        reader.text().flatMap { name in reader.value(depth: depth + 1).map { (name, $0) } }
      }.map { .map(Fields($0)) }
    }
  }
}
