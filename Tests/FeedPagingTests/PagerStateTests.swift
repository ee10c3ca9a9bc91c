import FeedPaging
import ReadBilling
import Testing

typealias State = PagerState<Post, Int>

extension State.Effect {
  var words: String {
    switch self {
    case .load(let cursor, _, let generation):
      "load \(cursor.map { "after \($0)" } ?? "first") #\(generation)"
    case .cancel(let generation): "cancel #\(generation)"
    case .join: "join"
    }
  }
}

/// One row of the pager's table: after `given`, `event` has these effects and leaves this state.
struct Row: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var given: [State.Event]
  var event: State.Event
  var effects: [String]
  var running: PageLoad?
  var ids: [Int]
  var canLoadMore = true
  var loadable: LoadableState
  var wasted = 0

  func state() -> State {
    var state = State(pageSize: 2)
    for event in given { _ = state.handle(event) }
    return state
  }
}

@Suite struct PagerStateTests {
  static let first = Page.posts([1, 2], next: 2)
  static let last = Page.posts([3], next: nil)
  static let shown: [State.Event] = [.loadFirstPage, .loaded(first, generation: 1)]
  static let ended: [State.Event] = shown + [.loadNextPage, .loaded(last, generation: 2)]
  static let failedNext: [State.Event] = shown + [.loadNextPage, .failed(Offline(), generation: 2)]

  static let commands: [Row] = [
    Row(
      testDescription: "the first page is asked for from the start",
      given: [], event: .loadFirstPage, effects: ["load first #1"], running: .firstPage, ids: [],
      loadable: .loading),
    Row(
      testDescription: "the next page of nothing is the first page",
      given: [], event: .loadNextPage, effects: ["load first #1"], running: .firstPage, ids: [],
      loadable: .loading),
    Row(
      testDescription: "a refresh of nothing is a refresh",
      given: [], event: .refresh, effects: ["load first #1"], running: .refresh, ids: [],
      loadable: .loading),
    Row(
      testDescription: "without a failure there is nothing to retry",
      given: [], event: .retry, effects: [], ids: [], loadable: .idle),
    Row(
      testDescription: "without a load there is nothing to cancel",
      given: [], event: .cancel, effects: [], ids: [], loadable: .idle),
    Row(
      testDescription: "two callers for the first page share one load",
      given: [.loadFirstPage], event: .loadFirstPage, effects: ["join"], running: .firstPage,
      ids: [], loadable: .loading),
    Row(
      testDescription: "the next page of a first page on its way is that first page",
      given: [.loadFirstPage], event: .loadNextPage, effects: ["join"], running: .firstPage,
      ids: [], loadable: .loading),
    Row(
      testDescription: "a refresh takes the place of a first page on its way",
      given: [.loadFirstPage], event: .refresh, effects: ["cancel #1", "load first #2"],
      running: .refresh, ids: [], loadable: .loading),
    Row(
      testDescription: "a first page that is there is not loaded again",
      given: shown, event: .loadFirstPage, effects: [], ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "the next page goes on at the cursor",
      given: shown, event: .loadNextPage, effects: ["load after 2 #2"], running: .nextPage,
      ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "two callers for the next page share one load",
      given: shown + [.loadNextPage], event: .loadNextPage, effects: ["join"], running: .nextPage,
      ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "the first page is there while the next one loads",
      given: shown + [.loadNextPage], event: .loadFirstPage, effects: [], running: .nextPage,
      ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "a refresh takes the place of a next page on its way",
      given: shown + [.loadNextPage], event: .refresh, effects: ["cancel #2", "load first #3"],
      running: .refresh, ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "a next page waits for the refresh, and does not cancel it",
      given: shown + [.refresh], event: .loadNextPage, effects: ["join"], running: .refresh,
      ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "two refreshes share one load",
      given: shown + [.refresh], event: .refresh, effects: ["join"], running: .refresh,
      ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "a cancelled load leaves the feed where it was",
      given: shown + [.loadNextPage], event: .cancel, effects: ["cancel #2"], ids: [1, 2],
      loadable: .loaded),
    Row(
      testDescription: "after a cancelled load the same page can be loaded",
      given: shown + [.loadNextPage, .cancel], event: .loadNextPage, effects: ["load after 2 #3"],
      running: .nextPage, ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "after the end nothing is sent",
      given: ended, event: .loadNextPage, effects: [], ids: [1, 2, 3], canLoadMore: false,
      loadable: .loaded),
    Row(
      testDescription: "at the end, a next page still waits for the refresh",
      given: ended + [.refresh], event: .loadNextPage, effects: ["join"], running: .refresh,
      ids: [1, 2, 3], canLoadMore: false, loadable: .loaded),
    Row(
      testDescription: "a retry repeats the next page that failed",
      given: failedNext, event: .retry, effects: ["load after 2 #3"], running: .nextPage,
      ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "a retry repeats the first page that failed",
      given: [.loadFirstPage, .failed(Offline(), generation: 1)], event: .retry,
      effects: ["load first #2"], running: .firstPage, ids: [], loadable: .loading),
    Row(
      testDescription: "a retry repeats the refresh that failed",
      given: shown + [.refresh, .failed(Offline(), generation: 2)], event: .retry,
      effects: ["load first #3"], running: .refresh, ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "a retry goes on behind the empty pages that were followed",
      given: shown + [
        .loadNextPage, .loaded(.posts([], next: 4), generation: 2),
        .failed(Offline(), generation: 3),
      ],
      event: .retry, effects: ["load after 4 #4"], running: .nextPage, ids: [1, 2],
      loadable: .loaded),
    Row(
      testDescription: "two retries share one load",
      given: failedNext + [.retry], event: .retry, effects: ["join"], running: .nextPage,
      ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "after a failed refresh the next page goes on where it was",
      given: shown + [.refresh, .failed(Offline(), generation: 2)], event: .loadNextPage,
      effects: ["load after 2 #3"], running: .nextPage, ids: [1, 2], loadable: .loaded),
  ]

