import FeedSimulation
import FeedStore
import Foundation
import TestSupport
import Testing

@Suite struct PopulationTests {
  private func feed(count: Int) throws -> Feed {
    let lines = (0..<count).map { "{\"id\": \"d\($0)\", \"n\": \($0)}\n" }
    return try Feed(
      name: "rows", of: DocumentImport(Array(lines.joined().utf8)),
      orders: [Feed.Order(field: "n", isDescending: true)], conditions: [])
  }

  /// Readers who scroll two pages of ten rows, once, over a network that never fails, in a feed
  /// that nobody writes.
  private var quiet: ReaderHabits {
    var habits = ReaderHabits()
    habits.readers = 20
    habits.pageSize = 10
    habits.meanPages = 1_000_000
    habits.mostPages = 2
    habits.refreshPercent = 0
    habits.returnPercent = 0
    habits.doubleFirePercent = 0
    habits.cancelPercent = 0
    habits.network.failurePercent = 0
    habits.insertsAMinute = 0
    habits.editsAMinute = 0
    habits.deletesAMinute = 0
    return habits
  }

  private func run(
    _ habits: ReaderHabits, rows: Int = 200, _ modes: [ReadingMode] = ReadingMode.all,
    record: @escaping (SimulatedOperation) throws -> Void = { _ in }
  ) async throws -> [ReadingMode: PopulationResult] {
    let comparison = try await PopulationComparison(
      of: feed(count: rows), by: modes, habits: habits, record: record)
    return Dictionary(uniqueKeysWithValues: comparison.results.map { ($0.mode, $0) })
  }

