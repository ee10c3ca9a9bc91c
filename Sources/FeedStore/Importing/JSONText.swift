import Foundation
import ReadBilling

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

  /// On one line, without spaces.
  package var compact: String {
    var text = ""
    write(to: &text, .compact)
    return text
  }

  /// Over several lines; what holds only plain values and is short stays on one.
  package var pretty: String {
    var text = ""
    write(to: &text, .indented(0))
    return text
  }

  private enum Layout {
    case compact
    case oneLine
    case indented(Int)

    var deeper: Layout {
      if case .indented(let depth) = self { .indented(depth + 1) } else { self }
    }

    /// What goes before a member after the first, and before the first and the close.
    var lineBreak: String {
      guard case .indented(let depth) = self else { return "" }
      return "\n" + String(repeating: "  ", count: depth)
    }
  }

  private func write(to text: inout String, _ layout: Layout) {
    switch self {
    case .null: text += "null"
    case .boolean(let value): text += value ? "true" : "false"
    case .integer(let value): text += String(value)
    case .number(let digits): text += digits
    case .text(let value): text += value.quotedForJSON
    case .array(let elements): JSONText.list(elements.map { (nil, $0) }, "[", "]", &text, layout)
    case .object(let members): JSONText.list(members.map { ($0, $1) }, "{", "}", &text, layout)
    }
  }

  private static func list(
    _ members: [(String?, JSONText)], _ open: String, _ close: String, _ text: inout String,
    _ wanted: Layout
  ) {
    let layout = layout(of: members, wanted)
    text += open
    for (index, member) in members.enumerated() {
      if index > 0 { text += "," }
      text += layout.deeper.lineBreak
      if case .oneLine = layout, index > 0 { text += " " }
      if let name = member.0 {
        text += name.quotedForJSON
        text += ":"
        if case .compact = layout {} else { text += " " }
      }
      member.1.write(to: &text, layout.deeper)
    }
    if !members.isEmpty { text += layout.lineBreak }
    text += close
  }

  private static func layout(of members: [(String?, JSONText)], _ wanted: Layout) -> Layout {
    guard case .indented = wanted else { return wanted }
    var length = 0
    for (name, value) in members {
      guard let plain = value.plainLength else { return wanted }
      length += plain + 2 + (name.map { $0.count + 4 } ?? 0)
    }
    return length < 90 ? .oneLine : wanted
  }

  /// The length of a plain value's text; nil for an array or an object.
  private var plainLength: Int? {
    switch self {
    case .array, .object: nil
    default: compact.count
    }
  }
}