  static let answers: [Row] = [
    Row(
      testDescription: "the first page is shown",
      given: [.loadFirstPage], event: .loaded(first, generation: 1), effects: [], ids: [1, 2],
      loadable: .loaded),
    Row(
      testDescription: "a first page without items is an empty feed",
      given: [.loadFirstPage], event: .loaded(.posts([], next: nil), generation: 1), effects: [],
      ids: [], canLoadMore: false, loadable: .empty),
    Row(
      testDescription: "a next page goes to the end",
      given: shown + [.loadNextPage], event: .loaded(last, generation: 2), effects: [],
      ids: [1, 2, 3], canLoadMore: false, loadable: .loaded),
    Row(
      testDescription: "an item that is there already is not shown twice",
      given: shown + [.loadNextPage], event: .loaded(.posts([2, 3], next: 3), generation: 2),
      effects: [], ids: [1, 2, 3], loadable: .loaded),
    Row(
      testDescription: "an item that a page holds twice is not shown twice",
      given: [.loadFirstPage], event: .loaded(.posts([1, 1], next: 2), generation: 1),
      effects: [], ids: [1], loadable: .loaded),
    Row(
      testDescription: "a refresh takes the place of all items",
      given: ended + [.refresh], event: .loaded(.posts([9, 1], next: 2), generation: 3),
      effects: [], ids: [9, 1], loadable: .loaded),
    Row(
      testDescription: "a refresh that finds nothing empties the feed",
      given: ended + [.refresh], event: .loaded(.posts([], next: nil), generation: 3), effects: [],
      ids: [], canLoadMore: false, loadable: .empty),
    Row(
      testDescription: "a next page that comes during the refresh is stale",
      given: shown + [.loadNextPage, .refresh], event: .loaded(last, generation: 2), effects: [],
      running: .refresh, ids: [1, 2], loadable: .loaded, wasted: 1),
    Row(
      testDescription: "a next page that comes after the refresh is stale",
      given: shown + [.loadNextPage, .refresh, .loaded(.posts([9], next: nil), generation: 3)],
      event: .loaded(last, generation: 2), effects: [], ids: [9], canLoadMore: false,
      loadable: .loaded, wasted: 1),
    Row(
      testDescription: "a first page that comes during the refresh is stale",
      given: [.loadFirstPage, .refresh], event: .loaded(first, generation: 1), effects: [],
      running: .refresh, ids: [], loadable: .loading, wasted: 2),
    Row(
      testDescription: "a page that comes after it was cancelled is stale",
      given: [.loadFirstPage, .cancel], event: .loaded(first, generation: 1), effects: [], ids: [],
      loadable: .idle, wasted: 2),
    Row(
      testDescription: "a failure that comes too late is nobody's",
      given: shown + [.loadNextPage, .refresh], event: .failed(Offline(), generation: 2),
      effects: [], running: .refresh, ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "an empty page with more behind it is followed",
      given: [.loadFirstPage], event: .loaded(.posts([], next: 2), generation: 1),
      effects: ["load after 2 #2"], running: .firstPage, ids: [], loadable: .loading),
    Row(
      testDescription: "a next page that brings nothing new is followed",
      given: shown + [.loadNextPage], event: .loaded(.posts([1, 2], next: 4), generation: 2),
      effects: ["load after 4 #3"], running: .nextPage, ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "a refresh keeps the items while it follows empty pages",
      given: shown + [.refresh], event: .loaded(.posts([], next: 2), generation: 2),
      effects: ["load after 2 #3"], running: .refresh, ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "the fourth empty page is not followed, and more can be loaded",
      given: [
        .loadFirstPage, .loaded(.posts([], next: 2), generation: 1),
        .loaded(.posts([], next: 4), generation: 2), .loaded(.posts([], next: 6), generation: 3),
      ],
      event: .loaded(.posts([], next: 8), generation: 4), effects: [], ids: [], loadable: .loaded),
    Row(
      testDescription: "the load after the fourth empty page goes on behind it",
      given: [
        .loadFirstPage, .loaded(.posts([], next: 2), generation: 1),
        .loaded(.posts([], next: 4), generation: 2), .loaded(.posts([], next: 6), generation: 3),
        .loaded(.posts([], next: 8), generation: 4),
      ],
      event: .loadNextPage, effects: ["load after 8 #5"], running: .nextPage, ids: [],
      loadable: .loading),
  ]

