public import ReadBilling

/// A pager as a pure value: an event goes in, effects come out; it has no task and no clock.
///
/// Whoever performs the effects (``Pager`` does) reports each load's answer as an event. What a
/// command does depends on the load that is running:
///
/// | command       | nothing runs               | first page runs | next page runs | refresh runs |
/// |---------------|----------------------------|-----------------|----------------|--------------|
/// | loadFirstPage | load, unless it is there   | join            | –              | join         |
/// | loadNextPage  | load, unless at the end    | join            | join           | join         |
/// | refresh       | load                       | cancel, load    | cancel, load   | join         |
/// | retry         | load what failed, if any   | join            | join           | join         |
/// | cancel        | –                          | cancel          | cancel         | cancel       |
///
/// Every request has a generation. An answer whose generation is not the running one is stale: its
/// reads are counted as wasted, and nothing else changes.
public struct PagerState<Item: Identifiable & Sendable, Cursor: Sendable>: Sendable
where Item.ID: Sendable {
  /// What happens to a pager.
  public enum Event: Sendable {
    /// The first page is wanted, if it is not there yet.
    case loadFirstPage
    /// The page after the last one is wanted.
    case loadNextPage
    /// The first page is wanted anew, in the place of all items.
    case refresh
    /// What failed is wanted again.
    case retry
    /// What is being loaded is no longer wanted.
    case cancel
    /// The source answered the request of that generation.
    case loaded(Page<Item, Cursor>, generation: Int)
    /// The source failed on the request of that generation.
    case failed(any Error, generation: Int)
  }

  /// What is to be done after an event.
  public enum Effect: Sendable {
    /// Ask the source for a page and report the answer with the generation.
    case load(after: Cursor?, limit: Int, generation: Int)
    /// Tell the request of that generation that its answer is no longer wanted.
    case cancel(generation: Int)
    /// Let whoever sent the event wait until nothing runs any more.
    case join
  }

  /// A load in progress: one request, and further ones while the answers bring nothing new.
  struct Run: Sendable {
    var load: PageLoad
    var generation: Int
    var after: Cursor?
    var requests = 1
    var cost = PageCost()
  }

  private enum Position: Sendable {
    case start
    case after(Cursor)
    case end
  }

  /// The most requests that one load sends while the answers bring nothing new.
  public static var requestsPerLoad: Int { 4 }

  /// The number of items asked for at a time.
  public let pageSize: Int
  /// The items, in the order of the feed, each id once.
  public private(set) var items: [Item] = []
  /// Why the last load failed; nil after any other end, and as soon as the next load starts.
  public private(set) var error: PagingError?
  /// Everything billed so far, wasted or not.
  public private(set) var cost = PageCost()
  /// What the last load that came in was billed, all its requests together.
  public private(set) var lastPageCost = PageCost()
  /// What was billed for answers that came too late or failed: part of ``cost``.
  public private(set) var wastedCost = PageCost()
  /// The same as ``cost``, a line for each page, and for what was wasted.
  public private(set) var bill = ReadBill()
  /// The pages of which ``items`` are made.
  public private(set) var pagesLoaded = 0
  /// The number of items in the whole feed, if the source counts them.
  public private(set) var totalItems: Int?
  /// The number of the last page loaded, from 1, if the source numbers its pages.
  public private(set) var pageNumber: Int?
  /// The number of the feed's last page, if the source knows it.
  public private(set) var lastPageNumber: Int?

  private(set) var run: Run?
  private var position = Position.start
  private var generation = 0
  private var places: [Item.ID: Int] = [:]

  /// A pager that has loaded nothing.
  ///
  /// - Parameter pageSize: the number of items asked for at a time; at least one is.
  public init(pageSize: Int) {
    self.pageSize = max(1, pageSize)
  }

  /// The kind of load that is running.
  public var running: PageLoad? { run?.load }

  /// Whether ``Event/loadNextPage`` can bring anything: false at the end of the feed, and when the
  /// source did not advance, until it is asked again by a retry or a refresh.
  public var canLoadMore: Bool {
    if case .cursorDidNotAdvance = error { return false }
    if case .end = position { return false }
    return true
  }

  /// What a view shows in place of the list, or that it shows the list.
  public var loadable: LoadableState {
    guard items.isEmpty else { return .loaded }
    if run != nil { return .loading }
    if error != nil { return .error }
    switch position {
    case .start: return .idle
    case .after: return .loaded
    case .end: return .empty
    }
  }

  /// The place of an item in ``items``.
  ///
  /// - Complexity: O(1).
  public func index(of id: Item.ID) -> Int? { places[id] }

  /// Takes an event in.
  ///
  /// - Returns: what is to be done, in order.
  public mutating func handle(_ event: Event) -> [Effect] {
    switch event {
    case .loadFirstPage: return want(.firstPage)
    case .loadNextPage: return want(.nextPage)
    case .refresh: return want(.refresh)
    case .retry:
      if run != nil { return [.join] }
      guard let failed = error?.load else { return [] }
      error = nil
      return want(failed)
    case .cancel:
      defer { run = nil }
      return run.map { [.cancel(generation: $0.generation)] } ?? []
    case .loaded(let page, let generation): return receive(page, generation)
    case .failed(let error, let generation):
      fail(error, generation)
      return []
    }
  }
}

