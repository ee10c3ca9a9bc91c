import FeedStore
import Foundation

/// A minute's worth of the workload in memory, as a table for people.
struct QuickBenchmark {
  private let documents = 100_000

  func run() async throws {
    print("\(documents) posts in memory, 15 a page; times in microseconds\n")
    let operations = FeedOperations(
      Firestore(readMeter: ReadMeter(keeping: .totals)), decoding: .lazy)
    try await operations.makeIndexes()
    var load = Measurement("load, per document")
    for start in stride(from: 0, to: documents, by: FeedWorkload.batchSize) {
      let batch = (start..<(start + FeedWorkload.batchSize)).map { FeedWorkload.post($0) }
      let began = Measurement.now()
      try await operations.write(batch)
      load.add((Measurement.now() - began) / UInt64(FeedWorkload.batchSize))
    }
    print(Self.row("operation", "median", "p99", "samples"))
    print(String(repeating: "─", count: 54))
    print(Self.row(load))
    let reference = FeedReference(count: documents)
    let checker = FeedChecker(reference: reference, operations: operations)
    for times in try await ReadOperations(checker, budget: 1).all() { print(Self.row(times)) }
    for decoding in [Decoding.struct, .codable] {
      let decoded = FeedOperations(operations.db, decoding: decoding)
      var times = Measurement("page_next_50, \(decoding.rawValue)")
      for turn in 0..<2000 where !times.isOver(1) {
        let row = reference.rows[documents / 2 + 15 * (turn % 20)]
        let cursor = try await operations.get(row.id)
        _ = try await times.measure { try await decoded.page(after: cursor) }
      }
      print(Self.row(times))
    }
  }

  private static func row(_ times: Measurement) -> String {
    row(
      times.operation, microseconds(times.median), microseconds(times.p99), "\(times.count)")
  }

  private static func microseconds(_ nanoseconds: UInt64) -> String {
    String(format: "%.2f", Double(nanoseconds) / 1000)
  }

  private static func row(_ cells: String...) -> String {
    let widths = [22, 11, 11, 10]
    return zip(cells, widths).enumerated().map { index, cell in
      let padding = String(repeating: " ", count: max(cell.1 - cell.0.count, 0))
      return index == 0 ? cell.0 + padding : padding + cell.0
    }.joined()
  }
}
