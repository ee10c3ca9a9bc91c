package import Foundation

/// A JSON value to be written: objects keep the order of their names, numbers their exact digits.
package indirect enum JSONText: Sendable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// A number written as these digits.
  case number(String)
  case text(String)
  case array([JSONText])
  case object([(String, JSONText)])

  /// Exact: the decimal digits of `decimal`.
  package static func decimal(_ decimal: Decimal) -> JSONText { .number(decimal.description) }

  /// On one line.
  package var compact: String {
    var text = ""
    write(to: &text, indent: nil)
    return text
  }

  /// Over several lines, each member on its own.
  package var pretty: String {
    var text = ""
    write(to: &text, indent: 0)
    return text
  }

  private func write(to text: inout String, indent: Int?) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let digits): text += digits
    case .text(let value): JSONText.quote(value, to: &text)
    case .array(let elements):
      JSONText.list(elements.map { (nil, $0) }, "[", "]", to: &text, indent: indent)
    case .object(let members):
      JSONText.list(members.map { ($0, $1) }, "{", "}", to: &text, indent: indent)
    }
  }

  private static func list(
    _ members: [(String?, JSONText)], _ open: String, _ close: String, to text: inout String,
    indent: Int?
  ) {
    let lineBreak = indent.map { "\n" + String(repeating: " ", count: 2 * ($0 + 1)) }
    text += open
    for (index, member) in members.enumerated() {
      if index > 0 { text += "," }
      if let lineBreak { text += lineBreak }
      if let name = member.0 {
        quote(name, to: &text)
        text += indent == nil ? ":" : ": "
      }
      member.1.write(to: &text, indent: indent.map { $0 + 1 })
    }
    if let indent, !members.isEmpty { text += "\n" + String(repeating: " ", count: 2 * indent) }
    text += close
  }

  private static func quote(_ value: String, to text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
