import FeedStore
import Testing

/// Where a client of Firebase's API is easily caught, each once. What only a compiler can tell is in the
/// client code that `ClientCodeTests` compiles in both language modes.
@Suite struct FirebaseTrapTests {
  let db = Firestore.fresh()
  var document: DocumentReference { db.document("c/d") }

  @Test func `a write has three shapes, of which an async function takes the awaited one`()
    async throws
  {
    plainly { document.setData(["a": 1]) }
    plainly { document.setData(["a": 2], completion: nil) }
    try await document.setData(["b": 3], merge: true)
    #expect(try await document.getDocument().data() as? [String: Int] == ["a": 2, "b": 3])
  }

  @Test func `results may be dropped`() async throws {
    document.addSnapshotListener { _, _ in }
    db.collection("c").addSnapshotListener { _, _ in }
    db.addSnapshotsInSyncListener {}
    try await db.collection("c").addDocument(data: [:])
    try await document.getDocument()
    try await db.collection("c").count.getAggregation(source: .server)
    try await db.runTransaction { _, _ in nil }
    #expect(db.listenerCount == 2)
  }

  @MainActor
  @Test func `a listener written on the main actor is called on it`() async {
    var calls = 0
    await withCheckedContinuation { done in
      db.collection("c").addSnapshotListener { _, _ in
        MainActor.assertIsolated()
        calls += 1
        done.resume()
      }
    }
    #expect(calls == 1)
  }

  @Test func `an index that is none is NSNotFound, unsigned`() throws {
    let recorder = Recorder(listeningTo: db.collection("c"))
    document.setData([:])
    let change = try #require(recorder.snapshots.last?.documentChanges.first)
    #expect(change.oldIndex == UInt(NSNotFound) && Int(change.newIndex) == 0)
  }

  @Test func `one stored number passes for every type that holds it`() async throws {
    try await document.setData(["one": 1, "half": 0.5, "nothing": NSNull()])
    let data = try #require(try await document.getDocument().data())
    #expect(data["one"] as? Int == 1 && data["one"] as? Int64 == 1 && data["one"] as? Double == 1)
    #expect(data["one"] as? Bool == true && data["half"] as? Int == nil)
    #expect(data["nothing"] is NSNull)
  }

  @Test func `a filter and a query spell one comparison differently`() async throws {
    try await document.setData(["a": 1])
    let posts = db.collection("c")
    #expect(try await posts.whereField("a", isGreaterThanOrEqualTo: 1).ids() == "d")
    #expect(try await posts.whereFilter(.whereField("a", isGreaterOrEqualTo: 1)).ids() == "d")
  }

  @Test func `an error is caught by its code, or taken apart as an NSError`() async {
    do {
      try await document.updateData(["a": 1])
    } catch FirestoreErrorCode.notFound {
      return
    } catch {
      Issue.record(error)
    }
  }

  @Test func `an error of a block goes through a pointer`() async {
    await #expect {
      try await db.runTransaction { _, errorPointer in
        errorPointer?.pointee = NSError(domain: "app", code: 1)
        return nil
      }
    } throws: {
      ($0 as NSError).domain == "app"
    }
  }

  @Test func `a mistake of a builder waits for who runs the query`() async {
    #expect(await db.collection("c").limit(to: 0).mistake().contains("positive"))
    let recorder = Recorder(listeningTo: db.collection("c").limit(to: 0))
    #expect(recorder.errors.first?.code == .invalidArgument)
  }

  @Test func `a missing document is read, for a read, and only its decoding fails`() async throws {
    struct Post: Decodable {}
    let missing = try await document.getDocument()
    #expect(!missing.exists && missing.data() == nil)
    #expect(db.readMeter.total == 1)
    #expect(try missing.data(as: Post?.self) == nil)
    #expect(throws: DecodingError.self) { try missing.data(as: Post.self) }
  }

  @Test func `an increment takes a bare literal, and an update mixes its keys`() async throws {
    try await document.setData(["n": 1, "m": ["x": 1]])
    try await document.updateData([
      "n": FieldValue.increment(1), FieldPath(["m", "x"]): FieldValue.increment(0.5), "m.y": 2,
    ])
    let snapshot = try await document.getDocument()
    #expect(snapshot["n"] as? Int == 2)
    #expect(snapshot["m.x"] as? Double == 1.5 && snapshot["m.y"] as? Int == 2)
  }

  @Test func `what Firebase's clients lack stands apart`() async throws {
    for id in ["a", "b", "c"] { try await db.document("c/\(id)").setData([:]) }
    #expect(try await db.collection("c").metered.offset(1).ids() == "bc")
  }

  @Test func `snapshots are iterated again and again, and each time listened to`() async throws {
    let snapshots = db.collection("c").snapshots
    for _ in 0..<2 {
      for try await snapshot in snapshots {
        #expect(snapshot.isEmpty)
        #expect(db.listenerCount == 1)
        break
      }
      while db.listenerCount > 0 { await Task.yield() }
    }
  }
}
