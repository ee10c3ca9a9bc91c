import FeedStore
import Testing

@Suite struct SnapshotTests {
  let db = Firestore.fresh()

  @Test func `a missing document is a snapshot that does not exist`() async throws {
    let snapshot = try await db.document("c/none").getDocument()
    #expect(!snapshot.exists)
    #expect(snapshot.data() == nil)
    #expect(snapshot["a"] == nil)
    #expect(snapshot.documentID == "none")
    #expect(snapshot.reference == db.document("c/none"))
    #expect(snapshot.metered.createTime == nil)
  }

  @Test func `fields are read by text, by path and whole`() async throws {
    try await db.document("c/d").setData(["m": ["a.b": 1, "c": 2], "t": "x"])
    let snapshot = try await db.document("c/d").getDocument()
    #expect(snapshot.get("m.c") as? Int == 2)
    #expect(snapshot.get(FieldPath(["m", "a.b"])) as? Int == 1)
    #expect(snapshot.get("m.a.b") == nil)
    #expect(snapshot.get("t.x") == nil)
    #expect(snapshot.get("..") == nil)
    #expect(snapshot.get(7) == nil)
    #expect(snapshot.get("t", serverTimestampBehavior: .previous) as? String == "x")
    #expect(snapshot.data()?.count == 2)
    #expect(snapshot.data(with: .estimate)?.count == 2)
  }

  @Test func `a document decodes to the same value with a decoder and without`() async throws {
    var original = try Everything.sample()
    original.link = db.document("users/u1")
    try db.document("c/d").setData(from: original)
    let snapshot = try await db.document("c/d").getDocument()
    #expect(try snapshot.data(as: Everything.self) == original)
    #expect(try snapshot.data(as: Everything.self, decoder: Firestore.Decoder()) == original)
    let missing = try await db.document("c/none").getDocument()
    #expect(try missing.data(as: Everything?.self) == nil)
    #expect(throws: DecodingError.self) { try missing.data(as: Everything.self) }
  }

  @Test func `a snapshot does not follow later writes`() async throws {
    let document = db.document("c/d")
    try await document.setData(["a": 1])
    let before = try await document.getDocument()
    let same = try await document.getDocument()
    try await document.setData(["a": 2])
    #expect(before["a"] as? Int == 1)
    #expect(before == same && before.hashValue == same.hashValue)
    #expect(try await document.getDocument() != before)
  }

  @Test func `a query snapshot tells its documents, query and source`() async throws {
    try await db.document("c/d").setData(["a": 1])
    let query = db.collection("c").whereField("a", isEqualTo: 1)
    let snapshot = try await query.getDocuments()
    let data: [String: Any]? = snapshot.documents.first?.data()
    #expect(data?["a"] as? Int == 1)
    #expect(snapshot.count == 1 && !snapshot.isEmpty)
    #expect(snapshot.query == query)
    #expect(!snapshot.metadata.isFromCache && !snapshot.metadata.hasPendingWrites)
    #expect(try await query.getDocuments() == snapshot)
  }

  @Test func `the cache has what the database has, for nothing`() async throws {
    let db = Firestore.withPosts()
    db.readMeter.reset()
    let cached = try await db.collection("posts").limit(to: 2).getDocuments(source: .cache)
    #expect(cached.count == 2 && cached.metadata.isFromCache && cached.billedReads.total == 0)
    let document = try await db.document("posts/a").getDocument(source: .cache)
    #expect(document.metadata.isFromCache && document["score"] as? Int == 1)
    await #expect {
      try await db.document("posts/none").getDocument(source: .cache)
    } throws: {
      ($0 as? FirestoreErrorCode)?.code == .unavailable
    }
    #expect(db.readMeter.total == 0)
  }

  @Test func `shared instances are found by name`() async throws {
    #expect(Firestore.firestore() === Firestore.firestore())
    #expect(
      Firestore.firestore(database: "snapshots") === Firestore.firestore(database: "snapshots"))
    #expect(Firestore.firestore() !== Firestore.firestore(database: "snapshots"))
    #expect(Firestore() != Firestore())
  }
}
