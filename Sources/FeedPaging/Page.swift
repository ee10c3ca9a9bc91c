public import ReadBilling

/// The items of one page, where the next page starts, and what this one cost.
public struct Page<Item: Sendable, Cursor: Sendable>: Sendable {
  /// The items, in the order of the feed.
  public var items: [Item]
  /// Where the next page starts; nil if this page is the last.
  public var next: Cursor?
  /// What was billed for this page.
  public var cost: PageCost
  /// The number of items in the whole feed, if the source counts them.
  public var totalItems: Int?
  /// The number of this page, from 1, if the source numbers its pages.
  public var pageNumber: Int?
  /// The number of the last page, if the source knows it.
  public var lastPageNumber: Int?

  /// A page.
  ///
  /// - Parameters:
  ///   - items: the items, in the order of the feed.
  ///   - next: where the next page starts; nil if this page is the last.
  ///   - cost: what was billed for this page.
  ///   - totalItems: the number of items in the whole feed.
  ///   - pageNumber: the number of this page, from 1.
  ///   - lastPageNumber: the number of the last page.
  public init(
    items: [Item], next: Cursor?, cost: PageCost = PageCost(), totalItems: Int? = nil,
    pageNumber: Int? = nil, lastPageNumber: Int? = nil
  ) {
    self.items = items
    self.next = next
    self.cost = cost
    self.totalItems = totalItems
    self.pageNumber = pageNumber
    self.lastPageNumber = lastPageNumber
  }

  /// Whether another page follows.
  public var hasNext: Bool { next != nil }
}

extension Page: Equatable where Item: Equatable, Cursor: Equatable {}

/// What was billed for a page: the queries sent and the reads they were billed.
public struct PageCost: Hashable, Sendable {
  /// The requests sent.
  public var queries: Int
  /// The reads billed, by cause.
  public var reads: BilledReads

  /// A cost.
  ///
  /// - Parameters:
  ///   - queries: the requests sent.
  ///   - reads: the reads billed, by cause.
  public init(queries: Int = 0, reads: BilledReads = BilledReads()) {
    self.queries = queries
    self.reads = reads
  }

  /// The cost of one query that returns so many documents and skips none.
  public static func ofQuery(returning documents: Int) -> PageCost {
    let query = BillableOperation.query(
      returned: documents, skipped: 0, indexEntries: 0, rangeFields: 0)
    return PageCost(queries: 1, reads: BillingRules.reads(for: query))
  }

  /// The sum of two costs.
  public static func + (left: PageCost, right: PageCost) -> PageCost {
    PageCost(queries: left.queries + right.queries, reads: left.reads + right.reads)
  }

  /// Adds a cost to another.
  public static func += (left: inout PageCost, right: PageCost) {
    left = left + right
  }
}

/// What a source throws when its query was billed and yet no page came of it: a document that could
/// not be decoded, or a second request that failed after the first.
///
/// A pager shows ``underlying`` and books ``cost`` as wasted.
public struct BilledFailure: Error {
  /// What went wrong.
  public var underlying: any Error
  /// What had been billed by then.
  public var cost: PageCost

  /// A failure that was billed.
  ///
  /// - Parameters:
  ///   - underlying: what went wrong.
  ///   - cost: what had been billed by then.
  public init(underlying: any Error, cost: PageCost) {
    self.underlying = underlying
    self.cost = cost
  }
}
