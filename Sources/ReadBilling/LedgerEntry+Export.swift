// The ledger as text for other programs. The same columns in JSON lines and CSV, one entry a line.

extension LedgerEntry {
  /// The names of the columns of ``csvRow``, comma-separated.
  public static var csvHeader: String {
    let columns = [
      "number", "time", "label", "page", "operation", "path", "query", "fingerprint", "returned",
      "skipped", "index_entries_scanned", "reads",
    ]
    return (columns + ReadCause.allCases.map(\.identifier)).joined(separator: ",")
  }

  /// The entry as a line of CSV (RFC 4180, without the line's end).
  ///
  /// The time is in seconds since the start of 1970. There is one column for each cause; they add up
  /// to `reads`.
  public var csvRow: String {
    let texts = [
      "\(number)", time?.seconds ?? "", label?.quotedForCSV ?? "",
      pageNumber.map { "\($0)" } ?? "", operation.name.quotedForCSV, path.quotedForCSV,
      query.quotedForCSV, fingerprint.hexadecimal, "\(returned)", "\(skipped)",
      "\(indexEntriesScanned)", "\(reads.total)",
    ]
    return (texts + ReadCause.allCases.map { "\(reads[$0])" }).joined(separator: ",")
  }

  /// The entry as one line of JSON, without the line's end.
  ///
  /// The time is in seconds since the start of 1970; what is not known is left out, and so is a cause
  /// without reads. The causes add up to `reads`.
  public var jsonLine: String {
    var members = ["\"number\":\(number)"]
    if let time { members.append("\"time\":\(time.seconds)") }
    if let label { members.append("\"label\":\(label.quotedForJSON)") }
    if let pageNumber { members.append("\"page\":\(pageNumber)") }
    members += [
      "\"operation\":\(operation.name.quotedForJSON)", "\"path\":\(path.quotedForJSON)",
      "\"query\":\(query.quotedForJSON)", "\"fingerprint\":\"\(fingerprint.hexadecimal)\"",
      "\"returned\":\(returned)", "\"skipped\":\(skipped)",
      "\"index_entries_scanned\":\(indexEntriesScanned)", "\"reads\":\(reads.total)",
    ]
    let causes = reads.byCause.map { "\"\($0.cause.identifier)\":\($0.reads)" }
    members.append("\"causes\":{\(causes.joined(separator: ","))}")
    return "{\(members.joined(separator: ","))}"
  }
}

extension ReadMeter {
  /// The entries that are still remembered as JSON lines, oldest first.
  public var jsonLines: String { entries.map { $0.jsonLine + "\n" }.joined() }

  /// The entries that are still remembered as CSV with a header, oldest first.
  public var csv: String {
    ([LedgerEntry.csvHeader] + entries.map(\.csvRow)).map { $0 + "\r\n" }.joined()
  }
}

extension ReadCause {
  /// The cause as the name of a column: `documents_returned`.
  public var identifier: String {
    String(rawValue.map { $0 == " " || $0 == "-" ? "_" : $0 })
  }
}

extension Duration {
  /// Seconds with six decimals.
  fileprivate var seconds: String {
    let (whole, attoseconds) = components
    let microseconds = Int64(attoseconds / 1_000_000_000_000)
    let isNegative = whole < 0 || microseconds < 0
    let fraction = String(microseconds.magnitude)
    return (isNegative ? "-" : "") + "\(whole.magnitude)."
      + String(repeating: "0", count: 6 - fraction.count) + fraction
  }
}

extension UInt64 {
  fileprivate var hexadecimal: String {
    let digits = String(self, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}

extension String {
  fileprivate var quotedForCSV: String {
    guard unicodeScalars.contains(where: { "\",\r\n".unicodeScalars.contains($0) }) else {
      return self
    }
    var text = "\""
    for scalar in unicodeScalars { text += scalar == "\"" ? "\"\"" : String(scalar) }
    return text + "\""
  }

  /// The text as a JSON string, quotes included.
  package var quotedForJSON: String {
    var text = "\""
    for scalar in unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case "\u{0}"..<" ":
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }
}
