/// Rows as CSV (RFC 4180) with a header.
struct CSV {
  var header: [String]
  var rows: [[String]] = []

  var text: String {
    ([header] + rows).map { $0.map(CSV.quoted).joined(separator: ",") + "\n" }.joined()
  }

  private static func quoted(_ cell: String) -> String {
    guard cell.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return cell }
    return "\"" + cell.replacing("\"", with: "\"\"") + "\""
  }
}
