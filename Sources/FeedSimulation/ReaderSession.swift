package import FeedStore

/// One reader's scroll through a feed: every page, what it showed and what it cost.
package struct Scroll: Sendable {
  /// How the reader scrolls, and what others write meanwhile.
  package struct Options: Sendable {
    package var pageSize = 15
    /// The number of pages to read; nil reads to the end.
    package var pages: Int?
    package var insertsPerPage = 0
    package var deletesPerPage = 0
    /// Decides which rows the writes hit.
    package var seed: UInt64 = 1

    package init() {}

    package var hasChurn: Bool { insertsPerPage > 0 || deletesPerPage > 0 }
  }

  /// One page as the reader saw it.
  package struct Visit: Sendable {
    package let rows: [String]
    /// The requests that made it, in order.
    package let requests: [LedgerEntry]
    package let duration: Duration

    package var reads: BilledReads { requests.reduce(into: BilledReads()) { $0 += $1.reads } }
    package var documentsDelivered: Int { requests.reduce(0) { $0 + $1.returned } }
    package var documentsSkipped: Int { requests.reduce(0) { $0 + $1.skipped } }
    package var indexEntriesScanned: Int { requests.reduce(0) { $0 + $1.indexEntriesScanned } }
  }

  package let strategy: PagingStrategy
  package var visits: [Visit] = []
  /// Whether the source said that no page follows.
  package var reachedEnd = false
  /// The rows that came up again although they had been shown.
  package var duplicatesShown = 0
  /// The rows of the beginning, not deleted meanwhile, that lie before the last row shown (or, at
  /// the end, anywhere) and were never shown.
  package var rowsNeverShown = 0
  /// The different rows shown.
  package var rowsShown = 0
}

/// Scrolls one reader through a feed, page after page.
package struct ReaderSession: Sendable {
  private let feed: Feed
  private let options: Scroll.Options
  /// The ids of the feed's rows at the beginning, in order.
  package let rows: [String]

  /// Reads the feed once to know what a reader ought to see.
  ///
  /// - Throws: `FirestoreErrorCode` where the query or a document is refused.
  package init(feed: Feed, options: Scroll.Options) async throws {
    self.feed = feed
    self.options = options
    let snapshot = try await feed.query(in: feed.database()).getDocuments()
    rows = snapshot.documents.map(\.documentID)
  }

  /// The number of pages a reader who misses nothing reads.
  package var expectedPageCount: Int {
    let pages = (rows.count + options.pageSize - 1) / options.pageSize
    return max(1, min(pages, options.pages ?? .max))
  }

  /// Scrolls with `strategy` through a database of its own.
  ///
  /// `visited` hears the number of pages read so far.
  ///
  /// - Throws: what the source throws.
  package func scroll(
    by strategy: PagingStrategy, visited: @Sendable (Int) -> Void = { _ in }
  ) async throws -> Scroll {
    let firestore = try feed.database()
    let query = feed.query(in: firestore)
    // Firestore has the index before a reader comes; here the first query builds it.
    _ = try await query.limit(to: 1).getDocuments()
    let source = strategy.source(for: query)
    var churn = Churn(options: options, feed: feed, rows: rows)
    var scroll = Scroll(strategy: strategy)
    var screen = Screen(strategy)
    var cursor: AnyCursor?
    repeat {
      if !scroll.visits.isEmpty { try churn.strike(firestore) }
      firestore.readMeter.reset()
      let start = ContinuousClock.now
      let page = try await source.page(
        after: screen.isReplaced ? nil : cursor,
        limit: options.pageSize * (screen.isReplaced ? scroll.visits.count + 1 : 1))
      let duration = ContinuousClock.now - start
      scroll.visits.append(
        Scroll.Visit(
          rows: screen.show(page.items), requests: firestore.readMeter.entries,
          duration: duration))
      cursor = page.next
      visited(scroll.visits.count)
    } while cursor != nil && scroll.visits.count < options.pages ?? .max
    scroll.reachedEnd = cursor == nil
    scroll.duplicatesShown = screen.duplicates
    scroll.rowsShown = screen.shown.count
    scroll.rowsNeverShown = neverShown(on: screen, of: scroll, deleted: churn.deleted)
    return scroll
  }

  private func neverShown(on screen: Screen, of scroll: Scroll, deleted: Set<RowID>) -> Int {
    let last = rows.lastIndex { screen.shown.contains(RowID($0)) }
    let due = scroll.reachedEnd ? rows[...] : rows.prefix((last ?? -1) + 1)
    return due.count { !screen.shown.contains(RowID($0)) && !deleted.contains(RowID($0)) }
  }
}

/// What the reader has had before their eyes.
private struct Screen {
  /// A growing limit is a listener in practice: each answer is the whole list and replaces the one
  /// before. Every other strategy's page is appended.
  let isReplaced: Bool
  private(set) var shown: Set<RowID> = []
  private(set) var duplicates = 0

  init(_ strategy: PagingStrategy) { isReplaced = strategy == .growingLimit }

  /// Shows `rows`; those of them that the reader sees as a new row.
  mutating func show(_ rows: [String]) -> [String] {
    rows.filter { row in
      if shown.insert(RowID(row)).inserted { return true }
      if isReplaced { return false }
      duplicates += 1
      return true
    }
  }
}
