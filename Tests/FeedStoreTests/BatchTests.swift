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
