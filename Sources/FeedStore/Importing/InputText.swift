import DocumentDatabase

/// The bytes of an input and the lines and columns of its offsets.
struct InputText {
  let bytes: ArraySlice<UInt8>

  /// Leaves out a byte order mark.
  init(_ bytes: [UInt8]) {
    let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
    self.bytes = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
  }

  /// The lines that are not blank, with their numbers from 1.
  var lines: [(number: Int, bytes: ArraySlice<UInt8>)] {
    var lines: [(number: Int, bytes: ArraySlice<UInt8>)] = []
    var number = 0
    var start = bytes.startIndex
    while start < bytes.endIndex {
      let end = bytes[start...].firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
      number += 1
      let line = bytes[start..<end]
      if line.contains(where: { $0 > 0x20 }) { lines.append((number, line)) }
      start = end + 1
    }
    return lines
  }

  /// The number of the line that holds the byte at `offset`.
  func line(at offset: Int) -> Int {
    bytes[..<offset].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
  }

  /// What is wrong, with the line and the column (in characters) where it is.
  func error(_ error: JSONSyntaxError) -> InputError {
    let before = bytes[..<error.offset]
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? before.startIndex
    let column = String(decoding: before[start...], as: UTF8.self).count + 1
    return .syntax(line: line(at: error.offset), column: column, error.problem)
  }
}

/// One record of an input before it becomes a document.
struct InputRecord {
  var line: Int
  var value: Value
}

/// How an input is written. Recognised by its content, never by a file name.
package enum InputFormat: String, Sendable {
  case jsonLines = "JSON lines"
  case jsonArray = "JSON array"
  case csv = "CSV"
  case restDocuments = "Firestore REST documents"
}

extension InputText {
  /// Recognises the format by the first characters and reads every record.
  ///
  /// - Throws: `InputError` at the first mistake; nothing is skipped.
  func records() throws(InputError) -> (format: InputFormat, records: [InputRecord]) {
    let lines = lines
    guard let first = lines.first else { throw .empty }
    switch first.bytes.first(where: { $0 > 0x20 }) {
    case UInt8(ascii: "["):
      let elements = try elements(documentsOfObject: false)
      return (.jsonArray, elements)
    case UInt8(ascii: "{"):
      if let list = try wholeObject(lines) { return list }
      return (.jsonLines, try jsonLines(lines))
    default:
      guard !bytes.contains(0) else { throw .unrecognised(start: "") }
      let records = try CSVReader.records(of: bytes)
      return (.csv, records.map { InputRecord(line: $0.line, value: .map($0.1)) })
    }
  }

  private func jsonLines(
    _ lines: [(number: Int, bytes: ArraySlice<UInt8>)]
  ) throws(InputError) -> [InputRecord] {
    var records: [InputRecord] = []
    records.reserveCapacity(lines.count)
    for line in lines {
      do throws(JSONSyntaxError) {
        let value = try JSONReader.value(of: line.bytes)
        records.append(InputRecord(line: line.number, value: value))
      } catch { throw self.error(error) }
    }
    return records
  }

  /// The documents of an input that is one object: a REST list, or one document printed over
  /// several lines. Nil where the input is JSON lines.
  private func wholeObject(
    _ lines: [(number: Int, bytes: ArraySlice<UInt8>)]
  ) throws(InputError) -> (format: InputFormat, records: [InputRecord])? {
    let value: Value
    do throws(JSONSyntaxError) {
      value = try JSONReader.value(of: bytes)
    } catch {
      if isBrokenObject(lines) { throw self.error(error) }
      return nil
    }
    guard case .map(let object) = value else { return nil }
    let listNames: Set = ["documents", "nextPageToken"]
    if !object.isEmpty, object.sorted.allSatisfy({ listNames.contains($0.name) }) {
      return (.restDocuments, try elements(documentsOfObject: true))
    }
    return (.jsonLines, [InputRecord(line: lines[0].number, value: value)])
  }

  /// Whether text that is not one value was meant as one: its first line is only a beginning, and
  /// no object of its own starts on the next.
  private func isBrokenObject(_ lines: [(number: Int, bytes: ArraySlice<UInt8>)]) -> Bool {
    do throws(JSONSyntaxError) {
      _ = try JSONReader.value(of: lines[0].bytes)
      return false
    } catch {
      guard error.problem == .endsEarly, lines.count > 1 else { return false }
      return lines[1].bytes.first(where: { $0 > 0x20 }) != UInt8(ascii: "{")
    }
  }

  /// The elements of the array the text is, or of the array named `documents` in its object.
  private func elements(documentsOfObject: Bool) throws(InputError) -> [InputRecord] {
    var reader = JSONReader(bytes)
    do throws(JSONSyntaxError) {
      var records: [InputRecord] = []
      if documentsOfObject {
        try reader.expect("{")
        repeat {
          let name = try reader.value()
          try reader.expect(":")
          if name == .string("documents") {
            records = try elements(&reader)
          } else {
            _ = try reader.value()
          }
        } while reader.take(",")
        try reader.expect("}")
      } else {
        records = try elements(&reader)
      }
      guard reader.skipSpace() == nil else {
        throw JSONSyntaxError(offset: reader.offset, problem: .textAfterValue)
      }
      return records
    } catch { throw self.error(error) }
  }

  private func elements(_ reader: inout JSONReader) throws(JSONSyntaxError) -> [InputRecord] {
    try reader.expect("[")
    if reader.take("]") { return [] }
    var records: [InputRecord] = []
    var line = 1
    var counted = bytes.startIndex
    repeat {
      reader.skipSpace()
      for byte in bytes[counted..<reader.offset] where byte == UInt8(ascii: "\n") { line += 1 }
      counted = reader.offset
      records.append(InputRecord(line: line, value: try reader.value()))
    } while reader.take(",")
    try reader.expect("]")
    return records
  }
}
