import FeedStore

/// Which indexes queries need, and which entries none needs.
struct IndexesReport {
  let review: IndexReview

  func text(on terminal: Terminal) -> String {
    var text = ""
    for row in review.rows {
      text += terminal.styled(row.query, .bold) + "\n"
      for index in row.used {
        let isMissing = row.missing.contains(index)
        text += "  " + (isMissing ? terminal.styled("missing ", .red) : "uses    ") + index + "\n"
      }
      if row.used.isEmpty { text += "  uses    none: no document can match\n" }
    }
    let missing = review.missing
    text += "\n"
    if missing.isEmpty {
      text += "Nothing is missing.\n"
    } else {
      text += "Add to firestore.indexes.json:\n" + missing.json
    }
    if !review.unused.isEmpty {
      text += "\nNo query here uses:\n" + review.unused.map { "  \($0)\n" }.joined()
    }
    return text
  }

  var csv: CSV {
    var rows = review.rows.flatMap { row in
      row.used.map { [row.query, $0, row.missing.contains($0) ? "missing" : "there"] }
    }
    rows += review.unused.map { ["", $0, "unused"] }
    return CSV(header: ["query", "index", "state"], rows: rows)
  }
}
