import FeedSimulation
import FeedStore
import Foundation
import Testing

@Suite struct ProjectionTests {
  private func feed(count: Int) throws -> Feed {
    let lines = (0..<count).map { "{\"id\": \"d\($0)\", \"n\": \($0)}\n" }
    return try Feed(
      name: "rows", of: DocumentImport(Array(lines.joined().utf8)),
      orders: [Feed.Order(field: "n", isDescending: true)], conditions: [])
  }

  private func project(
    _ feed: Feed, _ change: (inout Projection.Audience) -> Void = { _ in }
  ) async throws -> Projection {
    var audience = Projection.Audience()
    change(&audience)
    return try await Projection(
      of: feed, by: PagingStrategy.allCases, audience: audience, price: .nam5)
  }

  // MARK: The published example

  @Test(arguments: ChatExample.sizes)
  func `the chat app reads what Google publishes, for what Google publishes`(
    size: ChatExample.Size
  ) {
    let example = ChatExample(size)
    #expect(example.usage.reads == Decimal(size.published.readsADay))
    #expect(example.usage.reads == Decimal(size.dailyUsers) * 80)
    #expect(example.bill.reads == Decimal(size.published.readCents) / 100)
    #expect(example.countedReadsADay == size.published.countedReadsADay)
  }

  @Test(arguments: ChatExample.sizes)
  func `the chat app's other lines differ by the page's rounding of a day and no more`(
    size: ChatExample.Size
  ) {
    let bill = ChatExample(size).bill
    func roundedADay(_ month: Decimal) -> Int {
      let cents = NSDecimalNumber(decimal: month / 30 * 100)
        .rounding(
          accordingToBehavior: NSDecimalNumberHandler(
            roundingMode: .plain, scale: 0, raiseOnExactness: false, raiseOnOverflow: false,
            raiseOnUnderflow: false, raiseOnDivideByZero: false))
      return cents.intValue * 30
    }
    #expect(roundedADay(bill.reads) == size.published.readCents)
    #expect(roundedADay(bill.writes) == size.published.writeCents)
    #expect(roundedADay(bill.deletes) == size.published.deleteCents)
    #expect(abs(bill.storage * 100 - Decimal(size.published.storageCents)) <= Decimal(1) / 2)
    #expect(bill.network * 100 == Decimal(size.published.networkCents))
    #expect(abs(bill.total * 100 - Decimal(size.published.totalCents)) <= Decimal(1) / 2)
  }

  // MARK: A feed

  @Test func `a month is thirty days, and the free quota comes off each of them`() {
    let free = MonthlyBill(TypicalDay(reads: 50_000, writes: 20_000, deletes: 20_000), at: .nam5)
    #expect(free.total == 0)
    let one = MonthlyBill(TypicalDay(reads: 50_001), at: .nam5)
    #expect(one.total.description == "0.000018")
    let days = MonthlyBill(TypicalDay(reads: 150_000, writes: 120_000), at: .usCentral1)
    #expect(days.reads.description == "0.9")
    #expect(days.writes.description == "2.7")
  }

  @Test func `a day's reads are users times sessions times what the scroll is billed`() async throws
  {
    let projection = try await project(feed(count: 200)) {
      $0.dailyUsers = 1000
      $0.sessionsAUser = Decimal(5) / 2
      $0.pagesASession = 3
      $0.pageSize = 10
    }
    let reads = Dictionary(
      uniqueKeysWithValues: projection.results.map { ($0.strategy, $0.readsASession) })
    #expect(
      reads == [
        .documentCursor: 30, .pageToken: 30, .valueCursor: 30, .extraRow: 33, .offset: 60,
        .pageNumber: 61, .growingLimit: 60, .wholeCollection: 200,
      ])
    #expect(projection.results.first?.usage.reads == 75_000)
    #expect(projection.results.first?.bill.total.description == "0.45")
    #expect(projection.subject?.strategy == .documentCursor)
  }

  @Test func `who scrolls past the end pays for the feed once`() async throws {
    let projection = try await project(feed(count: 31)) { $0.pagesASession = 50 }
    #expect(projection.results.first?.readsASession == 31)
  }

  @Test func `other screens are read by everybody, an empty one for the least of one read`()
    async throws
  {
    let projection = try await project(feed(count: 20)) {
      $0.dailyUsers = 100
      $0.sessionsAUser = 0
      $0.screens = [
        OtherScreen(name: "a", opensADay: 2, documents: 7),
        OtherScreen(name: "b", opensADay: Decimal(1) / 2, documents: 0),
      ]
    }
    #expect(projection.results.allSatisfy { $0.usage.reads == 1450 })
  }

  @Test func `the factor that moves the bill most comes first`() async throws {
    let projection = try await project(feed(count: 400)) { $0.editsADay = 10_000_000 }
    #expect(projection.sensitivities.first?.factor == .editsADay)
    let swings = projection.sensitivities.map(\.swing)
    #expect(swings == swings.sorted(by: >))
    let users = try #require(projection.sensitivities.first { $0.factor == .dailyUsers })
    // 10,000 users, 3 sessions, 60 reads: 900,000 and 3,600,000 reads a day beside the same writes.
    #expect(users.swing == Decimal(2_700_000) * 30 * 6 / 10_000_000)
  }

  @Test func `an offset breaks even with reading everything where their sums cross`() async throws {
    let projection = try await project(feed(count: 105)) { $0.pageSize = 10 }
    // 10, 30, 60, 100, 150: less than 105 up to the fourth page.
    #expect(
      projection.breakEvens.contains(
        Projection.BreakEven(
          cheaperAtFirst: .offset, cheaperBeyond: .wholeCollection, pages: 5)))
    #expect(!projection.breakEvens.contains { $0.cheaperAtFirst == .documentCursor })
  }

  @Test func `listening pays for each change while it lasts, and a refresh for a page`()
    async throws
  {
    let projection = try await project(feed(count: 200)) {
      $0.editsADay = 2880
      $0.sessionMinutes = 10
    }
    let listening = try #require(projection.listening)
    // Two edits a minute, for ten minutes; a page of fifteen is worth seven and a half minutes.
    #expect(listening.changesASession == 20)
    #expect(listening.editsLikeOneRefresh == 2160)
    let more = listening.bill.reads - (projection.subject?.bill.reads ?? 0)
    // 30,000 sessions a day, twenty reads each, for thirty days at 0.06 dollars per 100,000.
    #expect(more.description == "10.8")
  }
}
