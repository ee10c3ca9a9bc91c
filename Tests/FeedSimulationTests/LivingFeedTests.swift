import FeedStore
import Foundation
import TestSupport
import Testing

@testable import FeedSimulation

@Suite struct LivingFeedTests {
  @Test func `a simulated listener is billed what a real one is, change by change`() async throws {
    for number in Randomised.cases(3) {
      let lines = (0..<120).map { "{\"id\": \"d\($0)\", \"n\": \($0), \"likes\": 0}\n" }
      let feed = try Feed(
        name: "rows", of: DocumentImport(Array(lines.joined().utf8)),
        orders: [Feed.Order(field: "n", isDescending: true)], conditions: [])
      var habits = ReaderHabits()
      habits.pageSize = 10
      habits.seed = Randomised.seed &+ UInt64(number)
      let rows = try await feed.query(in: feed.database()).getDocuments().documents
      var living = try LivingFeed(feed, rows: rows.map(\.documentID), habits: habits)
      let head = living.query.limit(to: 10)
      let listener = head.addSnapshotListener { _, _ in }
      defer { listener.remove() }
      let meter = living.firestore.readMeter
      #expect(meter.reads == [.documentsReturned: 10])
      var random = Randomised.generator(case: number)
      for time in 1...60 {
        meter.reset()
        let change = [LivingFeed.Change.insert, .edit, .delete][
          Int.random(in: 0..<3, using: &random)]
        let place = try #require(try living.apply(change, at: time))
        // Others write past this client, which hears of it with its next write.
        try await living.firestore.document("elsewhere/x").setData(["n": time])
        let expected =
          place < 10 ? BillingRules.reads(for: .listenChange(change.toldToListener)).total : 0
        #expect(
          meter.total == expected,
          "FEEDSTORE_SEED=\(Randomised.seed) case \(number): \(change) at \(place)")
      }
      let now = try await living.query.getDocuments().documents.map(\.documentID)
      #expect(now == living.rows)
    }
  }

  @Test func `what a listener missed is what differs between then and now`() async throws {
    let lines = (0..<30).map { "{\"id\": \"d\($0)\", \"n\": \($0)}\n" }
    let feed = try Feed(
      name: "rows", of: DocumentImport(Array(lines.joined().utf8)),
      orders: [Feed.Order(field: "n", isDescending: true)], conditions: [])
    let rows = (0..<30).reversed().map { "d\($0)" }
    var habits = ReaderHabits()
    habits.pageSize = 2
    var living = try LivingFeed(feed, rows: rows, habits: habits)
    let before = Array(living.rows.prefix(5))
    #expect(living.changes(since: 0, of: before, first: 5) == ListenerChanges())
    _ = try living.apply(.insert, at: 1)
    _ = try living.apply(.insert, at: 2)
    #expect(
      living.changes(since: 0, of: before, first: 5) == ListenerChanges(added: 2, pushedOut: 2))
    #expect(
      living.changes(since: 2, of: before, first: 5) == ListenerChanges(refilled: 2, pushedOut: 2))
  }

  @Test func `events come in the order of their times, and of their announcement within one`() {
    var queue = EventQueue<Int>()
    var random = Randomised.generator(case: 0)
    let times = (0..<500).map { _ in Int.random(in: 0..<50, using: &random) }
    for (number, time) in times.enumerated() { queue.add(number, at: time) }
    var events: [(time: Int, event: Int)] = []
    while let next = queue.next() { events.append(next) }
    let expected = times.enumerated().sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
    #expect(events.map(\.event) == expected.map(\.offset))
    #expect(events.map(\.time) == expected.map(\.element))
  }
}
