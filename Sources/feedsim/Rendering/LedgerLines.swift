import FeedSimulation
import FeedStore
import Foundation

/// The lines of a ledger file: a billed operation each, with whose it was in front.
enum LedgerLines {
  static func line(_ operation: SimulatedOperation) -> String {
    line(
      [
        ("strategy", .text(operation.mode.name)), ("reader", .integer(operation.reader)),
        ("session", .integer(operation.session)), ("purpose", .text(operation.purpose.rawValue)),
        ("outcome", .text(operation.outcome.rawValue)),
      ], operation.entry)
  }

  /// The operations of one scroll, page by page.
  static func lines(_ result: Comparison.Result) -> [String] {
    result.ledger.map { line([("strategy", .text(result.strategy.rawValue))], $0) }
  }

  private static func line(_ members: [(String, JSONText)], _ entry: LedgerEntry) -> String {
    JSONText.object(members).compact.dropLast() + "," + entry.jsonLine.dropFirst() + "\n"
  }
}

/// A file that lines are written to as they come, many at a time; none where no path is given.
final class LedgerFile {
  private let path: String?
  private let handle: FileHandle?
  private var block = ""

  init(_ path: String?) throws(OutputError) {
    self.path = path
    guard let path else {
      handle = nil
      return
    }
    do {
      try Data().write(to: URL(filePath: path))
      handle = try FileHandle(forWritingTo: URL(filePath: path))
    } catch { throw .failed("'\(path)'", reason: Terminal.reason(error)) }
  }

  func add(_ line: @autoclosure () -> String) throws(OutputError) {
    guard handle != nil else { return }
    block += line()
    if block.utf8.count > 65_536 { try flush() }
  }

  /// Writes what is still held back.
  func flush() throws(OutputError) {
    guard let handle, let path, !block.isEmpty else { return }
    try Terminal.write(block, to: handle, named: "'\(path)'")
    block = ""
  }
}