  static let failures: [Row] = [
    Row(
      testDescription: "a first page that fails is an error",
      given: [.loadFirstPage], event: .failed(Offline(), generation: 1), effects: [], ids: [],
      loadable: .error),
    Row(
      testDescription: "a next page that fails keeps the items",
      given: shown + [.loadNextPage], event: .failed(Offline(), generation: 2), effects: [],
      ids: [1, 2], loadable: .loaded),
    Row(
      testDescription: "a refresh that fails keeps the items and the end",
      given: ended + [.refresh], event: .failed(Offline(), generation: 3), effects: [],
      ids: [1, 2, 3], canLoadMore: false, loadable: .loaded),
    Row(
      testDescription: "what was billed before a failure is wasted",
      given: shown + [.loadNextPage],
      event: .failed(
        BilledFailure(underlying: Offline(), cost: .ofQuery(returning: 2)), generation: 2),
      effects: [], ids: [1, 2], loadable: .loaded, wasted: 2),
    Row(
      testDescription: "a cursor that stays keeps the new items and ends the loading",
      given: shown + [.loadNextPage], event: .loaded(.posts([2, 3], next: 2), generation: 2),
      effects: [], ids: [1, 2, 3], canLoadMore: false, loadable: .loaded),
    Row(
      testDescription: "an empty page whose cursor stays is not followed",
      given: shown + [.loadNextPage], event: .loaded(.posts([], next: 2), generation: 2),
      effects: [], ids: [1, 2], canLoadMore: false, loadable: .loaded),
    Row(
      testDescription: "a cursor that stays while a refresh follows keeps the items",
      given: shown + [.refresh, .loaded(.posts([], next: 2), generation: 2)],
      event: .loaded(.posts([9], next: 2), generation: 3), effects: [], ids: [1, 2],
      canLoadMore: false, loadable: .loaded, wasted: 2),
    Row(
      testDescription: "after a cursor that stays nothing is sent",
      given: shown + [.loadNextPage, .loaded(.posts([2], next: 2), generation: 2)],
      event: .loadNextPage, effects: [], ids: [1, 2], canLoadMore: false, loadable: .loaded),
    Row(
      testDescription: "after a cursor that stays a retry asks once more",
      given: shown + [.loadNextPage, .loaded(.posts([2], next: 2), generation: 2)],
      event: .retry, effects: ["load after 2 #3"], running: .nextPage, ids: [1, 2],
      loadable: .loaded),
    Row(
      testDescription: "after a cursor that stays a refresh starts over",
      given: shown + [.loadNextPage, .loaded(.posts([2], next: 2), generation: 2)],
      event: .refresh, effects: ["load first #3"], running: .refresh, ids: [1, 2],
      loadable: .loaded),
  ]

