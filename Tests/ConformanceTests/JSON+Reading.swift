/// A vector that the runner does not understand: that counts as failed.
struct NotUnderstood: Error, CustomStringConvertible {
  var what: String
  var description: String { "not understood: \(what)" }

  init(_ what: String) { self.what = what }
}

extension JSON {
  func required(_ name: String) throws -> JSON {
    guard let value = self[name] else { throw NotUnderstood("no \(name) in \(brief)") }
    return value
  }

  func text() throws -> String {
    guard case .string(let text) = self else { throw NotUnderstood("\(brief) is no string") }
    return text
  }

  func elements() throws -> [JSON] {
    guard case .array(let elements) = self else { throw NotUnderstood("\(brief) is no array") }
    return elements
  }

  func members() throws -> [(name: String, value: JSON)] {
    guard case .object(let members) = self else { throw NotUnderstood("\(brief) is no object") }
    return members
  }

  func integer() throws -> Int {
    switch self {
    case .number(let text), .string(let text):
      guard let integer = Int(text) else { break }
      return integer
    default: break
    }
    throw NotUnderstood("\(brief) is no integer")
  }

  func double() throws -> Double {
    switch self {
    case .string("NaN"): return .nan
    case .string("Infinity"): return .infinity
    case .string("-Infinity"): return -.infinity
    case .number(let text):
      guard let double = Double(text) else { break }
      return double
    default: break
    }
    throw NotUnderstood("\(brief) is no number")
  }

  func boolean() throws -> Bool {
    guard case .boolean(let boolean) = self else { throw NotUnderstood("\(brief) is no boolean") }
    return boolean
  }

  /// Refuses members beyond `known`: an option nobody reads must not pass for one that holds.
  func onlyMembers(_ known: Set<String>) throws {
    for (name, _) in try members() where !known.contains(name) {
      throw NotUnderstood("member \(name)")
    }
  }

  /// The only member of an object that stands for one choice of several.
  func choice() throws -> (name: String, value: JSON) {
    let members = try members()
    guard members.count == 1, let member = members.first else {
      throw NotUnderstood("\(brief) has not exactly one member")
    }
    return member
  }

  private var brief: String { String("\(self)".prefix(120)) }
}

extension JSON {
  /// The value as JSON text again.
  var written: String {
    switch self {
    case .null: return "null"
    case .boolean(let value): return "\(value)"
    case .number(let digits): return digits
    case .string(let text): return JSON.quoted(text)
    case .array(let elements): return "[" + elements.map(\.written).joined(separator: ",") + "]"
    case .object(let members):
      let text = members.map { "\(JSON.quoted($0.name)):\($0.value.written)" }
      return "{" + text.joined(separator: ",") + "}"
    }
  }

  private static func quoted(_ text: String) -> String {
    let escaped = text.unicodeScalars.map { scalar in
      switch scalar {
      case "\"", "\\": "\\\(scalar)"
      case "\0"..<" ": "\\u" + String(scalar.value + 0x10000, radix: 16).suffix(4)
      default: "\(scalar)"
      }
    }
    return "\"" + escaped.joined() + "\""
  }
}
