import FeedStore
import Testing

/// What reads through the front door are billed, and the server's options behind `metered`.
@Suite struct MeteredTests {
  let db = Firestore.withPosts()
  var posts: CollectionReference { db.collection("posts") }

  @Test func `writes are no reads`() {
    #expect(db.readMeter.total == 0)
  }

  @Test func `a query is billed per document and at least once`() async throws {
    #expect(try await posts.limit(to: 3).getDocuments().billedReads.total == 3)
    let none = try await posts.whereField("kind", isEqualTo: "none").getDocuments()
    #expect(none.billedReads[.minimum] == 1 && none.billedReads.total == 1)
    #expect(db.readMeter.total == 4)
  }

  @Test func `an offset is billed for what it skips`() async throws {
    let page = try await posts.order(by: "score").limit(to: 1).metered.offset(2).getDocuments()
    #expect(page.documents.map(\.documentID) == ["c"])
    #expect(page.billedReads[.documentsSkipped] == 2)
    #expect(page.billedReads[.documentsReturned] == 1)
    let beyond = try await posts.metered.offset(50).getDocuments()
    #expect(beyond.billedReads.total == 5)
    #expect(db.readMeter.total == 8)
  }

  @Test func `a get is one read, found or not`() async throws {
    try await posts.document("a").getDocument()
    try await posts.document("none").getDocument()
    #expect(db.readMeter.reads[.documentFound] == 1)
    #expect(db.readMeter.reads[.documentMissing] == 1)
  }

  @Test func `a count is one read for up to a thousand index entries`() async throws {
    let snapshot = try await posts.count.getAggregation(source: .server)
    #expect(snapshot.billedReads.total == 1)
    #expect(db.readMeter.reads[.aggregation] == 1)
  }

  @Test func `a refused query is not billed`() async throws {
    _ = await posts.limit(to: 0).mistake()
    #expect(db.readMeter.operationCount == 0)
  }

  @Test func `the ledger names the query, the pattern of its path and the label`() async throws {
    let mine = db.collection("users/u1/posts")
    try await ReadMeter.label("profile") {
      _ = try await mine.order(by: "score").limit(to: 2).getDocuments()
      _ = try await mine.document("x").getDocument()
    }
    _ = try await db.collectionGroup("posts").count.getAggregation(source: .server)
    let entries = db.readMeter.entries
    #expect(entries.map(\.path) == ["users/*/posts", "users/*/posts/*", "**/posts"])
    #expect(entries.map(\.label) == ["profile", "profile", nil])
    #expect(entries.first?.query.contains("order by score") == true)
    #expect(entries.dropFirst().first?.query == "get users/*/posts/*")
    #expect(entries.last?.query.hasPrefix("count() of ") == true)
  }

  @Test func `the last n cost what they return`() async throws {
    let page = try await posts.order(by: "score").limit(toLast: 2).getDocuments()
    #expect(page.billedReads.total == 2)
  }

  @Test func `select returns the named fields only`() async throws {
    let page = try await posts.order(by: "score").metered.select(["kind", FieldPath(["score"])])
      .limit(to: 1).getDocuments()
    #expect(page.documents.first?.data().keys.sorted() == ["kind", "score"])
    let ids = try await posts.metered.select([]).getDocuments()
    #expect(ids.count == 5 && ids.documents.allSatisfy { $0.data().isEmpty })
    #expect(await posts.metered.select([7]).mistake().contains("not by Int"))
  }

  @Test func `a document of a selection can be a cursor only with the fields of the order`()
    async throws
  {
    let page = try await posts.order(by: "score").metered.select(["kind"]).limit(to: 1)
      .getDocuments()
    let first = try #require(page.documents.first)
    let message = await posts.order(by: "score").start(afterDocument: first).mistake()
    #expect(message.contains("has no field score"))
  }

  @Test func `create refuses an existing document`() async throws {
    try await posts.document("new").metered.create(["score": 1])
    await #expect { try await posts.document("new").metered.create([:]) } throws: { error in
      FirestoreErrorCode.alreadyExists ~= error
    }
  }

  @Test func `an update can ask that nobody came between`() async throws {
    let document = posts.document("a")
    let read = try await document.getDocument()
    let time = try #require(read.metered.updateTime)
    try await document.metered.update(["score": 7], .lastUpdate(time))
    await #expect {
      try await document.metered.update(["score": 8], .lastUpdate(time))
    } throws: { error in
      FirestoreErrorCode.failedPrecondition ~= error
    }
    await #expect { try await document.metered.delete(.lastUpdate(time)) } throws: { error in
      FirestoreErrorCode.failedPrecondition ~= error
    }
    try await document.metered.delete(.exists)
    await #expect { try await document.metered.delete(.exists) } throws: { error in
      FirestoreErrorCode.notFound ~= error
    }
    #expect(read.metered.createTime == time)
  }
}