  @Test(arguments: commands + answers + failures)
  func `a row of the table holds`(_ row: Row) {
    var state = row.state()
    let effects = state.handle(row.event)
    #expect(effects.map(\.words) == row.effects)
    #expect(state.running == row.running)
    #expect(state.items.map(\.id) == row.ids)
    #expect(state.canLoadMore == row.canLoadMore)
    #expect(state.loadable == row.loadable)
    #expect(state.wastedCost.reads.total == row.wasted)
  }

  @Test func `an item that comes again keeps its place and gets its new content`() {
    var state = State(pageSize: 2)
    _ = state.handle(.loadFirstPage)
    _ = state.handle(.loaded(.posts([1, 2], next: 2, text: "old"), generation: 1))
    _ = state.handle(.loadNextPage)
    _ = state.handle(.loaded(.posts([3, 1], next: nil, text: "new"), generation: 2))
    #expect(state.items.map(\.id) == [1, 2, 3])
    #expect(state.items.map(\.text) == ["new", "old", "new"])
    #expect(state.index(of: 3) == 2)
  }

  @Test func `a failure names the load and its cause until the next load starts`() {
    var state = Row.failedNextState
    guard case .loadFailed(.nextPage, let underlying) = state.error else {
      Issue.record("\(String(describing: state.error))")
      return
    }
    #expect(underlying is Offline)
    _ = state.handle(.retry)
    #expect(state.error == nil)
  }

  @Test func `a source that gave up because it was cancelled has not failed`() {
    var state = State(pageSize: 2)
    _ = state.handle(.loadFirstPage)
    _ = state.handle(.failed(CancellationError(), generation: 1))
    #expect(state.error == nil)
    #expect(state.loadable == .idle)
    #expect(state.running == nil)
  }

  @Test func `the cost of the last page is that of all requests it took`() {
    var state = State(pageSize: 2)
    _ = state.handle(.loadFirstPage)
    _ = state.handle(.loaded(.posts([], next: 2), generation: 1))
    _ = state.handle(.loaded(.posts([1, 2], next: 4), generation: 2))
    #expect(
      state.lastPageCost == PageCost(queries: 2, reads: [.documentsReturned: 2, .minimum: 1]))
    _ = state.handle(.loadNextPage)
    _ = state.handle(.loaded(.posts([3], next: nil), generation: 3))
    #expect(state.lastPageCost == .ofQuery(returning: 1))
    #expect(state.cost == PageCost(queries: 3, reads: [.documentsReturned: 3, .minimum: 1]))
  }

  @Test func `a page size below one asks for one`() {
    var state = State(pageSize: 0)
    guard case .load(_, let limit, _) = state.handle(.loadFirstPage).first else {
      Issue.record("no load")
      return
    }
    #expect(limit == 1)
  }

  private struct Opaque: Sendable { var offset: Int }

  @Test func `cursors that cannot be compared are not stuck when a refresh finds the same rows`() {
    var state = PagerState<Post, Opaque>(pageSize: 1)
    _ = state.handle(.loadFirstPage)
    _ = state.handle(.loaded(Page(items: [Post(id: 1)], next: Opaque(offset: 1)), generation: 1))
    _ = state.handle(.refresh)
    _ = state.handle(.loaded(Page(items: [], next: Opaque(offset: 1)), generation: 2))
    _ = state.handle(.loaded(Page(items: [Post(id: 1)], next: Opaque(offset: 2)), generation: 3))
    #expect(state.error == nil)
    #expect(state.canLoadMore)
    #expect(state.running == nil)
  }

  @Test func `cursors that cannot be compared are stuck when they bring only what is shown`() {
    var state = PagerState<Post, Opaque>(pageSize: 2)
    let page = Page(items: [Post(id: 1), Post(id: 2)], next: Opaque(offset: 2))
    _ = state.handle(.loadFirstPage)
    _ = state.handle(.loaded(page, generation: 1))
    _ = state.handle(.loadNextPage)
    #expect(state.handle(.loaded(page, generation: 2)).isEmpty)
    guard case .cursorDidNotAdvance(.nextPage, itemsShown: 2) = state.error else {
      Issue.record("\(String(describing: state.error))")
      return
    }
    #expect(!state.canLoadMore)
  }
}

extension Row {
  static var failedNextState: State {
    var state = State(pageSize: 2)
    for event in PagerStateTests.failedNext { _ = state.handle(event) }
    return state
  }
}
