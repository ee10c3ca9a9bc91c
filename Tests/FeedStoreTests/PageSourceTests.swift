import DocumentDatabase
import FeedStore
import Testing

/// How every source pages a feed: what it shows, in how many queries, for how many reads.
struct PageSourceTests {
  /// The rows that a reader sees, and what they cost.
  private struct Walk: Equatable {
    var shown: [String] = []
    var pages = 0
    var cost = PageCost()
  }

  /// Loads pages until a source says that there are no more.
  private func walk<Source: PageSource<String>>(
    _ source: Source, limit: Int, between: (Int) async throws -> Void = { _ in }
  ) async throws -> Walk {
    var walk = Walk()
    var cursor: Source.Cursor?
    repeat {
      let page = try await source.page(after: cursor, limit: limit)
      walk.shown += page.items
      walk.pages += 1
      walk.cost += page.cost
      cursor = page.next
      if cursor != nil { try await between(walk.pages) }
    } while cursor != nil && walk.pages < 1000
    return walk
  }

  /// `count` posts of which every `ties` neighbours have the same rank.
  private func feed(_ count: Int, ties: Int = 3) async throws -> (Firestore, Query, [String]) {
    let db = Firestore()
    let posts = db.collection("posts")
    for number in 0..<count {
      try await posts.document(String(format: "p%04d", number)).setData(["rank": number / ties])
    }
    let query = posts.order(by: "rank", descending: true)
    return (db, query, (0..<count).reversed().map { String(format: "p%04d", $0) })
  }

  private static let id: @Sendable (QueryDocumentSnapshot) -> String = { $0.documentID }

  @Test(arguments: [0, 1, 4, 5, 6, 9, 10, 11, 37], [1, 5])
  func `every exact source shows every row once, in order, for the price it says`(
    count: Int, limit: Int
  ) async throws {
    let (db, query, all) = try await feed(count)
    let fullPages = count / limit
    let isExact = count.isMultiple(of: limit)
    let skipped = (0..<fullPages).reduce(0) { $0 + $1 * limit } + (isExact ? 0 : fullPages * limit)
    let pages = max(1, fullPages + (isExact ? 0 : 1))

    func check(
      _ name: Comment, _ source: some PageSource<String>, queries: Int, reads: Int
    ) async throws {
      db.readMeter.reset()
      let walk = try await walk(source, limit: limit)
      #expect(walk.shown == all, name)
      #expect(walk.cost.queries == queries, name)
      #expect(walk.cost.reads.total == reads, name)
      #expect(walk.cost.reads == db.readMeter.reads, name)
      #expect(walk.cost.queries == db.readMeter.operationCount, name)
    }
    // A full last page is followed by one empty query, which is billed one read.
    let probes = isExact ? 1 : 0
    try await check(
      "document cursor", DocumentCursorSource(query, decode: Self.id),
      queries: fullPages + 1, reads: count + probes)
    try await check(
      "page token", PageTokenSource(query, decode: Self.id),
      queries: fullPages + 1, reads: count + probes)
    try await check(
      "whole collection", WholeCollectionSource(query, decode: Self.id), queries: 1,
      reads: max(1, count))
    try await check(
      "extra row", ExtraRowSource(query, decode: Self.id), queries: pages,
      reads: max(1, count + pages - 1))
    try await check(
      "offset without a total", OffsetSource(query, countsTotal: false, decode: Self.id),
      queries: fullPages + 1,
      reads: count + skipped + (isExact ? max(1, count) : 0))
    let counted = count == 0 ? 1 : count + skipped + 1
    try await check(
      "offset with a total", OffsetSource(query, decode: Self.id),
      queries: count == 0 ? 1 : pages + 1, reads: counted)
    try await check(
      "page number", PageNumberSource(query, decode: Self.id),
      queries: count == 0 ? 1 : pages + 1, reads: counted)
    let grown = (1...(fullPages + 1)).reduce(0) { $0 + max(1, min($1 * limit, count)) }
    try await check(
      "growing limit", GrowingLimitSource(query, decode: Self.id), queries: fullPages + 1,
      reads: grown)
  }

  @Test func `a value cursor passes over the rest of a tie`() async throws {
    let (_, query, all) = try await feed(10, ties: 4)
    let source = ValueCursorSource(query, decode: Self.id)
    let walk = try await walk(source, limit: 3)
    // Ranks are 2, 2, 1, 1, 1, 1, 0, 0, 0, 0: the first page ends within rank 1, the second with 0.
    #expect(walk.shown == Array(all[0..<3] + all[6..<9]))
    #expect(walk.cost.queries == 3)
    #expect(walk.cost.reads.total == 7)
  }

  @Test func `a value cursor shows every row of an order without ties`() async throws {
    let (_, query, all) = try await feed(10)
    let byID = query.order(by: FieldPath.documentID(), descending: true)
    let walk = try await walk(ValueCursorSource(byID, decode: Self.id), limit: 4)
    #expect(walk.shown == all)
  }

  @Test func `a value cursor needs an order`() async throws {
    let source = ValueCursorSource(Firestore().collection("posts"), decode: Self.id)
    await #expect(throws: FirestoreErrorCode.self) { try await source.page(after: nil, limit: 3) }
  }

