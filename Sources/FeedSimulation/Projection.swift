package import FeedStore
import Foundation

/// A month's bill for everybody who scrolls a feed, by each strategy.
package struct Projection: Sendable {
  /// Who reads, and how much.
  package struct Audience: Hashable, Sendable {
    package var dailyUsers = 10_000
    package var sessionsAUser: Decimal = 3
    package var pagesASession = 4
    package var pageSize = 15
    package var editsADay = 1_000
    package var deletesADay = 0
    package var screens: [OtherScreen] = []
    /// How long a listener of the first page would stay attached each time.
    package var sessionMinutes = 5

    package init() {}
  }

  /// What one strategy costs this audience.
  package struct Result: Sendable {
    package let strategy: PagingStrategy
    package let readsASession: Int
    package let usage: TypicalDay
    package let bill: MonthlyBill
    /// Whether a reader sees each row once.
    package let isFaithful: Bool
  }

  /// What becomes of the bill when one factor is half or twice what it is.
  package struct Sensitivity: Sendable {
    package let factor: Factor
    package let now: Decimal
    package let half: MonthlyBill
    package let twice: MonthlyBill

    package var swing: Decimal { twice.total - half.total }
  }

  /// What an audience can be more or less of.
  package enum Factor: CaseIterable, Sendable {
    case dailyUsers, sessionsAUser, pagesASession, pageSize, editsADay
  }

  package let feed: Feed
  package let rows: Int
  package let audience: Audience
  package let price: StandardPrice
  package let quota: FreeQuota
  package let results: [Result]
  /// For the cheapest faithful strategy, or the only one: what moves its bill most comes first.
  package let sensitivities: [Sensitivity]
  /// Reads of one session by the pages it goes deep, for each strategy, to the end of the feed.
  package let readsByDepth: [PagingStrategy: [Int]]

  /// Scrolls the feed once by each strategy and once more for each page size it asks for.
  ///
  /// - Throws: `FirestoreErrorCode` where the query or a document is refused.
  package init(
    of feed: Feed, by strategies: [PagingStrategy], audience: Audience, price: StandardPrice,
    quota: FreeQuota = PriceList.known.freeQuota
  ) async throws {
    var options = Scroll.Options()
    options.pageSize = audience.pageSize
    let comparison = try await Comparison(of: feed, by: strategies, options: options)
    let depths = Dictionary(
      comparison.results.map { ($0.strategy, comparison.readsByDepth(of: $0)) },
      uniquingKeysWith: { first, _ in first })
    results = comparison.results.map { result in
      let reads = Projection.reads(of: depths[result.strategy] ?? [], at: audience.pagesASession)
      let usage = audience.usage(readsASession: reads)
      return Result(
        strategy: result.strategy, readsASession: reads, usage: usage,
        bill: MonthlyBill(usage, at: price, after: quota), isFaithful: result.isFaithful)
    }
    self.feed = feed
    rows = comparison.rows.count
    self.audience = audience
    self.price = price
    self.quota = quota
    readsByDepth = depths
    guard let subject = Projection.cheapest(of: results) else {
      sensitivities = []
      return
    }
    var sensitivities: [Sensitivity] = []
    for factor in Factor.allCases {
      let (half, twice) = (
        audience.scaled(factor, twice: false), audience.scaled(factor, twice: true)
      )
      sensitivities.append(
        Sensitivity(
          factor: factor, now: audience.amount(of: factor),
          half: try await Projection.bill(of: feed, by: subject.strategy, half, price, quota),
          twice: try await Projection.bill(of: feed, by: subject.strategy, twice, price, quota)))
    }
    self.sensitivities = sensitivities.sorted { $0.swing > $1.swing }
  }

  /// The strategy whose bill the sensitivities are about.
  package var subject: Result? { Projection.cheapest(of: results) }

  private static func cheapest(of results: [Result]) -> Result? {
    let faithful = results.filter(\.isFaithful)
    return (faithful.isEmpty ? results : faithful).min { $0.readsASession < $1.readsASession }
  }

  /// Who scrolls beyond the end of the feed pays for all of it, once.
  private static func reads(of depths: [Int], at pages: Int) -> Int {
    depths.isEmpty ? 0 : depths[min(pages, depths.count) - 1]
  }

  private static func bill(
    of feed: Feed, by strategy: PagingStrategy, _ audience: Audience, _ price: StandardPrice,
    _ quota: FreeQuota
  ) async throws -> MonthlyBill {
    var options = Scroll.Options()
    options.pageSize = audience.pageSize
    options.pages = audience.pagesASession
    let scroll = try await ReaderSession(feed: feed, options: options).scroll(by: strategy)
    let reads = scroll.visits.reduce(0) { $0 + $1.reads.total }
    return MonthlyBill(audience.usage(readsASession: reads), at: price, after: quota)
  }
}

// MARK: - Break-even

