import FeedPaging
import ReadBilling
import Testing

@Suite struct CursorSourceTests {
  /// Documents 1 to 7, each its own cursor; even ones are not for display, and one is broken.
  static func source(broken: Int? = nil) -> CursorSource<Post, Int> {
    CursorSource { last, limit in
      Array(((last ?? 0) + 1..<8).prefix(limit))
    } item: { document in
      if document == broken { throw Offline() }
      return document.isMultiple(of: 2) ? nil : Post(id: document)
    }
  }

  @Test func `documents left out count as read, and do not end the feed`() async throws {
    let page = try await Self.source().page(after: nil, limit: 3)
    #expect(page == Page(items: [Post(id: 1), Post(id: 3)], next: 3, cost: .ofQuery(returning: 3)))
  }

  @Test func `fewer documents than wanted are the end`() async throws {
    let page = try await Self.source().page(after: 6, limit: 3)
    #expect(page == Page(items: [Post(id: 7)], next: nil, cost: .ofQuery(returning: 1)))
    #expect(!page.hasNext)
  }

  @Test func `a full last page is followed by an empty one, which costs the minimum`() async throws
  {
    let full = try await Self.source().page(after: nil, limit: 7)
    #expect(full.next == 7)
    let empty = try await Self.source().page(after: full.next, limit: 7)
    #expect(empty == Page(items: [], next: nil, cost: PageCost(queries: 1, reads: [.minimum: 1])))
  }

  @Test func `a document that cannot be decoded fails the page with what was billed`() async {
    let failure = await #expect(throws: BilledFailure.self) {
      try await Self.source(broken: 3).page(after: nil, limit: 3)
    }
    #expect(failure?.underlying is Offline)
    #expect(failure?.cost == .ofQuery(returning: 3))
  }

  @Test func `rows may carry a cursor that is no document`() async throws {
    let source = CursorSource(cost: { PageCost(queries: $0) }) { (last: String?, limit) in
      let start = last.flatMap { Int($0) } ?? 0
      return (start + 1...start + limit).map { (Post(id: $0), "\($0)") }
    }
    let first = try await source.page(after: nil, limit: 2)
    let second = try await source.page(after: first.next, limit: 2)
    #expect(second.items.map(\.id) == [3, 4])
    #expect(second.next == "4")
    #expect(second.cost == PageCost(queries: 2))
  }
}

@Suite struct AnyPageSourceTests {
  struct Numbered: PageSource {
    func page(after cursor: Int?, limit: Int) async throws -> Page<Post, Int> {
      let number = (cursor ?? 0) + 1
      return Page(
        items: [Post(id: number)], next: number < 3 ? number : nil,
        cost: .ofQuery(returning: 1), totalItems: 3, pageNumber: number, lastPageNumber: 3)
    }
  }

  @Test func `a hidden source gives the same pages`() async throws {
    let hidden = AnyPageSource(Numbered())
    var cursor: AnyCursor?
    for number in 1...3 {
      let page = try await hidden.page(after: cursor, limit: 1)
      #expect(page.items == [Post(id: number)])
      #expect(page.cost == .ofQuery(returning: 1))
      #expect(page.totalItems == 3)
      #expect(page.pageNumber == number)
      #expect(page.lastPageNumber == 3)
      cursor = page.next
    }
    #expect(cursor == nil)
  }

  @Test func `a cursor of another kind of source is refused`() async throws {
    let lettered = AnyPageSource(
      CursorSource { (_: String?, _) in
        ["a"]
      } item: {
        Post(id: 1, text: $0)
      })
    let cursor = try await lettered.page(after: nil, limit: 1).next
    let error = await #expect(throws: ForeignCursor.self) {
      try await AnyPageSource(Numbered()).page(after: cursor, limit: 1)
    }
    #expect(error?.expected == "Int")
    #expect(error?.found == "String")
  }

  @MainActor @Test func `a feed knows the numbers that its source knows`() async {
    let feed = FeedViewModel<Post>(source: Numbered(), pageSize: 1)
    await feed.loadFirstPage()
    await feed.fetchNextPage()
    #expect(feed.totalItems == 3)
    #expect(feed.pageNumber == 2)
    #expect(feed.lastPageNumber == 3)
  }
}

@Suite struct PagingErrorTests {
  @Test func `an error says what failed, why, and what to do`() {
    #expect(
      "\(PagingError.loadFailed(.nextPage, underlying: Offline()))"
        == "the next page could not be loaded: Offline(); retry() repeats it")
    #expect(
      "\(PagingError.cursorDidNotAdvance(.refresh, itemsShown: 30))"
        == "the refreshed first page starts where the page before it did, after 30 items; the source "
        + "must return a cursor behind the last item of its page, or nil at the end; retry() asks it "
        + "again")
  }
}
