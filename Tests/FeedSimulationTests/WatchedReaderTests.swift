import FeedSimulation
import FeedStore
import Foundation
import Testing

@Suite struct WatchedReaderTests {
  private func reader(
    _ strategy: PagingStrategy = .documentCursor, rows: Int = 40
  ) async throws -> WatchedReader {
    let lines = (0..<rows).map { "{\"id\": \"d\($0)\", \"n\": \($0), \"title\": \"Row \($0)\"}\n" }
    let feed = try Feed(
      name: "rows", of: DocumentImport(Array(lines.joined().utf8)),
      orders: [Feed.Order(field: "n", isDescending: true)], conditions: [])
    return try await WatchedReader(feed: feed, pageSize: 10, strategy: strategy)
  }

  @Test func `the first page is there and billed`() async throws {
    let reader = try await reader()
    #expect(reader.rows.count == 10)
    #expect(reader.rows.first?.title == "Row 39")
    #expect(reader.rows.first?.order == "39")
    #expect(reader.reads.total == 10)
  }

  @Test func `the next page is loaded when the eye comes to the last row, and not before`()
    async throws
  {
    var reader = try await reader()
    for _ in 1...8 { try await reader.perform(.down) }
    #expect(reader.position == 8)
    #expect(reader.reads.total == 10)
    try await reader.perform(.down)
    #expect(reader.position == 9)
    #expect(reader.rows.count == 20)
    #expect(reader.reads.total == 20)
    try await reader.perform(.up)
    try await reader.perform(.top)
    #expect(reader.position == 0)
    #expect(reader.reads.total == 20)
  }

  @Test func `the steps add up to the bill of each strategy`() async throws {
    var reader = try await reader()
    let commands: [WatchedReader.Command] = [
      .pageDown, .insert, .pageDown, .refresh, .nextStrategy, .pageDown, .delete, .pageDown,
      .nextStrategy, .nextStrategy, .nextStrategy, .pageDown, .pageDown, .pageDown, .pageDown,
      .pageDown,
    ]
    for command in commands { try await reader.perform(command) }
    for (strategy, bill) in reader.bills {
      let sum = reader.steps.filter { $0.strategy == strategy }
        .reduce(into: BilledReads()) { $0 += $1.reads }
      #expect(sum == bill, "\(strategy.rawValue)")
    }
    #expect(reader.strategy == .offset)
    #expect(reader.steps.count == commands.count + 1)
    #expect(!reader.canLoadMore)
  }

  @Test func `a row that arrives at the top pushes one onto an offset's next page, again`()
    async throws
  {
    var reader = try await reader(.offset)
    try await reader.perform(.insert)
    #expect(reader.rows.count == 10)
    try await reader.perform(.pageDown)
    #expect(reader.rowsRepeated == 1)
    #expect(reader.rows.count == 19)
    try await reader.perform(.refresh)
    #expect(reader.position == 0)
    #expect(reader.rows.first?.isNew == true)
    #expect(reader.rowsInFeed == 41)
  }

  @Test func `an empty feed costs the least and moves nowhere`() async throws {
    var reader = try await reader(rows: 1)
    try await reader.perform(.delete)
    try await reader.perform(.refresh)
    try await reader.perform(.pageDown)
    try await reader.perform(.up)
    #expect(reader.rows.isEmpty)
    #expect(reader.position == 0)
    #expect(reader.reads[.minimum] == 1)
  }
}