// MARK: - Commands

extension PagerState {
  private mutating func want(_ load: PageLoad) -> [Effect] {
    switch (run, load) {
    case (nil, .firstPage):
      if case .start = position { return [start(.firstPage, after: nil)] }
      return []
    case (nil, .nextPage):
      guard canLoadMore else { return [] }
      if case .after(let cursor) = position { return [start(.nextPage, after: cursor)] }
      return [start(.firstPage, after: nil)]
    case (nil, .refresh):
      return [start(.refresh, after: nil)]
    case (let run?, .refresh) where run.load != .refresh:
      return [.cancel(generation: run.generation), start(.refresh, after: nil)]
    case (let run?, .firstPage) where run.load == .nextPage:
      return []
    case (_?, _):
      return [.join]
    }
  }

  private mutating func start(_ load: PageLoad, after cursor: Cursor?) -> Effect {
    error = nil
    return request(Run(load: load, generation: 0, after: cursor))
  }

  private mutating func request(_ next: Run) -> Effect {
    generation += 1
    run = next
    run?.generation = generation
    return .load(after: next.after, limit: pageSize, generation: generation)
  }
}

// MARK: - Answers

extension PagerState {
  private mutating func receive(_ page: Page<Item, Cursor>, _ generation: Int) -> [Effect] {
    cost += page.cost
    guard var run, run.generation == generation else {
      wastedCost += page.cost
      bill.add("an answer that came too late", page.cost.reads)
      return []
    }
    bill.add(name(of: run.load), page.cost.reads)
    run.cost += page.cost
    let isStuck = isStuck(page, run)
    if isStuck, run.load != .nextPage {
      // Nothing of an unfinished first page has been let in, so the items shown stay.
      wastedCost += run.cost
      stop(with: .cursorDidNotAdvance(run.load, itemsShown: items.count))
      return []
    }

    let before = items.count
    if run.load == .nextPage { merge(page.items) }
    let isNew = run.load == .nextPage ? items.count > before : !page.items.isEmpty
    if !isNew, !isStuck, let next = page.next, run.requests < Self.requestsPerLoad {
      if run.load == .nextPage { position = .after(next) }
      run.after = next
      run.requests += 1
      return [request(run)]
    }

    if run.load != .nextPage { replace(by: page.items) }
    finish(page, run)
    if isStuck { error = .cursorDidNotAdvance(run.load, itemsShown: items.count) }
    return []
  }

  /// Whether the page leads back to where it was asked for.
  ///
  /// Cursors that cannot be compared are judged by what they bring: a page of nothing but rows that
  /// are on the screen already.
  private func isStuck(_ page: Page<Item, Cursor>, _ run: Run) -> Bool {
    guard let after = run.after, let next = page.next else { return false }
    if let isSame = isSamePosition(after, next) { return isSame }
    return run.load == .nextPage && !page.items.isEmpty
      && page.items.allSatisfy { places[$0.id] != nil }
  }

  private mutating func finish(_ page: Page<Item, Cursor>, _ run: Run) {
    position = page.next.map { .after($0) } ?? .end
    pagesLoaded = pageNumber(of: run.load)
    lastPageCost = run.cost
    totalItems = page.totalItems
    pageNumber = page.pageNumber
    lastPageNumber = page.lastPageNumber
    self.run = nil
  }

  private mutating func fail(_ failure: any Error, _ generation: Int) {
    let billed = failure as? BilledFailure
    if let billed {
      cost += billed.cost
      wastedCost += billed.cost
      bill.add("a load that failed", billed.cost.reads)
    }
    guard let run, run.generation == generation else { return }
    let underlying = billed?.underlying ?? failure
    // A source that gave up because it was cancelled did not fail: the reader has nothing to read.
    stop(
      with: underlying is CancellationError
        ? nil : .loadFailed(run.load, underlying: underlying))
  }

  /// The place that a load's page takes in the feed, from 1.
  func pageNumber(of load: PageLoad) -> Int { load == .nextPage ? pagesLoaded + 1 : 1 }

  private func name(of load: PageLoad) -> String {
    switch load {
    case .firstPage: "page 1"
    case .nextPage: "page \(pagesLoaded + 1)"
    case .refresh: "page 1, refreshed"
    }
  }

  private mutating func stop(with error: PagingError?) {
    run = nil
    self.error = error
  }

  /// Adds the items that are new at the end; one that is there already keeps its place and gets the
  /// new content.
  private mutating func merge(_ newItems: [Item]) {
    for item in newItems {
      let end = items.count
      // One look-up finds the place, or takes the next one.
      let place = Self.value(of: &places[item.id, default: end])
      if place < end { items[place] = item } else { items.append(item) }
    }
  }

  private static func value(of place: inout Int) -> Int { place }

  private mutating func replace(by newItems: [Item]) {
    items.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
    merge(newItems)
  }
}
