import DocumentDatabase

/// Reads CSV (RFC 4180) whose first row names the columns.
///
/// A cell without quotes is an integer, a double, `true` or `false` where it is written as one in
/// JSON, absent where it is empty, and text otherwise (`007` and `+1` are text). A cell in quotes is
/// always text.
struct CSVReader {
  /// One cell and whether it stood in quotes.
  struct Cell: Hashable {
    var text: String
    var isQuoted: Bool
  }

  struct Row {
    var line: Int
    var cells: [Cell]
  }

  private static let comma = UInt8(ascii: ",")
  private static let quote = UInt8(ascii: "\"")
  private static let lineFeed = UInt8(ascii: "\n")
  private static let carriageReturn = UInt8(ascii: "\r")

  private let bytes: ArraySlice<UInt8>
  private var offset: Int
  private var line = 1

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    offset = bytes.startIndex
  }

  /// Every record with its fields, in the order of the file.
  ///
  /// - Throws: `InputError` naming the line.
  static func records(of bytes: ArraySlice<UInt8>) throws(InputError) -> [(line: Int, Fields)] {
    var reader = CSVReader(bytes)
    guard let header = try reader.row() else { throw .empty }
    let names = try columnNames(header)
    var records: [(line: Int, Fields)] = []
    while let row = try reader.row() {
      guard row.cells.count == names.count else {
        throw .csv(line: row.line, .wrongCellCount(row.cells.count, columns: names.count))
      }
      var fields = Fields()
      for (name, cell) in zip(names, row.cells) { fields[name] = value(of: cell) }
      records.append((row.line, fields))
    }
    return records
  }

  /// The next row that is not blank; nil at the end.
  private mutating func row() throws(InputError) -> Row? {
    while offset < bytes.endIndex {
      let start = line
      let cells = try cells()
      if cells != [Cell(text: "", isQuoted: false)] { return Row(line: start, cells: cells) }
    }
    return nil
  }

  private mutating func cells() throws(InputError) -> [Cell] {
    var cells: [Cell] = []
    while true {
      cells.append(try cell())
      guard offset < bytes.endIndex else { return cells }
      let separator = bytes[offset]
      offset += 1
      if separator == CSVReader.comma { continue }
      if separator == CSVReader.carriageReturn, offset < bytes.endIndex,
        bytes[offset] == CSVReader.lineFeed
      {
        offset += 1
      }
      line += 1
      return cells
    }
  }

  private mutating func cell() throws(InputError) -> Cell {
    guard offset < bytes.endIndex, bytes[offset] == CSVReader.quote else {
      let start = offset
      while offset < bytes.endIndex, !isSeparator(bytes[offset]) {
        if bytes[offset] == CSVReader.quote { throw .csv(line: line, .strayQuote) }
        offset += 1
      }
      return Cell(text: try text(Array(bytes[start..<offset])), isQuoted: false)
    }
    let start = line
    var content: [UInt8] = []
    offset += 1
    while offset < bytes.endIndex {
      let byte = bytes[offset]
      offset += 1
      if byte == CSVReader.quote {
        if offset < bytes.endIndex, bytes[offset] == CSVReader.quote {
          offset += 1
        } else {
          guard offset == bytes.endIndex || isSeparator(bytes[offset]) else {
            throw .csv(line: line, .textAfterQuote)
          }
          return Cell(text: try text(content), isQuoted: true)
        }
      }
      if byte == CSVReader.lineFeed { line += 1 }
      content.append(byte)
    }
    throw .csv(line: start, .openQuote)
  }

  private func isSeparator(_ byte: UInt8) -> Bool {
    byte == CSVReader.comma || byte == CSVReader.lineFeed || byte == CSVReader.carriageReturn
  }

  private func text(_ content: [UInt8]) throws(InputError) -> String {
    guard let text = String(validating: content, as: UTF8.self) else {
      throw .syntax(line: line, column: nil, .notUTF8)
    }
    return text
  }

  /// The first row as names; a row that looks like data is no header.
  private static func columnNames(_ row: Row) throws(InputError) -> [String] {
    guard row.cells.count > 1 else { throw .unrecognised(start: row.cells[0].text) }
    var columns: [String: Int] = [:]
    for (index, cell) in row.cells.enumerated() {
      let column = index + 1
      guard !cell.text.isEmpty else {
        throw .csv(line: row.line, .emptyColumnName(column: column))
      }
      switch value(of: Cell(text: cell.text, isQuoted: false)) {
      case .string(let text) where ISO8601.microseconds(of: text) == nil: break
      default: throw .csv(line: row.line, .noHeader(cell: cell.text))
      }
      if let first = columns.updateValue(column, forKey: cell.text) {
        throw .csv(line: row.line, .columnTwice(cell.text, first: first, second: column))
      }
    }
    return row.cells.map(\.text)
  }

  private static func value(of cell: Cell) -> Value? {
    if cell.isQuoted { return .string(cell.text) }
    guard let first = cell.text.utf8.first else { return nil }
    switch first {
    case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "t"),
      UInt8(ascii: "f"):
      if let value = try? JSONReader.value(of: Array(cell.text.utf8)[...]) { return value }
      return .string(cell.text)
    default: return .string(cell.text)
    }
  }
}

/// A rule of CSV that a row breaks.
package enum CSVProblem: Hashable, Sendable {
  case noHeader(cell: String)
  case emptyColumnName(column: Int)
  case columnTwice(String, first: Int, second: Int)
  case wrongCellCount(Int, columns: Int)
  case strayQuote
  case textAfterQuote
  case openQuote
}
