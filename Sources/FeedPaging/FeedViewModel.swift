public import Observation
public import ReadBilling

/// The model of a screen that shows a feed: its items, what is being loaded, what went wrong, and
/// what all of it was billed.
///
/// ```swift
/// struct FeedView: View {
///   @State var feed: FeedViewModel<Post>
///
///   var body: some View {
///     List(feed.items) { post in
///       PostRow(post).task { await feed.loadMoreIfNeeded(currentItem: post) }
///     }
///     .task { await feed.loadFirstPage() }
///     .refreshable { await feed.refresh() }
///   }
/// }
/// ```
///
/// The main actor guards it. Its functions may be called at any time, in any number: at most one
/// load runs, whoever wants the same page waits for that one, and after the end of the feed no query
/// is sent. A caller whose task is cancelled stops waiting; the load goes on for the others, and for
/// the reader who comes back.
@MainActor @Observable
public final class FeedViewModel<Item: Decodable & Identifiable & Sendable>
where Item.ID: Sendable {
  private let pager: Pager<AnyPageSource<Item>>
  private let prefetchDistance: Int

  /// A model that has loaded nothing.
  ///
  /// - Parameters:
  ///   - source: where the pages come from.
  ///   - pageSize: the number of items asked for at a time; at least one is.
  ///   - prefetchDistance: how many rows before the last one the next page is asked for.
  public init(source: some PageSource<Item>, pageSize: Int = 15, prefetchDistance: Int = 0) {
    pager = Pager(source: AnyPageSource(source), pageSize: pageSize)
    self.prefetchDistance = max(0, prefetchDistance)
  }

  /// Loads the first page, unless it is there already; to load it again, use ``refresh()``.
  ///
  /// - Cost: what the page is billed; nothing if it is there or on its way.
  public func loadFirstPage() async { await pager.loadFirstPage() }

  /// Loads the page after the last one; the first page if there is none yet.
  ///
  /// - Cost: what the page is billed; nothing at the end of the feed or if it is on its way.
  public func fetchNextPage() async { await pager.loadNextPage() }

  /// Loads the next page if the item is the last one, or within the prefetch distance of it.
  ///
  /// After a next page has failed it loads nothing, so that a row that appears again and again does
  /// not ask again and again; ``retry()`` and ``fetchNextPage()`` do.
  ///
  /// - Parameter item: the item whose row has appeared.
  /// - Cost: what the page is billed; nothing for an item further up.
  public func loadMoreIfNeeded(currentItem item: Item) async {
    let state = pager.state
    guard let index = state.index(of: item.id), state.error?.load != .nextPage else { return }
    if index >= state.items.count - 1 - prefetchDistance { await fetchNextPage() }
  }

  /// Loads the first page anew and puts it in the place of all items; until then, and if it fails,
  /// they stay.
  ///
  /// A first or next page that is being loaded is cancelled; its answer is dropped, and its reads
  /// count as wasted.
  ///
  /// - Cost: what the page is billed; nothing if a refresh is on its way.
  public func refresh() async { await pager.refresh() }

  /// Repeats the load that failed, if the last one did.
  ///
  /// - Cost: what the page is billed; nothing if nothing failed.
  public func retry() async { await pager.retry() }

  /// Cancels the load that is running, without an error; its answer is dropped, and its reads count
  /// as wasted.
  public func cancel() { pager.cancel() }

  /// The items, in the order of the feed, each id once.
  public var items: [Item] { pager.items }

  /// What to show in place of the list, or that the list is to be shown.
  public var state: LoadableState { pager.state.loadable }

  /// Why the last load failed, and which load it was; nil once another has started.
  public var error: PagingError? { pager.state.error }

  /// Whether the first page is being loaded.
  public var isLoadingFirstPage: Bool { pager.state.running == .firstPage }

  /// Whether the next page is being loaded.
  public var isLoadingMore: Bool { pager.state.running == .nextPage }

  /// Whether the first page is being loaded anew.
  public var isRefreshing: Bool { pager.state.running == .refresh }

  /// Whether ``fetchNextPage()`` can bring anything: false at the end of the feed, and after
  /// ``PagingError/cursorDidNotAdvance(_:itemsShown:)``.
  public var canLoadMore: Bool { pager.state.canLoadMore }

  /// The reads billed in all, by cause, wasted ones included.
  public var billedReads: BilledReads { pager.state.cost.reads }

  /// The reads billed for the last page that came in.
  public var billedReadsOfLastPage: BilledReads { pager.state.lastPageCost.reads }

  /// The reads billed for answers that came too late or failed.
  public var wastedReads: BilledReads { pager.state.wastedCost.reads }

  /// The reads billed in all, a line for each page, and for what was wasted.
  public var bill: ReadBill { pager.state.bill }

  /// The queries sent in all, as far as they were answered.
  public var queryCount: Int { pager.state.cost.queries }

  /// The number of items in the whole feed, if the source counts them.
  public var totalItems: Int? { pager.state.totalItems }

  /// The number of the last page loaded, from 1, if the source numbers its pages.
  public var pageNumber: Int? { pager.state.pageNumber }

  /// The number of the feed's last page, if the source knows it.
  public var lastPageNumber: Int? { pager.state.lastPageNumber }
}

extension ReadBudget {
  /// Compares what a feed has been billed so far.
  ///
  /// ```swift
  /// await feed.loadFirstPage()
  /// try ReadBudget(atMost: 15).check(feed)
  /// ```
  ///
  /// - Parameter feed: the model of the screen.
  /// - Throws: a `ReadBudgetError`, which reads as the bill page by page.
  @MainActor
  public func check<Item>(_ feed: FeedViewModel<Item>) throws(ReadBudgetError) {
    try check(feed.bill)
  }
}
