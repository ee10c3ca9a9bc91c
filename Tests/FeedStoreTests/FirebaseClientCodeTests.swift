import FeedStore
import Testing

@Suite struct FirebaseClientCodeTests {
  @MainActor
  @Test func `a feed model of the main actor pages, writes and decodes`() async throws {
    let model = ClientFeedModel(db: .fresh())
    for title in ["one", "two", "three"] { try await model.addPost(title: title) }
    await model.loadNextPage()
    #expect(model.posts.map(\.title) == ["three", "two"])
    await model.loadNextPage()
    #expect(model.posts.map(\.title) == ["three", "two", "one"])
    #expect(model.errorMessage == nil)
    try await model.like(try #require(model.posts.first))
    await withCheckedContinuation { done in model.loadWithCompletion { done.resume() } }
    #expect(model.posts.first { $0.title == "three" }?.likes == 1)
    #expect(!model.isLoading)
  }

  @Test func `a completion closure finds what the plain writes before it wrote`() async {
    let db = Firestore.fresh()
    let document = db.document("c/d")
    db.onUnreportedError = { _ in }
    clientWrites(document, db)
    let text = await withCheckedContinuation { done in
      clientRead(document) { done.resume(returning: $0) }
    }
    #expect(text == "45 of 10")
    let missing = await withCheckedContinuation { done in
      clientRead(db.document("c/none")) { done.resume(returning: $0) }
    }
    #expect(missing == "missing")
  }

  @Test func `every awaited call of a client works in one line`() async throws {
    #expect(try await clientAwaits(Firestore.fresh().collection("things")) == 1)
  }

  @Test func `a set-up for the emulator is accepted and can be read back`() {
    let settings = clientSetUp().settings
    #expect(settings.host == "127.0.0.1:8080")
    #expect(!settings.isSSLEnabled)
    #expect(settings.cacheSizeBytes == FirestoreCacheSizeUnlimited)
  }

  @Test func `references lead to each other`() {
    let (collection, document) = clientReferences(.fresh())
    #expect(collection.path == "my-collection/my-doc/some/deep/collection")
    #expect(collection.collectionID == "collection")
    #expect(document.path == "my-collection/my-doc/some/deep")
    #expect(document.documentID == "deep")
    #expect(document.parent.path == "my-collection/my-doc/some")
    #expect(document.parent.parent?.parent.parent == nil)
  }

  @Test func `a query is equal to one built alike`() {
    let db = Firestore.fresh()
    #expect(clientQuery(db.collection("c")) == clientQuery(db.collection("c")))
    #expect(clientQuery(db.collection("c")) != clientQuery(db.collection("d")))
    #expect(Set([db.collection("c").limit(to: 1), db.collection("c").limit(to: 1)]).count == 1)
  }
}
