package import DocumentDatabase

/// Reads JSON text (RFC 8259) into values, strictly, and says at which byte it stops.
///
/// A number written without fraction and exponent is an integer where it fits into 64 bits and a
/// double otherwise. Foundation's reader is not used because it knows no byte offset for most
/// mistakes and does not tell `2` from `2.0`.
package struct JSONReader {
  /// Deeper nesting than this is refused; Firestore itself stops at 20.
  static let deepestNesting = 64

  private let bytes: ArraySlice<UInt8>
  /// Where the next byte is read: an index of the slice given at the start.
  package private(set) var offset: Int

  package init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    offset = bytes.startIndex
  }

  /// Reads the one value that the whole text consists of.
  ///
  /// - Throws: `JSONSyntaxError` at the first byte that does not fit.
  package static func value(of bytes: ArraySlice<UInt8>) throws(JSONSyntaxError) -> Value {
    var reader = JSONReader(bytes)
    let value = try reader.value()
    reader.skipSpace()
    guard reader.offset == bytes.endIndex else { throw reader.error(.textAfterValue) }
    return value
  }

  /// Reads the next value and stays right behind it.
  package mutating func value() throws(JSONSyntaxError) -> Value {
    try value(depth: 0)
  }

  /// Skips white space; the byte that follows, nil at the end.
  @discardableResult
  package mutating func skipSpace() -> UInt8? {
    while offset < bytes.endIndex {
      switch bytes[offset] {
      case 0x20, 0x09, 0x0A, 0x0D: offset += 1
      default: return bytes[offset]
      }
    }
    return nil
  }

  /// Takes `byte` if it comes next after white space.
  package mutating func take(_ byte: Unicode.Scalar) -> Bool {
    guard skipSpace() == UInt8(ascii: byte) else { return false }
    offset += 1
    return true
  }

  /// - Throws: `JSONSyntaxError` where anything but `byte` comes next.
  package mutating func expect(_ byte: Unicode.Scalar) throws(JSONSyntaxError) {
    guard take(byte) else { throw unexpected("'\(byte)'") }
  }

  private mutating func value(depth: Int) throws(JSONSyntaxError) -> Value {
    guard depth < JSONReader.deepestNesting else { throw error(.tooDeep) }
    guard let first = skipSpace() else { throw error(.endsEarly) }
    switch first {
    case UInt8(ascii: "{"): return .map(try object(depth: depth))
    case UInt8(ascii: "["): return .array(try array(depth: depth))
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "t"): return try word("true", .boolean(true))
    case UInt8(ascii: "f"): return try word("false", .boolean(false))
    case UInt8(ascii: "n"): return try word("null", .null)
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"): return try number()
    default: throw unexpected("a value")
    }
  }

  private mutating func object(depth: Int) throws(JSONSyntaxError) -> Fields {
    var fields = Fields()
    try expect("{")
    if take("}") { return fields }
    repeat {
      guard skipSpace() == UInt8(ascii: "\"") else { throw unexpected("a name in quotes") }
      let start = offset
      let name = try string()
      guard fields[name] == nil else {
        throw JSONSyntaxError(offset: start, problem: .nameTwice(name))
      }
      try expect(":")
      fields[name] = try value(depth: depth + 1)
    } while take(",")
    guard take("}") else { throw unexpected("',' or '}'") }
    return fields
  }

  private mutating func array(depth: Int) throws(JSONSyntaxError) -> [Value] {
    var values: [Value] = []
    try expect("[")
    if take("]") { return values }
    repeat { values.append(try value(depth: depth + 1)) } while take(",")
    guard take("]") else { throw unexpected("',' or ']'") }
    return values
  }

  private mutating func word(_ word: String, _ value: Value) throws(JSONSyntaxError) -> Value {
    guard bytes[offset...].starts(with: word.utf8) else { throw unexpected("a value") }
    offset += word.utf8.count
    return value
  }

  // MARK: Numbers

  private mutating func number() throws(JSONSyntaxError) -> Value {
    let start = offset
    if bytes[offset] == UInt8(ascii: "-") { offset += 1 }
    let leadingZero = next == UInt8(ascii: "0")
    let digits = try digits()
    if leadingZero && digits > 1 {
      throw JSONSyntaxError(offset: start, problem: .leadingZero)
    }
    var isInteger = true
    if next == UInt8(ascii: ".") {
      isInteger = false
      offset += 1
      _ = try self.digits()
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      isInteger = false
      offset += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { offset += 1 }
      _ = try self.digits()
    }
    let text = String(decoding: bytes[start..<offset], as: UTF8.self)
    if isInteger, let integer = Int64(text) { return .integer(integer) }
    guard let double = Double(text), double.isFinite else {
      throw JSONSyntaxError(offset: start, problem: .numberTooLarge(text))
    }
    return .double(double)
  }

  /// Skips at least one digit; how many.
  private mutating func digits() throws(JSONSyntaxError) -> Int {
    let start = offset
    while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { offset += 1 }
    guard offset > start else { throw unexpected("a digit") }
    return offset - start
  }

  // MARK: Strings

  private mutating func string() throws(JSONSyntaxError) -> String {
    offset += 1
    let start = offset
    var decoded: [UInt8]?
    var pending = start
    while let byte = next {
      switch byte {
      case UInt8(ascii: "\""):
        let plain = bytes[pending..<offset]
        let text = String(validating: decoded.map { $0 + plain } ?? Array(plain), as: UTF8.self)
        guard let text else { throw JSONSyntaxError(offset: start, problem: .notUTF8) }
        offset += 1
        return text
      case UInt8(ascii: "\\"):
        decoded = (decoded ?? []) + bytes[pending..<offset]
        decoded?.append(contentsOf: try escape().utf8)
        pending = offset
      case 0..<0x20: throw error(.controlCharacter(byte))
      default: offset += 1
      }
    }
    throw error(.endsEarly)
  }

  private mutating func escape() throws(JSONSyntaxError) -> String {
    let start = offset
    offset += 1
    guard let letter = next else { throw error(.endsEarly) }
    offset += 1
    switch letter {
    case UInt8(ascii: "\""): return "\""
    case UInt8(ascii: "\\"): return "\\"
    case UInt8(ascii: "/"): return "/"
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"): break
    default: throw JSONSyntaxError(offset: start, problem: .unknownEscape)
    }
    var units = [try codeUnit()]
    if UTF16.isLeadSurrogate(units[0]), bytes[offset...].starts(with: "\\u".utf8) {
      offset += 2
      units.append(try codeUnit())
    }
    guard let text = String(validating: units, as: UTF16.self) else {
      throw JSONSyntaxError(offset: start, problem: .loneSurrogate)
    }
    return text
  }

  private mutating func codeUnit() throws(JSONSyntaxError) -> UInt16 {
    let digits = bytes[offset...].prefix(4)
    guard digits.count == 4 else { throw error(.endsEarly) }
    guard digits.allSatisfy({ Unicode.Scalar($0).properties.isASCIIHexDigit }),
      let unit = UInt16(String(decoding: digits, as: UTF8.self), radix: 16)
    else { throw unexpected("four hexadecimal digits") }
    offset += 4
    return unit
  }

  // MARK: Mistakes

  private var next: UInt8? { offset < bytes.endIndex ? bytes[offset] : nil }

  private func error(_ problem: JSONProblem) -> JSONSyntaxError {
    JSONSyntaxError(offset: offset, problem: problem)
  }

  private func unexpected(_ expected: String) -> JSONSyntaxError {
    guard let byte = next else { return error(.endsEarly) }
    return error(.unexpected(byte, expected: expected))
  }
}

/// Where JSON text breaks its rules, and which one.
package struct JSONSyntaxError: Error, Hashable, Sendable {
  /// The index of the byte in the slice that was read.
  package let offset: Int
  package let problem: JSONProblem
}

/// A rule of JSON that a text breaks.
package enum JSONProblem: Hashable, Sendable {
  case endsEarly
  case unexpected(UInt8, expected: String)
  case textAfterValue
  case nameTwice(String)
  case leadingZero
  case numberTooLarge(String)
  case controlCharacter(UInt8)
  case unknownEscape
  case loneSurrogate
  case notUTF8
  case tooDeep
}
