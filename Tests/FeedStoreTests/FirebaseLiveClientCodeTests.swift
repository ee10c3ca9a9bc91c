import FeedStore
import Testing

@MainActor
@Suite struct FirebaseLiveClientCodeTests {
  let db = Firestore.fresh()

  /// Lets what is queued on the main queue run.
  private func settle() async {
    await withCheckedContinuation { done in db.waitForPendingWrites { _ in done.resume() } }
  }

  @Test func `a live model of the main actor follows its collection`() async throws {
    let model = ClientLiveModel(db: db)
    model.start()
    try await db.document("posts/first").setData(["title": "one", "likes": 0])
    try await db.document("posts/second").setData(["title": "two", "likes": 0])
    try await db.document("posts/first").updateData(["title": "three"])
    await settle()
    #expect(model.titles == ["three", "two"])
    #expect(try await model.like(db.document("posts/first")) == 1)
    try await db.document("posts/second").delete()
    await settle()
    #expect(model.titles == ["three"])
    let count = model.snapshotCount
    model.stop()
    try await db.document("posts/second").setData(["title": "late"])
    await settle()
    #expect(model.snapshotCount == count)
    await #expect { try await model.like(db.document("posts/none")) } throws: {
      ($0 as NSError).domain == "AppErrorDomain"
    }
  }

  @Test func `each shape of a client's calls can be run`() async throws {
    try await db.document("posts/first").setData(["title": "one"])
    for registration in clientListeners(db) { registration.remove() }
    clientTransaction(db, db.document("a/b"))
    #expect(try await db.document("a/b").getDocument()["a"] as? Int == 1)
    #expect(try await clientSnapshots(db) == 2)
    await withCheckedContinuation { done in clientNetworkWithClosures(db) { done.resume() } }
    try await clientNetwork(db)
    let settings = clientCacheSettings()
    #expect(settings.isPersistenceEnabled && settings.cacheSizeBytes == 1_048_576)
    #expect(settings.cacheSettings is PersistentCacheSettings)
    settings.cacheSettings = MemoryCacheSettings()
    #expect(!settings.isPersistenceEnabled)
  }

  @Test func `the feed of a tutorial loads page after page as its last row appears`() async throws {
    for number in 1...40 {
      try await db.collection("posts").addDocument(
        data: [
          "title": "\(number)", "createdAt": Timestamp(seconds: Int64(number), nanoseconds: 0),
        ])
    }
    db.readMeter.reset()
    let model = ArticleFeedViewModel(db: db)
    model.fetchNextPage()
    await settle()
    var shown = 0
    while shown < model.posts.count {
      model.rowAppeared(model.posts[shown])
      await settle()
      shown += 1
    }
    #expect(model.posts.map(\.title) == (1...40).reversed().map(String.init))
    #expect(!model.canLoadMore && model.errorMessage == nil)
    #expect(db.readMeter.total == 40)
  }
}
