import FeedStore

/// The rows that a query returned, or the values it computed.
struct RowsReport {
  private typealias Row = [(name: String, value: JSONText)]

  private let rows: [Row]
  private let reads: BilledReads
  private let missing: FirestoreIndexes
  private let isAggregation: Bool

  /// More columns than this do not fit a terminal.
  private static let mostColumns = 8
  private static let widestCell = 32

  init(_ snapshot: QuerySnapshot) {
    rows = snapshot.documents.map { [("__name__", .text($0.documentID))] + $0.jsonFields }
    reads = snapshot.billedReads
    missing = snapshot.missingIndexes
    isAggregation = false
  }

  init(_ snapshot: AggregateQuerySnapshot) {
    rows = [snapshot.jsonValues]
    reads = snapshot.billedReads
    missing = snapshot.missingIndexes
    isAggregation = true
  }

  /// The names of all fields, in the order in which the rows bring them.
  private var columns: [String] {
    var columns: [String] = []
    var seen: Set<String> = []
    for row in rows {
      for cell in row where seen.insert(cell.name).inserted { columns.append(cell.name) }
    }
    return columns
  }

  func table(on terminal: Terminal, notes: Bool) -> String {
    let shown = columns.prefix(RowsReport.mostColumns)
    var text = ""
    if !rows.isEmpty {
      var table = Table(
        columns: shown.map { Table.Column(title: [$0], alignment: alignment(of: $0)) })
      table.rows = rows.map { row in
        shown.map { name in
          Table.Cell((row.cell(name)?.plain ?? "").shortened(to: RowsReport.widestCell))
        }
      }
      text = table.text(on: terminal) + "\n"
    }
    let count = rows.count
    let found = isAggregation ? "" : "\(count.grouped) row\(count == 1 ? "" : "s"), "
    text += "\(found)\(reads)\n"
    guard notes else { return text }
    var lines: [String] = []
    let hidden = columns.count - shown.count
    if hidden > 0 {
      lines.append(
        "\(hidden.grouped) more field\(hidden == 1 ? "" : "s"); --format json shows "
          + "\(hidden == 1 ? "it" : "them"), --select FIELD picks.")
    }
    if !missing.isEmpty {
      lines.append("Production needs an index for this query that is not automatic:")
    }
    text += lines.map { "\n" + terminal.styled($0.wrapped(), .dim) + "\n" }.joined()
    return missing.isEmpty ? text : text + missing.json
  }

  private func alignment(of name: String) -> Table.Alignment {
    rows.contains { row in
      switch row.cell(name) {
      case .number?, .integer?, nil: false
      default: true
      }
    } ? .left : .right
  }

  var json: JSONText {
    .object([
      ("rows", .array(rows.map { .object($0.map { ($0.name, $0.value) }) })),
      ("readsBilled", .integer(reads.total)), ("readsByCause", FeedText.json(reads)),
      ("missingIndexes", missing.jsonText),
    ])
  }

  var csv: CSV {
    let columns = columns
    return CSV(
      header: columns, rows: rows.map { row in columns.map { row.cell($0)?.plain ?? "" } })
  }
}

extension [(name: String, value: JSONText)] {
  fileprivate func cell(_ name: String) -> JSONText? {
    first { $0.name.utf8.elementsEqual(name.utf8) }?.value
  }
}

extension JSONText {
  /// Texts as they are, all else as JSON.
  fileprivate var plain: String {
    switch self {
    case .text(let text): String(text.map { $0.isNewline ? " " : $0 })
    case .null: "null"
    default: compact
    }
  }
}
