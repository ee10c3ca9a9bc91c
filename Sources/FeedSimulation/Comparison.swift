package import FeedStore

/// The same scroll by several strategies, each through a database of its own.
package struct Comparison: Sendable {
  package let feed: Feed
  package let options: Scroll.Options
  /// The ids of the feed's rows at the beginning, in order.
  package let rows: [String]
  /// In the order the strategies were given.
  package let results: [Result]

  /// What one strategy's scroll came to.
  package struct Result: Sendable {
    package let scroll: Scroll
    package let pages: Int
    package let queries: Int
    package let reads: BilledReads
    package let documentsDelivered: Int
    package let documentsSkipped: Int
    package let indexEntriesScanned: Int
    package let medianTimePerPage: Duration
    package let slowTimePerPage: Duration

    package var strategy: PagingStrategy { scroll.strategy }
    /// Whether the reader saw every row that was due, and none twice.
    package var isFaithful: Bool { scroll.duplicatesShown == 0 && scroll.rowsNeverShown == 0 }

    /// The operations of the scroll, numbered from the first to the last.
    package var ledger: [LedgerEntry] {
      var entries = scroll.visits.enumerated().flatMap { index, visit in
        visit.requests.map { request in
          var entry = request
          entry.pageNumber = index + 1
          // The wall clock's time says nothing of a scroll and would differ from run to run.
          entry.time = nil
          return entry
        }
      }
      for index in entries.indices { entries[index].number = index + 1 }
      return entries
    }

    /// What its ledger shows to be wrong, the greatest saving first.
    package var findings: [Finding] { Finding.all(in: ledger) }

    init(_ scroll: Scroll) {
      self.scroll = scroll
      let visits = scroll.visits
      pages = visits.count
      queries = visits.reduce(0) { $0 + $1.requests.count }
      reads = visits.reduce(into: BilledReads()) { $0 += $1.reads }
      documentsDelivered = visits.reduce(0) { $0 + $1.documentsDelivered }
      documentsSkipped = visits.reduce(0) { $0 + $1.documentsSkipped }
      indexEntriesScanned = visits.reduce(0) { $0 + $1.indexEntriesScanned }
      let times = visits.map(\.duration).sorted()
      medianTimePerPage = Result.percentile(50, of: times)
      slowTimePerPage = Result.percentile(99, of: times)
    }

    /// The smallest of `sorted` that at least `percent` of them do not exceed.
    private static func percentile(_ percent: Int, of sorted: [Duration]) -> Duration {
      sorted.isEmpty ? .zero : sorted[max(0, (sorted.count * percent + 99) / 100 - 1)]
    }
  }

  /// The reads billed by the time a reader has seen 1, 2, 3, … pages.
  ///
  /// Who has read everything at once scrolls on for nothing, as far as the others do.
  package func readsByDepth(of result: Result) -> [Int] {
    var sum = 0
    let sums = result.scroll.visits.map { visit in
      sum += visit.reads.total
      return sum
    }
    guard result.strategy == .wholeCollection else { return sums }
    let depth = results.map(\.pages).max() ?? 1
    return sums + Array(repeating: sum, count: max(0, depth - sums.count))
  }

  /// How far a comparison has come.
  package struct Progress: Sendable {
    package let strategy: PagingStrategy
    package let pagesDone: Int
    package let pagesInAll: Int
  }

  /// Runs one scroll after the other, so that none slows another down.
  ///
  /// - Throws: `FirestoreErrorCode` where the query or a document is refused.
  package init(
    of feed: Feed, by strategies: [PagingStrategy], options: Scroll.Options,
    progress: @Sendable (Progress) -> Void = { _ in }
  ) async throws {
    let session = try await ReaderSession(feed: feed, options: options)
    let pages = session.expectedPageCount
    var results: [Result] = []
    for (index, strategy) in strategies.enumerated() {
      let scroll = try await session.scroll(by: strategy) { done in
        progress(
          Progress(
            strategy: strategy, pagesDone: index * pages + min(done, pages),
            pagesInAll: strategies.count * pages))
      }
      results.append(Result(scroll))
    }
    self.feed = feed
    self.options = options
    rows = session.rows
    self.results = results
  }
}
