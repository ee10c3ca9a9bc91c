/// A position in a feed as text that can be stored, sent and read again in another process.
///
/// The text is opaque: whoever made it reads it. It is safe in a URL, and carries a version, so that
/// an old token is recognised rather than misread.
public struct PageToken: Hashable, Sendable {
  /// The layout of ``payload``.
  package var version: UInt8
  /// The position, in the layout of ``version``.
  package var payload: [UInt8]

  package init(version: UInt8, payload: [UInt8]) {
    self.version = version
    self.payload = payload
  }
}

extension PageToken: LosslessStringConvertible {
  /// The token's text: version and payload in base 64 with the alphabet for URLs, unpadded.
  public var description: String {
    Base64URL.text(of: [version] + payload)
  }

  /// The token that a text stands for; nil if no token has this text.
  public init?(_ description: String) {
    guard let bytes = Base64URL.bytes(of: description), let version = bytes.first else {
      return nil
    }
    self.init(version: version, payload: Array(bytes.dropFirst()))
  }
}

extension PageToken: Codable {
  /// Reads a token from its text.
  ///
  /// - Parameter decoder: the decoder, which must hold a single string.
  /// - Throws: `DecodingError.dataCorrupted` if the string is no token's text.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    guard let token = PageToken(try container.decode(String.self)) else {
      throw DecodingError.dataCorruptedError(
        in: container, debugDescription: "the text is not a page token; it was cut or altered")
    }
    self = token
  }

  /// Writes the token as its text.
  ///
  /// - Parameter encoder: the encoder, which gets a single string.
  /// - Throws: what the encoder throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(description)
  }
}

/// Base 64 with the alphabet for URLs and without padding (RFC 4648, section 5); here because this
/// module does without Foundation.
private enum Base64URL {
  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

  static func text(of bytes: [UInt8]) -> String {
    var digits: [UInt8] = []
    var pending = 0
    var bits = 0
    for byte in bytes {
      pending = pending << 8 | Int(byte)
      bits += 8
      while bits >= 6 {
        bits -= 6
        digits.append(alphabet[pending >> bits & 63])
      }
      pending &= 63
    }
    if bits > 0 { digits.append(alphabet[pending << (6 - bits) & 63]) }
    return String(decoding: digits, as: UTF8.self)
  }

  /// The bytes of a text that ``text(of:)`` made; nil for any other text, so that two different
  /// texts never mean the same token.
  static func bytes(of text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    var pending = 0
    var bits = 0
    for digit in text.utf8 {
      guard let value = alphabet.firstIndex(of: digit) else { return nil }
      pending = pending << 6 | value
      bits += 6
      guard bits >= 8 else { continue }
      bits -= 8
      bytes.append(UInt8(truncatingIfNeeded: pending >> bits))
      pending &= 1 << bits - 1
    }
    return bits < 6 && pending == 0 ? bytes : nil
  }
}
