import FeedPaging
import Observation
import ReadBilling
import Synchronization
import Testing

/// A feed over a source whose answers the test releases by hand.
@MainActor
private struct HeldFeed {
  let source: HeldSource<Post, Int>
  let feed: FeedViewModel<Post>

  init(prefetchDistance: Int = 0, obeysCancellation: Bool = false) {
    source = HeldSource(obeysCancellation: obeysCancellation)
    feed = FeedViewModel(source: source, pageSize: 2, prefetchDistance: prefetchDistance)
  }

  /// Starts a load, and returns when its request has reached the source.
  func begin(
    _ number: Int, _ load: @escaping @MainActor @Sendable (FeedViewModel<Post>) async -> Void
  ) async -> Task<Void, Never> {
    let caller = Task { await load(feed) }
    await source.arrival(of: number)
    return caller
  }

  /// Shows posts 1 and 2, with more behind them.
  func showFirstPage() async {
    let caller = await begin(1) { await $0.loadFirstPage() }
    source.answer(1, .posts([1, 2], next: 2))
    await caller.value
  }

  /// Returns when so many reads have been booked as wasted.
  func waste(of reads: Int) async {
    while feed.wastedReads.total < reads { await Task.yield() }
  }

  var ids: [Int] { feed.items.map(\.id) }
}

