/// A JSON text as it stands: numbers unread, members in order and under byte-exact names. (Foundation
/// merges names that are canonically equivalent, which are different ids to Firestore.)
enum JSON: Sendable {
  case null
  case boolean(Bool)
  case number(String)
  case string(String)
  case array([JSON])
  case object([(name: String, value: JSON)])

  init(parsing text: [UInt8]) throws(JSONError) {
    var parser = Parser(bytes: text)
    self = try parser.value()
    try parser.expectEnd()
  }

  /// The member `name`; nil where there is none or this is no object.
  subscript(name: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }
}

enum JSONError: Error {
  case unexpected(offset: Int)
  case invalidText(offset: Int)
}

private struct Parser {
  let bytes: [UInt8]
  var offset = 0

  mutating func value() throws(JSONError) -> JSON {
    skipSpace()
    switch peek {
    case UInt8(ascii: "{"): return try object()
    case UInt8(ascii: "["): return try array()
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  mutating func expectEnd() throws(JSONError) {
    skipSpace()
    guard offset == bytes.count else { throw .unexpected(offset: offset) }
  }

  private var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

  private mutating func skipSpace() {
    while let byte = peek, [0x20, 0x09, 0x0a, 0x0d].contains(byte) { offset += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard peek == byte else { return false }
    offset += 1
    return true
  }

  private mutating func expect(_ byte: UInt8) throws(JSONError) {
    guard take(byte) else { throw .unexpected(offset: offset) }
  }

  private mutating func word(_ word: String, _ meaning: JSON) throws(JSONError) -> JSON {
    guard bytes[offset...].starts(with: word.utf8) else { throw .unexpected(offset: offset) }
    offset += word.utf8.count
    return meaning
  }

  private mutating func object() throws(JSONError) -> JSON {
    try expect(UInt8(ascii: "{"))
    var members: [(name: String, value: JSON)] = []
    if take(UInt8(ascii: "}")) { return .object(members) }
    repeat {
      skipSpace()
      let name = try string()
      try expect(UInt8(ascii: ":"))
      members.append((name, try value()))
    } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "}"))
    return .object(members)
  }

  private mutating func array() throws(JSONError) -> JSON {
    try expect(UInt8(ascii: "["))
    var elements: [JSON] = []
    if take(UInt8(ascii: "]")) { return .array(elements) }
    repeat { elements.append(try value()) } while take(UInt8(ascii: ","))
    try expect(UInt8(ascii: "]"))
    return .array(elements)
  }

  private mutating func number() throws(JSONError) -> JSON {
    let digits = bytes[offset...].prefix { "+-.eE0123456789".utf8.contains($0) }
    let text = String(decoding: digits, as: UTF8.self)
    guard Double(text) != nil else { throw .unexpected(offset: offset) }
    offset += digits.count
    return .number(text)
  }

  private mutating func string() throws(JSONError) -> String {
    guard peek == UInt8(ascii: "\"") else { throw .unexpected(offset: offset) }
    offset += 1
    var units: [UInt8] = []
    while let byte = peek, byte != UInt8(ascii: "\"") {
      offset += 1
      if byte == UInt8(ascii: "\\") { try escape(into: &units) } else { units.append(byte) }
    }
    guard peek != nil, let text = String(validating: units, as: UTF8.self) else {
      throw .invalidText(offset: offset)
    }
    offset += 1
    return text
  }

  private mutating func escape(into units: inout [UInt8]) throws(JSONError) {
    guard let byte = peek else { throw .unexpected(offset: offset) }
    offset += 1
    switch byte {
    case UInt8(ascii: "b"): units.append(0x08)
    case UInt8(ascii: "f"): units.append(0x0c)
    case UInt8(ascii: "n"): units.append(0x0a)
    case UInt8(ascii: "r"): units.append(0x0d)
    case UInt8(ascii: "t"): units.append(0x09)
    case UInt8(ascii: "u"):
      var scalar = try codeUnit()
      if 0xd800..<0xdc00 ~= scalar, bytes[offset...].starts(with: "\\u".utf8) {
        offset += 2
        scalar = 0x10000 + (scalar - 0xd800) << 10 + (try codeUnit() - 0xdc00)
      }
      guard let character = Unicode.Scalar(scalar) else { throw .invalidText(offset: offset) }
      units += Array(String(Character(character)).utf8)
    default: units.append(byte)
    }
  }

  private mutating func codeUnit() throws(JSONError) -> UInt32 {
    let digits = bytes[offset...].prefix(4)
    guard digits.count == 4, let unit = UInt32(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw .unexpected(offset: offset) }
    offset += 4
    return unit
  }
}
