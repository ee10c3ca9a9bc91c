/// A picture of some numbers, the words for who cannot see it, and the numbers themselves.
struct Chart {
  /// Its anchor in a page and its name as a file.
  let id: String
  let title: String
  /// What the picture shows, in words.
  let description: String
  let table: FigureTable
  private let draw: @Sendable (Double) -> Drawing

  /// The widths a chart is drawn for: a page and a phone held upright.
  static let widths: [(name: String, width: Double)] = [("wide", 720), ("narrow", 340)]

  init(
    id: String, title: String, description: String, table: FigureTable,
    draw: @escaping @Sendable (Double) -> Drawing
  ) {
    self.id = id
    self.title = title
    self.description = description
    self.table = table
    self.draw = draw
  }

  /// A figure for a page: the picture in both widths, of which the page shows one.
  var figure: String {
    var text = "<figure id=\"\(id)\">\n"
    for (name, width) in Chart.widths {
      text += "<div class=\"\(name)\">\n"
      text += draw(width).element(id: "\(id)-\(name)", title: title, description: description)
      text += "</div>\n"
    }
    text += "<figcaption>\(description.markedUp)</figcaption>\n"
    return text + "<details><summary>The numbers of this chart</summary>\n"
      + table.html(caption: title) + "</details>\n</figure>\n"
  }

  /// A file of its own, with the colours inside.
  var file: String {
    draw(Chart.widths[0].width).element(
      id: id, title: title, description: description, style: ChartStyle.standalone)
  }
}

/// Numbers in rows below a header; the first column names the row.
struct FigureTable {
  let header: [String]
  let rows: [[String]]

  /// The roles are spelled out because a narrow page shows the rows as cards, and an element that
  /// is no longer displayed as a table would lose them.
  func html(caption: String) -> String {
    var text = "<table role=\"table\">\n<caption>\(caption.markedUp)</caption>\n"
    text += "<thead role=\"rowgroup\"><tr role=\"row\">"
    text += header.map { "<th scope=\"col\" role=\"columnheader\">\($0.markedUp)</th>" }.joined()
    text += "</tr></thead>\n<tbody role=\"rowgroup\">\n"
    for row in rows {
      text += "<tr role=\"row\">"
      for (title, cell) in zip(header, row.enumerated()) {
        text +=
          cell.offset == 0
          ? "<th scope=\"row\" role=\"rowheader\">\(cell.element.markedUp)</th>"
          : "<td role=\"cell\" data-label=\"\(title.markedUp)\">\(cell.element.markedUp)</td>"
      }
      text += "</tr>\n"
    }
    return text + "</tbody>\n</table>\n"
  }
}
