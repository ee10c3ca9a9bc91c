import FeedSimulation
import FeedStore
import Foundation

/// What is seen of a reader who is led by hand: the feed on the left, the bill on the right.
struct WatchScreen {
  let reader: WatchedReader
  let price: ReadPrice
  let terminal: Terminal

  /// One line of a frame: its text, and how it is shown.
  struct Line: Equatable {
    var text: String
    var style = Terminal.Style.plain

    init(_ text: String, _ style: Terminal.Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  static let keys =
    "↓ j scroll   ↑ k back   space page   g top   r refresh   i insert   d delete   s strategy   q quit"

  private static let fewKeys = "j k scroll  space  g r i d  s switch  q quit"

  /// The frame for a window: `height` lines of at most `width` characters.
  func frame(width: Int, height: Int) -> [String] {
    let body = max(1, height - 2)
    let title = Line(
      "feedsim watch: \(reader.feed.name), \(reader.strategy.rawValue) (\(reader.strategy.summary))",
      .bold)
    var lines = [styled(title, width)]
    if width >= 72 {
      let right = min(44, width / 2)
      let left = width - right - 3
      let (rows, bill) = (feedLines(body), billLines(body))
      for index in 0..<body {
        lines.append(
          styled(rows[index], left) + terminal.styled(" │ ", .dim) + styled(bill[index], right))
      }
    } else {
      let billHeight = min(7, body / 2)
      lines += feedLines(body - billHeight).map { styled($0, width) }
      lines += billLines(billHeight).map { styled($0, width) }
    }
    let keys = width < WatchScreen.keys.count ? WatchScreen.fewKeys : WatchScreen.keys
    return Array((lines + [styled(Line(keys, .dim), width)]).prefix(height))
  }

  /// Exactly `width` characters.
  private func styled(_ line: Line, _ width: Int) -> String {
    let text = line.text.printable.cut(to: width)
    return terminal.styled(
      text + String(repeating: " ", count: max(0, width - text.count)), line.style)
  }

  /// The rows around the one the reader looks at, and what follows below.
  private func feedLines(_ height: Int) -> [Line] {
    let rows = reader.rows
    let digits = max(2, String(reader.rowsInFeed).count)
    let first = max(0, min(reader.position - height / 2, rows.count + 1 - height))
    var lines: [Line] = []
    for index in first..<max(first, min(first + height, rows.count)) {
      let number = String(index + 1)
      let margin = String(repeating: " ", count: max(0, digits - number.count))
      let isEye = index == reader.position
      let order = rows[index].order.isEmpty ? "" : "\(rows[index].order)  "
      lines.append(
        Line(
          "\(isEye ? "▸" : " ") \(margin)\(number)  \(order)\(rows[index].isNew ? "new: " : "")\(rows[index].title)",
          isEye ? .bold : .plain))
    }
    if lines.count < height {
      lines.append(
        Line(reader.canLoadMore ? "  … more when you scroll" : "  the end of the feed", .dim))
    }
    return WatchScreen.filled(lines, height)
  }

  private func billLines(_ height: Int) -> [Line] {
    var lines = [
      WatchScreen.pair("reads", reader.reads.total.grouped, .bold),
      WatchScreen.pair(
        "a million such readers",
        "$\(price.dollars(reads: reader.reads.total, times: 1_000_000).grouped(places: 2))"),
      WatchScreen.pair(
        "rows on screen", "\(reader.rows.count.grouped) of \(reader.rowsInFeed.grouped)"),
    ]
    if reader.rowsRepeated > 0 {
      lines.append(WatchScreen.pair("rows sent again", reader.rowsRepeated.grouped, .red))
    }
    if let error = reader.error { lines.append(Line(error, .red)) }
    lines.append(Line(""))
    for (cause, reads) in reader.reads.byCause {
      lines.append(WatchScreen.pair("  \(cause.rawValue)", reads.grouped))
    }
    lines += [Line(""), Line("the last steps", .dim)]
    let strategies = PagingStrategy.allCases.filter { reader.bills[$0] != nil }
    let footer: [Line] =
      strategies.count < 2
      ? []
      : [Line(""), Line("by strategy", .dim)]
        + strategies.map {
          WatchScreen.pair("  \($0.rawValue)", (reader.bills[$0]?.total ?? 0).grouped)
        }
    let room = max(1, height - lines.count - footer.count)
    lines += reader.steps.suffix(room).map { Line("  " + WatchScreen.words($0)) }
    return WatchScreen.filled(lines + footer, height)
  }

  /// `scroll: 15 reads, 15 skipped`.
  static func words(_ step: WatchedReader.Step) -> String {
    let name = step.command?.name ?? "open"
    guard !step.requests.isEmpty else { return "\(name): no read" }
    return "\(name): +\(step.reads.total.grouped) (\(ScrollReport.causes(step.reads)))"
  }

  private static func pair(_ name: String, _ value: String, _ style: Terminal.Style = .plain)
    -> Line
  {
    Line(name + String(repeating: " ", count: max(1, 40 - name.count - value.count)) + value, style)
  }

  private static func filled(_ lines: [Line], _ height: Int) -> [Line] {
    Array((lines + Array(repeating: Line(""), count: max(0, height - lines.count))).prefix(height))
  }
}

extension WatchedReader.Command {
  var name: String {
    switch self {
    case .down, .up: "scroll"
    case .pageDown: "page"
    case .top: "top"
    case .refresh: "refresh"
    case .insert: "insert"
    case .delete: "delete"
    case .nextStrategy: "switch"
    }
  }

  /// The command of a key; nil for a key without one.
  init?(key: Character) {
    switch key {
    case "j": self = .down
    case "k": self = .up
    case " ": self = .pageDown
    case "g": self = .top
    case "r": self = .refresh
    case "i": self = .insert
    case "d": self = .delete
    case "s": self = .nextStrategy
    default: return nil
    }
  }
}

extension String {
  /// Without what would move a terminal's cursor.
  fileprivate var printable: String {
    String(
      map { $0.unicodeScalars.contains { $0.properties.generalCategory == .control } ? " " : $0 })
  }

  /// At most `width` characters, the last of a longer text an ellipsis.
  fileprivate func cut(to width: Int) -> String {
    count > width ? String(prefix(max(0, width - 1))) + (width > 0 ? "…" : "") : self
  }
}
