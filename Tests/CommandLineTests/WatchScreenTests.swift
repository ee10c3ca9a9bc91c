import FeedSimulation
import FeedStore
import Foundation
import Testing

@testable import feedsim

@Suite struct WatchScreenTests {
  private func reader(title: String) async throws -> WatchedReader {
    let lines = (0..<50).map { "{\"id\": \"d\($0)\", \"n\": \($0), \"title\": \"\(title)\"}\n" }
    let feed = try Feed(
      name: "rows", of: DocumentImport(Array(lines.joined().utf8)),
      orders: [Feed.Order(field: "n", isDescending: true)], conditions: [])
    return try await WatchedReader(feed: feed, pageSize: 15, strategy: .offset)
  }

  @Test(arguments: [(110, 30), (80, 24), (72, 10), (60, 20), (40, 8), (20, 3), (1, 1)])
  func `a frame fills its window and never more`(width: Int, height: Int) async throws {
    var reader = try await reader(title: "A title that is much longer than the column it stands in")
    for _ in 0..<3 { try await reader.perform(.pageDown) }
    let terminal = Terminal(environment: ["NO_COLOR": "1"])
    let frame = WatchScreen(reader: reader, price: .nam5, terminal: terminal)
      .frame(width: width, height: height)
    #expect(frame.count == height)
    #expect(frame.allSatisfy { $0.count == width })
    if height >= 10 {
      #expect(frame.contains { $0.contains("▸") })
      #expect(frame.contains { $0.contains("documents skipped") } || width < 72)
    }
  }

  @Test func `a title cannot move the cursor`() async throws {
    let reader = try await reader(title: #"\u001B[2Jgone\r\n\u0007"#)
    let terminal = Terminal(environment: ["NO_COLOR": "1"])
    let frame = WatchScreen(reader: reader, price: .nam5, terminal: terminal)
      .frame(width: 100, height: 20).joined()
    #expect(!frame.unicodeScalars.contains { $0.value < 32 || $0.value == 127 })
    #expect(frame.contains("gone"))
  }
}
