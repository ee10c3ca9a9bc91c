import FeedStore
import Testing

@Suite struct BatchTests {
  let db = Firestore.fresh()

  @Test func `a batch is applied whole`() async throws {
    try await db.document("c/old").setData(["a": 1])
    let batch = db.batch()
      .setData(["n": 1], forDocument: db.document("c/new"))
      .updateData(["a": 2], forDocument: db.document("c/old"))
      .setData(["b": 3], forDocument: db.document("c/old"), merge: true)
      .setData(["b": 9, "x": 4], forDocument: db.document("c/old"), mergeFields: ["x"])
      .deleteDocument(db.document("c/none"))
    #expect(try await db.collection("c").getDocuments().count == 1)
    try await batch.commit()
    let old = try await db.document("c/old").getDocument()
    #expect(old["a"] as? Int == 2)
    #expect(old["b"] as? Int == 3)
    #expect(old["x"] as? Int == 4)
    #expect(try await db.collection("c").getDocuments().count == 2)
  }

  @Test func `a batch with one write that fails changes nothing`() async throws {
    let batch = db.batch()
    batch.setData(["n": 1], forDocument: db.document("c/new"))
    batch.updateData(["a": 2], forDocument: db.document("c/none"))
    await #expect { try await batch.commit() } throws: { error in
      FirestoreErrorCode.notFound ~= error
    }
    #expect(try await db.collection("c").getDocuments().isEmpty)
  }

  @Test func `the first mistake in a batch is thrown by its commit`() async throws {
    let batch = db.batch()
    batch.setData(["n": [[1]]], forDocument: db.document("c/a"))
    batch.setData(["n": 1], forDocument: db.document("c"))
    await #expect { try await batch.commit() } throws: { "\($0)".contains("Nested arrays") }
  }

  @Test func `a batch is used once`() async throws {
    let batch = db.batch()
    try await batch.commit()
    await #expect { try await batch.commit() } throws: { "\($0)".contains("used once") }
  }

  @Test func `a batch takes documents of its own instance`() async throws {
    let batch = db.batch().setData([:], forDocument: Firestore().document("c/a"))
    await #expect { try await batch.commit() } throws: { "\($0)".contains("another instance") }
  }

  @Test func `a batch reports to a completion closure`() async {
    let batch = db.batch().updateData([:], forDocument: db.document("c/none"))
    let code = await withCheckedContinuation { done in
      batch.commit { done.resume(returning: ($0 as? FirestoreErrorCode)?.code) }
    }
    #expect(code == .notFound)
  }
}

/// What a batch can demand of the documents it writes, behind `metered`.
@Suite struct MeteredBatchTests {
  let db = Firestore.withPosts()
  var posts: CollectionReference { db.collection("posts") }

  @Test func `a batch creates only what does not exist, or does nothing`() async throws {
    try await db.batch().metered.create(["n": 1], forDocument: posts.document("new")).commit()
    #expect(try await posts.document("new").getDocument().exists)
    let refused = db.batch()
    refused.metered.create(["n": 1], forDocument: posts.document("other"))
    refused.metered.create(["n": 1], forDocument: posts.document("a"))
    let error = await #expect(throws: FirestoreErrorCode.self) { try await refused.commit() }
    #expect(error?.code == .alreadyExists)
    #expect(try await !posts.document("other").getDocument().exists)
  }

  @Test func `a batch updates and deletes only what was not changed since`() async throws {
    let a = posts.document("a")
    let read = try #require(try await a.getDocument().metered.updateTime)
    let first = db.batch()
    first.metered.updateData(["n": 1], forDocument: a, .lastUpdate(read))
    try await first.commit()
    let second = db.batch()
    second.metered.deleteDocument(a, .lastUpdate(read))
    let error = await #expect(throws: FirestoreErrorCode.self) { try await second.commit() }
    #expect(error?.code == .failedPrecondition)
    try await db.batch().metered.deleteDocument(a, .exists).commit()
    #expect(try await !a.getDocument().exists)
  }
}
