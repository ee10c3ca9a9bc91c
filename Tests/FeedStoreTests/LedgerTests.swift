import FeedStore
import Testing

/// What the ledger of a real session says.
@Suite struct SessionLedgerTests {
  let db = Firestore.fresh()
  var posts: Query { db.collection("posts").order(by: "rank") }

  init() {
    for rank in 1...60 {
      db.collection("posts").document("p\(rank)").setData(["rank": rank])
    }
  }

  struct Post: Codable, Identifiable, Sendable {
    @DocumentID var id: String?
    var rank: Int
  }

  @Test func `a view model's loads are recorded with their pages, their label and the time`()
    async throws
  {
    let feed = await FeedViewModel<Post>(query: posts, pageSize: 15)
    await ReadMeter.label("home") {
      await feed.loadFirstPage()
      await feed.fetchNextPage()
      await feed.refresh()
      await feed.fetchNextPage()
    }
    let entries = db.readMeter.entries
    #expect(entries.map(\.pageNumber) == [1, 2, 1, 2])
    #expect(entries.allSatisfy { $0.label == "home" && $0.path == "posts" })
    #expect(entries.allSatisfy { ($0.time ?? .zero) > .seconds(1_700_000_000) })
    #expect(await feed.bill.reads == db.readMeter.reads)
    #expect(
      await feed.bill.lines.map(\.query) == ["page 1", "page 2", "page 1, refreshed"])
  }

  @Test func `a view model keeps to its budget, or the bill says page by page why not`()
    async throws
  {
    let feed = await FeedViewModel<Post>(query: posts, pageSize: 15)
    try await expectReads(30) {
      await feed.loadFirstPage()
      await feed.fetchNextPage()
    }
    try await ReadBudget(atMost: 30).check(feed)
    await #expect {
      try await ReadBudget(atMost: 20).check(feed)
    } throws: { error in
      "\(error)" == """
        Expected at most 20 reads, billed 30: 10 more.
            15  page 1
            15  page 2
            30 reads (30 documents returned)
        """
    }
  }

  @Test func `a load that is refreshed away is wasted, in the model and in the ledger`()
    async throws
  {
    let feed = await FeedViewModel<Post>(query: posts, pageSize: 15)
    await feed.loadFirstPage()
    async let next: Void = feed.fetchNextPage()
    while await !feed.isLoadingMore, await feed.items.count == 15 { await Task.yield() }
    await feed.refresh()
    await next
    // Whether the next page came before the refresh or was overtaken is the scheduler's choice; what
    // the model calls wasted, the ledger must call wasted.
    for _ in 1...1_000 where await feed.billedReads != db.readMeter.reads { await Task.yield() }
    #expect(await feed.wastedReads.total == db.readMeter.reads[.wasted])
    #expect(await feed.billedReads.total == db.readMeter.total)
  }

  @Test func `a page that cannot be decoded is wasted`() async throws {
    try await db.collection("posts").document("p3").setData(["rank": 3.5])
    let feed = await FeedViewModel<Post>(query: posts, pageSize: 15)
    await feed.loadFirstPage()
    #expect(await feed.wastedReads.total == 15)
    #expect(db.readMeter.reads == [.wasted: 15])
    #expect(db.readMeter.entries.map(\.isWasted) == [true])
  }

  @Test func `a cached read is in the ledger for nothing`() async throws {
    _ = try await posts.limit(to: 5).getDocuments(source: .cache)
    #expect(db.readMeter.entries.map(\.operation) == [.cached(returned: 5)])
    #expect(db.readMeter.total == 0)
  }

  @Test func `a retried transaction is billed again, under that cause`() async throws {
    let document = db.collection("posts").document("p1")
    var attempts = 0
    _ = try await db.runTransaction { transaction, error in
      attempts += 1
      do {
        _ = try transaction.getDocument(document)
        if attempts == 1 { document.setData(["rank": 100]) }
        transaction.setData(["rank": 1], forDocument: document)
      } catch let failure as NSError { error?.pointee = failure }
      return nil
    }
    #expect(attempts == 2)
    #expect(db.readMeter.reads == [.documentFound: 1, .transactionRetry: 1])
  }

  @Test func `a change is billed to the listener's label, not the writer's`() async throws {
    let listener = ReadMeter.label("list") {
      posts.limit(to: 15).addSnapshotListener { _, _ in }
    }
    ReadMeter.label("editor") {
      db.collection("posts").document("p1").updateData(["rank": 0])
      db.collection("posts").document("p2").delete()
    }
    listener.remove()
    #expect(db.readMeter.byLabel == ["list": [.documentsReturned: 15, .liveChange: 2]])
  }

  @Test func `a second listener on the same query is in the ledger for nothing`() {
    let listeners = (1...2).map { _ in posts.limit(to: 15).addSnapshotListener { _, _ in } }
    #expect(db.readMeter.entries.map(\.operation.name) == ["listener", "listener, shared"])
    #expect(db.readMeter.total == 15)
    for listener in listeners { listener.remove() }
  }
}