  @Test func `readers who do nothing unusual are billed what one is, times their number`()
    async throws
  {
    let results = try await run(quiet)
    let reads = results.mapValues { $0.reads.total / 20 }
    #expect(
      reads == [
        .fetch(.documentCursor): 20, .fetch(.pageToken): 20, .fetch(.valueCursor): 20,
        .fetch(.extraRow): 22, .fetch(.offset): 30, .fetch(.pageNumber): 31,
        .fetch(.growingLimit): 30, .fetch(.wholeCollection): 200, .listenHead: 20,
        .listenEachPage: 20, .listenGrowing: 30,
      ])
    for result in results.values {
      #expect(result.reads.total.isMultiple(of: 20))
      #expect(result.sessions == 20)
      #expect(result.wastedReads + result.rowsMissed + result.rowsRepeated == 0)
      #expect(result.failuresShown == 0)
    }
  }

  @Test func `the lines of the ledger add up to every figure, over many seeds`() async throws {
    for number in Randomised.cases(4) {
      var habits = ReaderHabits()
      habits.readers = 25
      habits.offlinePercent = 10
      habits.hasPersistentCache = number.isMultiple(of: 2)
      habits.isGuarded = number % 4 < 2
      habits.network.failurePercent = 10
      habits.cancelPercent = 10
      habits.seed = Randomised.seed &+ UInt64(number)
      let sums = Sums()
      let results = try await run(habits, record: { sums.add($0) })
      for (mode, result) in results {
        #expect(
          sums.reads[mode] == result.reads,
          "\(mode.name), FEEDSTORE_SEED=\(Randomised.seed) case \(number)")
        #expect(sums.wasted[mode, default: 0] == result.wastedReads)
        #expect(result.reads[.wasted] == result.wastedReads)
        #expect(sums.operations[mode] == result.operations)
        #expect(sums.inOrder)
      }
    }
  }

  private final class Sums {
    var reads: [ReadingMode: BilledReads] = [:]
    var wasted: [ReadingMode: Int] = [:]
    var operations: [ReadingMode: Int] = [:]
    var inOrder = true
    private var last: [ReadingMode: Int] = [:]

    func add(_ operation: SimulatedOperation) {
      let mode = operation.mode
      reads[mode, default: BilledReads()] += operation.entry.reads
      operations[mode, default: 0] += 1
      if operation.isWasted { wasted[mode, default: 0] += operation.entry.reads.total }
      inOrder = inOrder && operation.milliseconds >= last[mode, default: 0]
      last[mode] = operation.milliseconds
    }
  }

  @Test func `the same seed makes the same run, another one another`() async throws {
    func lines(_ seed: UInt64) async throws -> [String] {
      var habits = ReaderHabits()
      habits.readers = 15
      habits.seed = seed
      let lines = Lines()
      _ = try await run(
        habits, [.fetch(.documentCursor), .listenHead],
        record: {
          lines.texts.append("\($0.reader) \($0.purpose) \($0.outcome) \($0.entry.jsonLine)")
        })
      return lines.texts
    }
    let once = try await lines(7)
    #expect(try await lines(7) == once)
    #expect(try await lines(8) != once)
    #expect(once.count > 15)
  }

  private final class Lines { var texts: [String] = [] }

  @Test func `every way of reading meets the same readers`() async throws {
    var habits = ReaderHabits()
    habits.readers = 30
    let results = try await run(habits)
    #expect(Set(results.values.map(\.sessions)).count == 1)
    let cursor = try #require(results[.fetch(.documentCursor)])
    #expect(results[.fetch(.pageToken)]?.pagesShown == cursor.pagesShown)
    #expect(results[.fetch(.pageToken)]?.reads == cursor.reads)
  }

  @Test func `a second trigger joins the load; without a guard it is billed a page`() async throws {
    var habits = quiet
    habits.doubleFirePercent = 100
    let guarded = try await run(habits, [.fetch(.documentCursor)])
    habits.isGuarded = false
    let unguarded = try await run(habits, [.fetch(.documentCursor)])
    let (first, second) = (
      try #require(guarded[.fetch(.documentCursor)]),
      try #require(unguarded[.fetch(.documentCursor)])
    )
    #expect(first.triggersJoined == 20)
    #expect(first.reads.total == 400)
    #expect(second.reads.total == 600)
    #expect(second.wasted[.duplicate] == 200)
  }

  @Test func `who leaves during a load pays for it if it has reached the server`() async throws {
    var habits = quiet
    habits.cancelPercent = 100
    let result = try #require(
      try await run(habits, [.fetch(.documentCursor)])[.fetch(.documentCursor)])
    #expect(result.pagesShown == 20)
    #expect(result.wasted[.tooLate] == result.reads.total - 200)
    #expect(result.wastedReads > 0)
  }

  @Test func `a network that always fails bills the answers it loses and shows nothing`()
    async throws
  {
    var habits = quiet
    habits.network.failurePercent = 100
    habits.network.retries = 3
    let result = try #require(
      try await run(habits, [.fetch(.documentCursor)])[.fetch(.documentCursor)])
    #expect(result.pagesShown == 0)
    #expect(result.failuresShown == 20)
    #expect(result.wasted[.lost] == result.reads.total)
    #expect((1...80).contains(result.reads.total / 10))
  }

  @Test func `a listener is billed its result and each change that others make in it`()
    async throws
  {
    var habits = quiet
    habits.readers = 1
    habits.mostPages = 1
    habits.secondsAPage = 600
    habits.editsAMinute = 6
    let causes = Lines()
    let result = try #require(
      try await run(habits, rows: 10, [.listenHead]) { operation in
        causes.texts += operation.entry.reads.byCause.map { "\($0.cause.rawValue) \($0.reads)" }
      }[.listenHead])
    // All ten rows are watched, so that each edit during the session is one read.
    #expect(causes.texts.first == "documents returned 10")
    #expect(result.changesSeen > 20)
    #expect(causes.texts.dropFirst().allSatisfy { $0 == "live change 1" })
    #expect(result.reads.total == 10 + result.changesSeen)
  }

  @Test func `a cache makes a return within half an hour free, and none after it`() async throws {
    var habits = quiet
    habits.returnPercent = 100
    habits.readers = 1
    habits.mostPages = 1
    habits.hasPersistentCache = true
    for (minutes, reads) in [(10, 0), (90, 10)] {
      habits.minutesAway = minutes
      // Everybody returns for ever: the twentieth return is far enough.
      let stop = Stop()
      let reader = Lines()
      await #expect(throws: Stop.self) {
        _ = try await run(habits, [.listenHead]) { operation in
          if operation.session > 1 {
            reader.texts.append("\(operation.entry.reads.total)")
          }
          if operation.session == 20 { throw stop }
        }
      }
      #expect(Set(reader.texts) == ["\(reads)"], "away for \(minutes) minutes")
    }
  }

  private struct Stop: Error {}

  @Test func `without a network the cache shows the first page for nothing`() async throws {
    var habits = quiet
    habits.offlinePercent = 100
    let none = try await run(habits, [.listenHead])
    #expect(none[.listenHead]?.failuresShown == 20)
    #expect(none[.listenHead]?.reads.total == 0)
    habits.offlinePercent = 50
    habits.returnPercent = 60
    habits.hasPersistentCache = true
    let some = try #require(try await run(habits, [.fetch(.documentCursor)]).values.first)
    #expect(some.sessionsFromCache > 0)
    #expect(some.reads.total == some.pagesShown * 10)
  }

  @Test func `an offset misses rows where others delete, a cursor does not`() async throws {
    var habits = quiet
    habits.mostPages = 6
    habits.deletesAMinute = 20
    let results = try await run(habits, [.fetch(.offset), .fetch(.documentCursor)])
    #expect(try #require(results[.fetch(.offset)]).rowsMissed > 0)
    #expect(results[.fetch(.documentCursor)]?.rowsMissed == 0)
  }
}
