import FeedStore
import Testing

/// What the index policy does to queries, and where its notes are to be seen.
@Suite struct IndexPolicyTests {
  @Test func `the strict policy refuses before anything is read or billed`() async throws {
    let db = Firestore.withPosts()
    db.indexes = .strict
    let query = db.collection("posts").whereField("kind", isEqualTo: "x").order(by: "score")
    let error = await #expect(throws: FirestoreErrorCode.self) { try await query.getDocuments() }
    #expect(error?.code == .failedPrecondition)
    #expect(db.readMeter.operationCount == 0)
    await #expect(throws: FirestoreErrorCode.self) {
      try await query.aggregate([.sum("score")]).getAggregation(source: .server)
    }
    await #expect(throws: FirestoreErrorCode.self) { try await query.metered.explain() }
  }

  @Test func `the message names the index, the query and the entry to paste`() async throws {
    let db = Firestore(indexes: .strict)
    let query = db.collection("posts").whereField("kind", isEqualTo: "x").order(by: "score")
    let error = await #expect(throws: FirestoreErrorCode.self) { try await query.getDocuments() }
    #expect(
      error?.message == """
        The query requires an index that is not declared: (kind ASC, score ASC, __name__ ASC) on posts.
        Query: posts where kind == "x" order by score asc, __name__ asc
        Add to firestore.indexes.json:
        {
          "indexes": [
            {
              "collectionGroup": "posts",
              "queryScope": "COLLECTION",
              "fields": [
                {"fieldPath": "kind", "order": "ASCENDING"},
                {"fieldPath": "score", "order": "ASCENDING"}
              ]
            }
          ],
          "fieldOverrides": []
        }
        """)
  }

  @Test func `a mistake in the query comes before its index`() async throws {
    let db = Firestore(indexes: .strict)
    let query = db.collection("posts").whereField("kind", isEqualTo: "x").order(by: "score")
      .order(by: "score")
    #expect(await query.mistake().contains("twice"))
  }

  @Test func `the default policy runs the query and notes what production will need`() async throws
  {
    let db = Firestore.withPosts()
    let query = db.collection("posts").whereField("kind", isEqualTo: "x").order(by: "score")
    for _ in 0..<3 { try await query.limit(to: 1).getDocuments() }
    try await db.collection("posts").order(by: "score").getDocuments()
    #expect(try await query.getDocuments().missingIndexes.json.contains("\"kind\""))
    let notes = db.readMeter.notes
    #expect(
      notes.map(\.note) == [
        "production needs the index (kind ASC, score ASC, __name__ ASC) on posts"
      ])
    #expect(notes.first?.query.hasPrefix("posts where kind == ") == true)
  }

  @Test func `declared indexes are not noted`() async throws {
    let db = Firestore.withPosts()
    let query = db.collection("posts").whereField("kind", isEqualTo: "x").order(by: "score")
    db.indexes = .noting(try await query.getDocuments().missingIndexes)
    #expect(try await query.getDocuments().missingIndexes.isEmpty)
  }

  @Test func `the last n need the index of the opposite direction`() async throws {
    let db = Firestore()
    let query = db.collection("posts").whereField("kind", isEqualTo: "x").order(by: "score")
    db.indexes = .strict(try await query.getDocuments().missingIndexes)
    try await query.getDocuments()
    let error = await #expect(throws: FirestoreErrorCode.self) {
      try await query.limit(toLast: 2).getDocuments()
    }
    #expect(error?.message.contains("(kind ASC, score DESC, __name__ DESC)") == true)
  }

  @Test func `documents are got by name under any policy`() async throws {
    let db = Firestore(indexes: .strict)
    #expect(try await !db.document("posts/a").getDocument().exists)
  }
}