  @Test func `deleting the cursor's document between pages moves nothing`() async throws {
    for useTokens in [false, true] {
      let (db, query, all) = try await feed(23)
      let delete = { (pages: Int) in
        try await db.collection("posts").document(all[pages * 5 - 1]).delete()
      }
      let walk =
        useTokens
        ? try await walk(PageTokenSource(query, decode: Self.id), limit: 5, between: delete)
        : try await walk(DocumentCursorSource(query, decode: Self.id), limit: 5, between: delete)
      #expect(walk.shown == all)
    }
  }

  @Test func `rows that arrive at the top are repeated by offsets and not by cursors`() async throws
  {
    let insert = { (db: Firestore) in
      { (pages: Int) in
        try await db.collection("posts").document("new\(pages)").setData(["rank": 1000 + pages])
      }
    }
    var (db, query, all) = try await feed(12, ties: 1)
    let exact = try await walk(
      DocumentCursorSource(query, decode: Self.id), limit: 5, between: insert(db))
    #expect(exact.shown == all)
    (db, query, all) = try await feed(12, ties: 1)
    let shifted = try await walk(
      OffsetSource(query, countsTotal: false, decode: Self.id), limit: 5, between: insert(db))
    let repeated: [String] = Array(all[0..<5]) + Array(all[4..<9]) + Array(all[8..<12])
    #expect(shifted.shown == repeated)
  }

  @Test func `a feed of 1,707 rows costs each source what its arithmetic says`() async throws {
    let (_, query, all) = try await feed(1707)
    let cursor = try await walk(DocumentCursorSource(query, decode: Self.id), limit: 15)
    #expect(cursor.shown == all)
    #expect(cursor.cost.queries == 114)
    #expect(cursor.cost.reads.total == 1707)
    let extra = try await walk(ExtraRowSource(query, decode: Self.id), limit: 15)
    #expect(extra.cost.queries == 114)
    #expect(extra.cost.reads.total == 1820)
    let offset = try await walk(
      OffsetSource(query, countsTotal: false, decode: Self.id), limit: 15)
    #expect(offset.cost.queries == 114)
    #expect(offset.cost.reads.total == 98_322)
    let numbers = try await walk(PageNumberSource(query, decode: Self.id), limit: 15)
    #expect(numbers.cost.queries == 115)
    #expect(numbers.cost.reads.total == 98_324)
    let growing = try await walk(GrowingLimitSource(query, decode: Self.id), limit: 15)
    #expect(growing.shown == all)
    #expect(growing.cost.queries == 114)
    #expect(growing.cost.reads.total == 98_322)
  }

  @Test func `page numbers say where they are`() async throws {
    let (_, query, _) = try await feed(11)
    let source = PageNumberSource(query, decode: Self.id)
    var cursor: PageNumberSource<String>.Cursor?
    var seen: [[Int?]] = []
    repeat {
      let page = try await source.page(after: cursor, limit: 5)
      seen.append([page.pageNumber, page.lastPageNumber, page.totalItems, page.items.count])
      #expect(page.hasNext == (page.pageNumber != page.lastPageNumber))
      cursor = page.next
    } while cursor != nil
    #expect(seen == [[1, 3, 11, 5], [2, 3, 11, 5], [3, 3, 11, 1]])
    let (_, nothing, _) = try await feed(0)
    let page = try await PageNumberSource(nothing, decode: Self.id).page(after: nil, limit: 5)
    #expect([page.pageNumber, page.lastPageNumber, page.totalItems] == [1, 1, 0])
  }

  @Test func `the limit of the query is replaced by the page's, its filters and start stay`()
    async throws
  {
    let (_, query, all) = try await feed(20, ties: 1)
    let part = query.whereField("rank", isLessThan: 15).start(at: [12]).limit(toLast: 2)
    let byDocument = try await walk(DocumentCursorSource(part, decode: Self.id), limit: 5)
    #expect(byDocument.shown == Array(all[7...]))
    let byToken = try await walk(PageTokenSource(part, decode: Self.id), limit: 5)
    #expect(byToken.shown == Array(all[7...]))
  }

  @Test func `items that do not decode fail the page and say what it was billed`() async throws {
    struct Post: Decodable { var title: String }
    let (_, query, _) = try await feed(8)
    let source = OffsetSource(query, as: Post.self)
    let failure = try await #require(
      #expect(throws: BilledFailure.self) { try await source.page(after: nil, limit: 5) })
    #expect(failure.cost.queries == 2)
    #expect(failure.cost.reads.total == 6)
    #expect(failure.underlying is DecodingError)
  }

  @Test func `a mistake in the query is thrown before anything is billed`() async throws {
    let db = Firestore()
    let source = DocumentCursorSource(db.collection("posts/p1"), decode: Self.id)
    await #expect(throws: FirestoreErrorCode.self) { try await source.page(after: nil, limit: 5) }
    let zero = DocumentCursorSource(db.collection("posts"), decode: Self.id)
    await #expect(throws: FirestoreErrorCode.self) { try await zero.page(after: nil, limit: 0) }
    #expect(db.readMeter.operationCount == 0)
  }
}
