import FeedStore
import Testing

/// The view model over a real store.
@MainActor
struct PageSourceFeedTests {
  private struct Post: Codable, Identifiable, Hashable, Sendable {
    @DocumentID var id: String?
    var title: String
    var rank: Int
  }

  private func store(_ count: Int) async throws -> Firestore {
    let db = Firestore()
    for number in 0..<count {
      try await db.collection("posts").document("p\(number)")
        .setData(["title": "Post \(number)", "rank": number / 4])
    }
    return db
  }

  @Test(arguments: [(0, 1, 1), (14, 1, 14), (15, 2, 16), (40, 3, 40), (45, 4, 46)])
  func `a feed ends after what it shows was billed once`(
    count: Int, queries: Int, reads: Int
  ) async throws {
    let db = try await store(count)
    let feed = FeedViewModel<Post>(query: db.collection("posts").order(by: "rank"))
    await feed.loadFirstPage()
    while feed.canLoadMore { await feed.fetchNextPage() }
    for _ in 0..<3 { await feed.fetchNextPage() }
    #expect(feed.items.count == count)
    #expect(Set(feed.items.compactMap(\.id)).count == count)
    #expect(feed.items.map(\.rank) == feed.items.map(\.rank).sorted())
    #expect(feed.queryCount == queries)
    #expect(feed.billedReads.total == reads)
    #expect(db.readMeter.total == reads)
    #expect(feed.error == nil)
  }

  @Test func `the next page loads when the last row appears, a refresh shows what is new`()
    async throws
  {
    let db = try await store(20)
    let feed = FeedViewModel<Post>(
      query: db.collection("posts").order(by: "rank", descending: true), pageSize: 8)
    await feed.loadFirstPage()
    await feed.loadMoreIfNeeded(currentItem: feed.items[3])
    #expect(feed.items.count == 8)
    await feed.loadMoreIfNeeded(currentItem: feed.items[7])
    #expect(feed.items.count == 16)
    try db.collection("posts").document("new").setData(
      from: Post(id: nil, title: "New", rank: 99))
    await feed.refresh()
    #expect(feed.items.first?.id == "new")
    #expect(feed.items.count == 8)
    #expect(feed.billedReads.total == 24)
  }

  @Test func `a document that does not decode is an error that names its field`() async throws {
    let db = try await store(3)
    try await db.collection("posts").document("broken").setData(["rank": 0, "title": 7])
    let feed = FeedViewModel<Post>(query: db.collection("posts").order(by: "rank"))
    await feed.loadFirstPage()
    #expect(feed.items.isEmpty)
    #expect(feed.wastedReads.total == 4)
    let words = try #require(feed.error).description
    #expect(words.contains("title"))
    #expect(words.contains("posts/broken"))
    try await db.collection("posts").document("broken").updateData(["title": "mended"])
    await feed.retry()
    #expect(feed.items.count == 4)
  }
}