extension Projection {
  /// Where one strategy stops being cheaper than another.
  package struct BreakEven: Hashable, Sendable {
    package let cheaperAtFirst: PagingStrategy
    package let cheaperBeyond: PagingStrategy
    /// The first depth in pages at which the order is the other way round.
    package let pages: Int

    package init(
      cheaperAtFirst: PagingStrategy, cheaperBeyond: PagingStrategy, pages: Int
    ) {
      self.cheaperAtFirst = cheaperAtFirst
      self.cheaperBeyond = cheaperBeyond
      self.pages = pages
    }
  }

  /// Every pair of strategies of which one is cheaper in short sessions and the other in long ones.
  package var breakEvens: [BreakEven] {
    results.flatMap { first in
      results.compactMap { second in
        breakEven(from: first.strategy, to: second.strategy)
      }
    }
  }

  private func breakEven(from first: PagingStrategy, to second: PagingStrategy) -> BreakEven? {
    guard let cheap = readsByDepth[first], let dear = readsByDepth[second] else { return nil }
    let pairs = Array(zip(cheap, dear))
    guard let start = pairs.first, start.0 < start.1,
      let index = pairs.firstIndex(where: { $0.0 > $0.1 })
    else { return nil }
    return BreakEven(cheaperAtFirst: first, cheaperBeyond: second, pages: index + 1)
  }

  /// The users a day from whom on reads cost anything; nil where a user reads nothing.
  package func usersWithinFreeQuota(_ result: Result) -> Int? {
    let each = result.usage.reads / Decimal(max(1, audience.dailyUsers))
    guard each > 0 else { return nil }
    return NSDecimalNumber(decimal: (Decimal(quota.readsPerDay) / each).whole(.down)).intValue
  }
}

// MARK: - Listening

extension Projection {
  /// What it costs to listen to the first page, with every edit of the day on it.
  package struct Listening: Sendable {
    /// The changes that one session is told of.
    package let changesASession: Decimal
    package let bill: MonthlyBill
    /// The edits a day up to which listening is cheaper than asking for the first page once more in
    /// each session.
    package let editsLikeOneRefresh: Decimal
  }

  /// Listening to the first page, the other pages by document cursor; nil where that strategy is not
  /// among those projected.
  package var listening: Listening? {
    guard let depths = readsByDepth[.documentCursor], let firstPage = depths.first,
      let fetched = results.first(where: { $0.strategy == .documentCursor })
    else { return nil }
    let change = BillableOperation.listenChange(ListenerChanges(modified: 1))
    let readsAChange = Decimal(BillingRules.reads(for: change).total)
    let minutesADay: Decimal = 24 * 60
    // Divided last, so that what is a whole number stays one.
    let editMinutes = Decimal(audience.editsADay) * Decimal(audience.sessionMinutes)
    var usage = fetched.usage
    let sessions = Decimal(audience.dailyUsers) * audience.sessionsAUser
    usage.reads += (sessions * editMinutes * readsAChange / minutesADay).whole(.plain)
    return Listening(
      changesASession: editMinutes / minutesADay,
      bill: MonthlyBill(usage, at: price, after: quota),
      editsLikeOneRefresh: Decimal(firstPage) * minutesADay
        / (Decimal(audience.sessionMinutes) * readsAChange))
  }
}

// MARK: - Audience

extension Projection.Audience {
  func usage(readsASession: Int) -> TypicalDay {
    let sessions = Decimal(dailyUsers) * sessionsAUser
    return TypicalDay(
      reads: sessions * Decimal(readsASession)
        + screens.reduce(0) { $0 + $1.readsADay(users: dailyUsers) },
      writes: Decimal(editsADay), deletes: Decimal(deletesADay))
  }

  package func amount(of factor: Projection.Factor) -> Decimal {
    switch factor {
    case .dailyUsers: Decimal(dailyUsers)
    case .sessionsAUser: sessionsAUser
    case .pagesASession: Decimal(pagesASession)
    case .pageSize: Decimal(pageSize)
    case .editsADay: Decimal(editsADay)
    }
  }

  /// Half of an odd number is rounded up, so that nothing becomes none.
  func scaled(_ factor: Projection.Factor, twice: Bool) -> Self {
    func scaled(_ count: Int) -> Int { twice ? count * 2 : (count + 1) / 2 }
    var audience = self
    switch factor {
    case .dailyUsers: audience.dailyUsers = scaled(dailyUsers)
    case .sessionsAUser: audience.sessionsAUser = twice ? sessionsAUser * 2 : sessionsAUser / 2
    case .pagesASession: audience.pagesASession = scaled(pagesASession)
    case .pageSize: audience.pageSize = scaled(pageSize)
    case .editsADay: audience.editsADay = scaled(editsADay)
    }
    return audience
  }
}

extension Decimal {
  fileprivate func whole(_ mode: NSDecimalNumber.RoundingMode) -> Decimal {
    NSDecimalNumber(decimal: self).rounding(
      accordingToBehavior: NSDecimalNumberHandler(
        roundingMode: mode, scale: 0, raiseOnExactness: false, raiseOnOverflow: false,
        raiseOnUnderflow: false, raiseOnDivideByZero: false)
    ).decimalValue
  }
}
