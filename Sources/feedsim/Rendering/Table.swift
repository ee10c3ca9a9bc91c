/// Text in columns, as wide as its content.
struct Table {
  enum Alignment { case left, right }

  struct Column {
    /// One or two lines, set at the bottom of the header.
    var title: [String]
    var alignment: Alignment = .right
  }

  struct Cell {
    var text: String
    var style: Terminal.Style = .plain

    init(_ text: String, _ style: Terminal.Style = .plain) {
      self.text = text
      self.style = style
    }
  }

  var columns: [Column]
  var rows: [[Cell]] = []

  /// The header, a line, the rows; every line closed.
  func text(on terminal: Terminal) -> String {
    let widths = columns.indices.map { index in
      max(
        columns[index].title.map(\.count).max() ?? 0,
        rows.map { $0[index].text.count }.max() ?? 0)
    }
    let height = columns.map(\.title.count).max() ?? 0
    var text = ""
    for line in 0..<height {
      let cells = columns.map { column -> Cell in
        let index = line - (height - column.title.count)
        return Cell(index >= 0 ? column.title[index] : "", .bold)
      }
      text += self.line(cells, widths, terminal)
    }
    let total = widths.reduce(0, +) + 2 * (widths.count - 1)
    text += terminal.styled(String(repeating: "─", count: total), .dim) + "\n"
    for row in rows { text += line(row, widths, terminal) }
    return text
  }

  private func line(_ cells: [Cell], _ widths: [Int], _ terminal: Terminal) -> String {
    var line = ""
    var pending = ""
    for (index, cell) in cells.enumerated() {
      if index > 0 { pending += "  " }
      let padding = String(repeating: " ", count: widths[index] - cell.text.count)
      if columns[index].alignment == .right { pending += padding }
      if !cell.text.isEmpty {
        line += pending + terminal.styled(cell.text, cell.style)
        pending = ""
      }
      if columns[index].alignment == .left { pending += padding }
    }
    return line + "\n"
  }
}

extension String {
  /// Broken between words into lines of at most `width` characters, further lines indented.
  func wrapped(to width: Int = 100, indent: Int = 0) -> String {
    var lines: [String] = []
    var line = String(prefix { $0 == " " })
    for word in split(separator: " ", omittingEmptySubsequences: true) {
      let isStart = line.allSatisfy { $0 == " " }
      if !isStart, line.count + 1 + word.count > width {
        lines.append(line)
        line = String(repeating: " ", count: indent) + word
      } else {
        line += isStart ? String(word) : " " + word
      }
    }
    lines.append(line)
    return lines.joined(separator: "\n")
  }

  /// At most `width` characters; the middle of a longer text becomes an ellipsis.
  func shortened(to width: Int) -> String {
    guard count > width, width > 2 else { return self }
    let tail = (width - 1) / 2
    return prefix(width - 1 - tail) + "…" + suffix(tail)
  }
}
