/// Why an input was refused. Lines count from 1.
package enum InputError: Error, Hashable, Sendable {
  case empty
  case unrecognised(start: String)
  case syntax(line: Int, column: Int?, JSONProblem)
  case csv(line: Int, CSVProblem)
  case notAnObject(line: Int, found: String)
  case typedValue(line: Int, RESTProblem)
  case badFieldName(line: Int, name: String)
  case nestedArray(line: Int, field: String)
  case tooDeep(line: Int, field: String)
  case badID(line: Int, field: String, found: String)
  case idTwice(String, first: Int, second: Int)
  case notATimestamp(line: Int, field: String, found: String)
  case badFieldPath(String)
  /// In a query or a list of indexes.
  case member(RESTProblem)
}

/// What is wrong, where, and what to do.
extension InputError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "there is no document in it; a feed needs at least one"
    case .unrecognised(let start):
      "not recognised\(start.isEmpty ? "" : " (it starts with \"\(start.prefix(24))\")"); "
        + "understood are JSON lines, a JSON array, CSV with a header and commas, "
        + "and Firestore REST documents"
    case .syntax(let line, let column?, let problem): "line \(line), column \(column): \(problem)"
    case .syntax(let line, nil, let problem): "line \(line): \(problem)"
    case .csv(let line, let problem): "line \(line): \(problem)"
    case .notAnObject(let line, let found):
      "line \(line): a document is an object, this is \(found)"
    case .typedValue(let line, let problem):
      "line \(line): field `\(problem.path)` is not \(problem.expected)"
    case .badFieldName(let line, let name):
      "line \(line): Firestore takes no field named \"\(name)\"; "
        + "a name is 1 to 1,500 bytes and not of the form __name__"
    case .nestedArray(let line, let field):
      "line \(line): field `\(field)` holds an array in an array; Firestore allows only a map there"
    case .tooDeep(let line, let field):
      "line \(line): field `\(field)` is nested deeper than Firestore's 20 levels"
    case .badID(let line, let field, let found):
      "line \(line): field `\(field)` is the document's id and cannot be \(found); "
        + "an id is text without '/' or an integer"
    case .idTwice(let id, let first, let second):
      "lines \(first) and \(second) have the same document id \"\(id)\"; an id is unique"
    case .notATimestamp(let line, let field, let found):
      "line \(line): field `\(field)` is \(found), which is no ISO 8601 timestamp "
        + "such as 2026-01-31T09:30:00Z"
    case .badFieldPath(let path):
      "\"\(path)\" is no field path; names are joined by dots, unusual ones stand in backticks"
    case .member(let problem):
      problem.path.isEmpty
        ? "it is not \(problem.expected)" : "member `\(problem.path)` is not \(problem.expected)"
    }
  }
}

extension JSONProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .endsEarly: "the JSON ends too early"
    case .unexpected(let byte, let expected): "expected \(expected), found \(shown(byte))"
    case .textAfterValue: "there is more text after the JSON value"
    case .nameTwice(let name): "the name \"\(name)\" occurs twice in one object"
    case .leadingZero: "a JSON number has no leading zero"
    case .numberTooLarge(let text): "the number \(text) is too large for a double"
    case .controlCharacter(let byte): "\(shown(byte)) must be escaped inside a string"
    case .unknownEscape: "this escape is not one of JSON's"
    case .loneSurrogate: "this \\u escape is half of a surrogate pair"
    case .notUTF8: "this text is not UTF-8"
    case .tooDeep: "nested deeper than \(JSONReader.deepestNesting) levels"
    }
  }

  private func shown(_ byte: UInt8) -> String {
    switch byte {
    case 0x0A, 0x0D: "the end of the line"
    case 0x20..<0x7F: "'\(Unicode.Scalar(byte))'"
    default: "byte 0x\(String(byte, radix: 16, uppercase: true))"
    }
  }
}

extension CSVProblem: CustomStringConvertible {
  package var description: String {
    switch self {
    case .noHeader(let cell):
      "the first row of CSV must name the columns, and \"\(cell)\" looks like data; add a header"
    case .emptyColumnName(let column): "column \(column) of the CSV header has no name"
    case .columnTwice(let name, let first, let second):
      "columns \(first) and \(second) of the CSV header are both named \"\(name)\""
    case .wrongCellCount(let cells, let columns):
      "this row has \(cells) cell\(cells == 1 ? "" : "s"), the header has \(columns)"
    case .strayQuote: "a quote inside a cell; quote the whole cell and double the quotes in it"
    case .textAfterQuote: "text after the closing quote of a cell"
    case .openQuote: "the quote that opens a cell here is never closed"
    }
  }
}
