public import FeedPaging
import ReadBilling
public import SDKStandIn
import Testing

import class FeedStore.Firestore

// One line each, and the classes of another SDK are paged as ours are. An app writes `@retroactive` before
// the protocol, because the SDK is not in its package.
extension SDKStandIn.Query: PageableQuery {}
extension SDKStandIn.ClosureQuery: CompletionPageableQuery {}

struct NumberedPost: Codable, Identifiable, Hashable, Sendable {
  var id: Int
}

@MainActor
@Suite struct BothWorldsTests {
  /// Scrolls to the end as a list does, row by row.
  private func scroll(_ feed: FeedViewModel<NumberedPost>) async -> [Int] {
    await feed.loadFirstPage()
    var shown = 0
    while shown < feed.items.count {
      await feed.loadMoreIfNeeded(currentItem: feed.items[shown])
      shown += 1
    }
    return feed.items.map(\.id)
  }

  @Test func `a view model pages the queries of another SDK`() async {
    let feed = FeedViewModel(
      source: PageableQuerySource(SDKStandIn.CollectionReference(documents: 40)) {
        $0.documents
      } item: {
        NumberedPost(id: $0.number)
      })
    #expect(await scroll(feed) == Array(1...40))
    #expect(feed.queryCount == 3)
    #expect(feed.billedReads.total == 40)
    #expect(!feed.canLoadMore)
  }

  @Test func `a view model pages queries that have closures alone`() async {
    let query = SDKStandIn.ClosureQuery(SDKStandIn.CollectionReference(documents: 20))
    let feed = FeedViewModel(
      source: PageableQuerySource(query) {
        $0.documents
      } item: {
        NumberedPost(id: $0.number)
      })
    #expect(await scroll(feed) == Array(1...20))
  }

  @Test func `an error of a completion closure is the error of the page`() async {
    struct Lost: Error {}
    let query = SDKStandIn.ClosureQuery(
      SDKStandIn.CollectionReference(documents: 20), failing: Lost())
    let feed = FeedViewModel(
      source: PageableQuerySource(query) {
        $0.documents
      } item: {
        NumberedPost(id: $0.number)
      })
    await feed.loadFirstPage()
    #expect(feed.error?.load == .firstPage)
  }

  @Test func `the same lines page our own queries`() async throws {
    let db = Firestore.fresh()
    for number in 1...40 {
      try await db.collection("posts").document("d\(number)").setData(["id": number])
    }
    let feed = FeedViewModel(
      source: PageableQuerySource(db.collection("posts").order(by: "id")) {
        $0.documents
      } item: {
        try $0.data(as: NumberedPost.self)
      })
    #expect(await scroll(feed) == Array(1...40))
    #expect(feed.billedReads.total == 40)
    #expect(db.readMeter.total == 40)
  }
}