@MainActor @Suite(.timeLimit(.minutes(2))) struct FeedViewModelTests {
  @Test func `a page is fifteen items unless it is told otherwise`() async {
    let source = HeldSource<Post, Int>()
    let feed = FeedViewModel(source: source)
    let caller = Task { await feed.loadFirstPage() }
    await source.arrival(of: 1)
    #expect(source.requests.map(\.limit) == [15])
    source.answer(1, .posts([], next: nil))
    await caller.value
  }

  @Test func `the flags say what is being loaded`() async {
    let held = HeldFeed()
    #expect(held.feed.state == .idle)
    #expect(!held.feed.isLoadingFirstPage)

    let first = await held.begin(1) { await $0.loadFirstPage() }
    #expect(held.feed.isLoadingFirstPage)
    #expect(held.feed.state == .loading)
    held.source.answer(1, .posts([1, 2], next: 2))
    await first.value
    #expect(!held.feed.isLoadingFirstPage)
    #expect(held.feed.state == .loaded)

    let next = await held.begin(2) { await $0.fetchNextPage() }
    #expect(held.feed.isLoadingMore)
    #expect(held.feed.state == .loaded)
    held.source.answer(2, .posts([3], next: nil))
    await next.value
    #expect(!held.feed.isLoadingMore)
    #expect(!held.feed.canLoadMore)

    let refresh = await held.begin(3) { await $0.refresh() }
    #expect(held.feed.isRefreshing)
    #expect(held.ids == [1, 2, 3])
    held.source.answer(3, .posts([], next: nil))
    await refresh.value
    #expect(!held.feed.isRefreshing)
    #expect(held.feed.state == .empty)
  }

  @Test func `callers for the same page share one query and all get its result`() async {
    let held = HeldFeed()
    await held.showFirstPage()
    let first = await held.begin(2) { await $0.fetchNextPage() }
    let others = (1...3).map { _ in
      Task {
        await held.feed.fetchNextPage()
        return held.ids
      }
    }
    for _ in 1...10 { await Task.yield() }
    held.source.answer(2, .posts([3, 4], next: 4))
    await first.value
    for other in others { #expect(await other.value == [1, 2, 3, 4]) }
    #expect(held.source.requests.count == 2)
    #expect(held.feed.billedReads.total == 4)
  }

  @Test func `a late answer is dropped after a refresh, and its reads are wasted`() async {
    let held = HeldFeed()
    await held.showFirstPage()
    let next = await held.begin(2) { await $0.fetchNextPage() }
    let refresh = await held.begin(3) { await $0.refresh() }
    #expect(held.source.wasCancelled(2))

    held.source.answer(3, .posts([9, 8], next: 2))
    await refresh.value
    await next.value
    held.source.answer(2, .posts([3, 4], next: 4))
    await held.waste(of: 2)
    #expect(held.ids == [9, 8])
    #expect(held.feed.billedReads.total == 6)
    #expect(held.feed.billedReadsOfLastPage.total == 2)
  }

  @Test func `a caller whose load a refresh replaced waits for the refresh`() async {
    let held = HeldFeed()
    let first = await held.begin(1) {
      await $0.loadFirstPage()
      #expect($0.items.map(\.id) == [9])
    }
    let refresh = await held.begin(2) { await $0.refresh() }
    held.source.answer(1, .posts([1, 2], next: 2))
    await held.waste(of: 2)
    #expect(held.ids.isEmpty)
    held.source.answer(2, .posts([9], next: nil))
    await first.value
    await refresh.value
  }

  /// The six orders in which three requests can be answered.
  nonisolated static let orders = [
    [1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1],
  ]

  @Test(arguments: orders)
  func `whatever the order of the answers, the items are those of the last load`(
    order: [Int]
  ) async {
    let held = HeldFeed()
    let first = await held.begin(1) { await $0.loadFirstPage() }
    let refresh = await held.begin(2) { await $0.refresh() }
    held.feed.cancel()
    await first.value
    await refresh.value
    let last = await held.begin(3) { await $0.loadFirstPage() }

    for number in order { held.source.answer(number, .posts([number, 10 + number], next: number)) }
    await last.value
    await held.waste(of: 4)
    #expect(held.ids == [3, 13])
    #expect(held.feed.billedReads.total == 6)
    #expect(held.feed.wastedReads.total == 4)

    let next = await held.begin(4) { await $0.fetchNextPage() }
    #expect(held.source.requests.last?.cursor == 3)
    held.source.answer(4, .posts([], next: nil))
    await next.value
  }

  @Test func `after the end no query is sent`() async {
    let held = HeldFeed()
    let caller = await held.begin(1) { await $0.loadFirstPage() }
    held.source.answer(1, .posts([1], next: nil))
    await caller.value
    await held.feed.fetchNextPage()
    await held.feed.loadMoreIfNeeded(currentItem: Post(id: 1))
    await held.feed.loadFirstPage()
    await held.feed.retry()
    #expect(held.source.requests.count == 1)
    #expect(held.feed.billedReads.total == 1)
  }

  @Test func `a failure keeps the items, and a retry repeats what failed`() async {
    let held = HeldFeed()
    await held.showFirstPage()
    let next = await held.begin(2) { await $0.fetchNextPage() }
    held.source.fail(2, Offline())
    await next.value
    #expect(held.ids == [1, 2])
    #expect(held.feed.state == .loaded)
    #expect(held.feed.error?.load == .nextPage)
    #expect(!held.feed.isLoadingMore)

    await held.feed.loadMoreIfNeeded(currentItem: Post(id: 2))
    #expect(held.source.requests.count == 2, "a row that appears does not repeat a failure")

    let retry = await held.begin(3) { await $0.retry() }
    #expect(held.feed.error == nil)
    #expect(held.source.requests.last?.cursor == 2)
    held.source.answer(3, .posts([3], next: nil))
    await retry.value
    #expect(held.ids == [1, 2, 3])
  }

  @Test func `a refresh that fails leaves the items, and paging goes on`() async {
    let held = HeldFeed()
    await held.showFirstPage()
    let refresh = await held.begin(2) { await $0.refresh() }
    held.source.fail(2, BilledFailure(underlying: Offline(), cost: .ofQuery(returning: 2)))
    await refresh.value
    #expect(held.feed.error?.load == .refresh)
    #expect(held.feed.wastedReads.total == 2)

    let next = await held.begin(3) { await $0.loadMoreIfNeeded(currentItem: Post(id: 2)) }
    held.source.answer(3, .posts([3], next: nil))
    await next.value
    #expect(held.ids == [1, 2, 3])
    #expect(held.feed.error == nil)
  }

  @Test func `a cancelled caller stops waiting, and the load goes on for the others`() async {
    let held = HeldFeed()
    let first = await held.begin(1) { await $0.loadFirstPage() }
    let other = Task { await held.feed.loadFirstPage() }
    first.cancel()
    await first.value
    #expect(held.feed.isLoadingFirstPage)
    #expect(held.feed.error == nil)
    #expect(!held.source.wasCancelled(1))

    held.source.answer(1, .posts([1, 2], next: 2))
    await other.value
    #expect(held.ids == [1, 2])
    #expect(held.feed.wastedReads.total == 0)
  }

  @Test func `a page whose only caller has left is there when the reader comes back`() async {
    let held = HeldFeed()
    let caller = await held.begin(1) { await $0.loadFirstPage() }
    caller.cancel()
    await caller.value
    held.source.answer(1, .posts([1, 2], next: 2))
    await held.feed.loadFirstPage()
    #expect(held.ids == [1, 2])
    #expect(held.source.requests.count == 1)
  }

  @Test func `a caller cancelled beforehand sends nothing`() async {
    let held = HeldFeed()
    let caller = Task { await held.feed.loadFirstPage() }
    caller.cancel()
    await caller.value
    #expect(held.feed.state == .idle)
    #expect(held.source.requests.isEmpty)
  }

  @Test(arguments: [false, true])
  func `cancelling a load shows no error, and the page can be loaded again`(
    obeysCancellation: Bool
  ) async {
    let held = HeldFeed(obeysCancellation: obeysCancellation)
    let caller = await held.begin(1) { await $0.loadFirstPage() }
    held.feed.cancel()
    await caller.value
    #expect(held.feed.state == .idle)
    #expect(held.feed.error == nil)

    let again = await held.begin(2) { await $0.loadFirstPage() }
    if !obeysCancellation { held.source.answer(1, .posts([7, 8], next: 2)) }
    held.source.answer(2, .posts([1, 2], next: 2))
    await again.value
    #expect(held.ids == [1, 2])
  }

  @Test func `a feed that is let go cancels its load`() async {
    let source = HeldSource<Post, Int>()
    var feed: FeedViewModel<Post>? = FeedViewModel(source: source)
    let caller = Task { [feed] in await feed?.loadFirstPage() }
    await source.arrival(of: 1)
    caller.cancel()
    await caller.value
    feed = nil
    while !source.wasCancelled(1) { await Task.yield() }
    source.answer(1, .posts([1], next: nil))
  }

  @Test(arguments: [(0, [false, false, false, true]), (1, [false, false, true, true])])
  func `the next page is asked for by the last row, or earlier by the prefetch distance`(
    distance: Int, asks: [Bool]
  ) async {
    for (row, asks) in asks.enumerated() {
      let held = HeldFeed(prefetchDistance: distance)
      let first = await held.begin(1) { await $0.loadFirstPage() }
      held.source.answer(1, .posts(0..<4, next: 4))
      await first.value
      if asks {
        let next = await held.begin(2) { await $0.loadMoreIfNeeded(currentItem: Post(id: row)) }
        held.source.answer(2, .posts([4], next: nil))
        await next.value
      } else {
        await held.feed.loadMoreIfNeeded(currentItem: Post(id: row))
      }
      #expect(held.source.requests.count == (asks ? 2 : 1))
    }
  }

  @Test func `an item that is not in the feed asks for nothing`() async {
    let held = HeldFeed()
    await held.showFirstPage()
    await held.feed.loadMoreIfNeeded(currentItem: Post(id: 99))
    #expect(held.source.requests.count == 1)
  }

  @Test func `a source of empty pages is asked four times at most`() async {
    struct EmptyForEver: PageSource {
      func page(after cursor: Int?, limit: Int) async throws -> Page<Post, Int> {
        .posts([], next: (cursor ?? 0) + 1)
      }
    }
    let feed = FeedViewModel<Post>(source: EmptyForEver())
    await feed.loadFirstPage()
    #expect(feed.queryCount == 4)
    #expect(feed.canLoadMore)
    #expect(feed.error == nil)
  }

  @Test func `the cursor of a hidden source is compared too`() async {
    struct Stuck: PageSource {
      func page(after cursor: Int?, limit: Int) async throws -> Page<Post, Int> {
        .posts([1, 2], next: 2)
      }
    }
    let feed = FeedViewModel<Post>(source: Stuck())
    await feed.loadFirstPage()
    await feed.fetchNextPage()
    await feed.fetchNextPage()
    guard case .cursorDidNotAdvance(.nextPage, itemsShown: 2) = feed.error else {
      Issue.record("\(String(describing: feed.error))")
      return
    }
    #expect(feed.items.map(\.id) == [1, 2])
    #expect(!feed.canLoadMore)
    #expect(feed.queryCount == 2)
  }

  @Test func `only what changes is announced`() async {
    let held = HeldFeed()
    await held.showFirstPage()
    let items = Announcement { _ = held.feed.items }
    let flag = Announcement { _ = held.feed.isLoadingMore }
    let next = await held.begin(2) { await $0.fetchNextPage() }
    #expect(flag.hasCome)
    #expect(!items.hasCome)
    held.source.answer(2, .posts([3], next: nil))
    await next.value
    #expect(items.hasCome)

    let end = Announcement { _ = held.feed.state }
    await held.feed.fetchNextPage()
    #expect(!end.hasCome, "a command that does nothing redraws nothing")
  }

  @Test func `the meter knows under which label a page was loaded`() async {
    let meter = ReadMeter()
    let source = CursorSource { (last: Int?, limit) in
      let ids = Array(((last ?? 0) + 1)...((last ?? 0) + limit))
      meter.record(
        .query(returned: limit, skipped: 0, indexEntries: limit, rangeFields: 0), fingerprint: 1,
        indexEntriesScanned: limit, path: "posts", query: { "posts" })
      return ids
    } item: {
      Post(id: $0)
    }
    let feed = FeedViewModel(source: source)
    let measured = await meter.measure {
      await ReadMeter.label("home") { await feed.loadFirstPage() }
    }
    await feed.fetchNextPage()
    #expect(meter.reads(labelled: "home").total == 15)
    #expect(measured.reads.total == 15)
    #expect(feed.billedReads == meter.reads)
  }
}

/// Whether what was read has changed since.
private final class Announcement: Sendable {
  private let come = Mutex(false)

  init(_ read: () -> Void) {
    withObservationTracking(read) { [weak self] in self?.come.withLock { $0 = true } }
  }

  var hasCome: Bool { come.withLock { $0 } }
}
