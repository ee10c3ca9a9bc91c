import DocumentDatabase
import FeedStore
import Testing

@Suite struct NetworkTests {
  let db = Firestore.withPosts()
  var posts: CollectionReference { db.collection("posts") }

  @Test func `a write shows at once, pending, and settles when the network returns`() {
    let recorder = Recorder(
      listeningTo: posts.order(by: "score").limit(to: 2), includeMetadataChanges: true)
    db.disableNetwork()
    posts.document("n").setData(["score": 0])
    db.enableNetwork()
    #expect(
      recorder.events() == ["ab: +a0 +b1", "ab?: ", "na*?: -b1 +n0", "na: "])
  }

  @Test func `metadata alone is told only to those who ask`() throws {
    let silent = Recorder(listeningTo: posts.whereField("kind", isEqualTo: "y"))
    let curious = Recorder(
      listeningTo: posts.whereField("kind", isEqualTo: "y"), includeMetadataChanges: true)
    db.disableNetwork()
    posts.document("b").updateData(["score": 5])
    db.enableNetwork()
    #expect(silent.events() == ["bd: +b0 +d1", "bd*?: ~b0>0"])
    let last = try #require(curious.snapshots.last)
    #expect(last.documentChanges.isEmpty)
    #expect(last.documentChanges(includeMetadataChanges: true).map(\.text) == ["~b0>0"])
  }

  @Test func `reads come from the cache and cost nothing`() async throws {
    try await db.disableNetwork()
    db.readMeter.reset()
    let query = posts.order(by: "score", descending: true).limit(to: 2)
    plainly { posts.document("a").updateData(["score": 10]) }
    let snapshot = try await query.getDocuments()
    #expect(snapshot.documents.map(\.documentID) == ["a", "d"])
    #expect(snapshot.metadata.isFromCache && snapshot.metadata.hasPendingWrites)
    #expect(snapshot.documents.map(\.metadata.hasPendingWrites) == [true, false])
    let document = try await posts.document("b").getDocument()
    #expect(document.metadata.isFromCache && !document.metadata.hasPendingWrites)
    #expect(try await posts.order(by: "score").limit(toLast: 2).ids() == "da")
    #expect(try await posts.order(by: "score").limit(to: 2).metered.offset(1).ids() == "cd")
    #expect(db.readMeter.total == 0)
  }

  @Test func `what only the server knows is unavailable`() async {
    plainly { db.disableNetwork() }
    func isUnavailable(_ body: () async throws -> Void) async -> Bool {
      do { try await body() } catch FirestoreErrorCode.unavailable { return true } catch {}
      return false
    }
    #expect(await isUnavailable { try await posts.getDocuments(source: .server) })
    #expect(await isUnavailable { try await posts.document("a").getDocument(source: .server) })
    #expect(await isUnavailable { try await posts.document("none").getDocument() })
    #expect(await isUnavailable { try await posts.count.getAggregation(source: .server) })
    #expect(await isUnavailable { try await db.runTransaction { _, _ in nil } })
  }

  @Test func `a deletion that waits is known, and not asked for`() async throws {
    plainly { db.disableNetwork() }
    plainly { posts.document("a").delete() }
    let snapshot = try await posts.document("a").getDocument()
    #expect(!snapshot.exists && snapshot.metadata.hasPendingWrites)
  }

  @Test func `writes are taken in order, and those who wait are told`() async throws {
    let order = Shared<[String]>([])
    let recorder = Recorder<QuerySnapshot>(db)
    plainly { db.disableNetwork() }
    plainly {
      posts.document("n").setData(["v": 1]) { error in
        order.change { $0.append("set \(error == nil)") }
      }
    }
    plainly {
      posts.document("none").updateData(["v": 1]) { error in
        let code = (error as? FirestoreErrorCode)?.code
        order.change { $0.append("update \(code.map { "\($0)" } ?? "none")") }
      }
      posts.document("n").updateData(["v": FieldValue.increment(1)]) { error in
        order.change { $0.append("increment \(error == nil)") }
      }
      db.waitForPendingWrites { _ in order.change { $0.append("all") } }
    }
    _ = recorder.snapshots
    #expect(order.value == [])
    try await db.enableNetwork()
    _ = recorder.snapshots
    #expect(order.value == ["set true", "update notFound", "increment true", "all"])
    #expect(try await posts.document("n").getDocument()["v"] as? Int == 2)
    try await db.waitForPendingWrites()
  }

  @Test func `a refused write is undone`() async throws {
    db.refuseWrites = { writes in
      writes.contains { $0.document.id == "a" }
        ? FirestoreErrorCode(.permissionDenied, message: "rules") : nil
    }
    await #expect { try await posts.document("a").setData(["score": 9]) } throws: {
      FirestoreErrorCode.permissionDenied ~= $0
    }
    let failures = Shared<[String]>([])
    db.onUnreportedError = { error in failures.change { $0.append("\(error)") } }
    let recorder = Recorder(listeningTo: posts.order(by: "score").limit(to: 2))
    try await db.disableNetwork()
    plainly { posts.document("a").updateData(["score": 9]) }
    #expect(recorder.events() == ["ab: +a0 +b1", "bc?: -a0 +c1"])
    try await db.enableNetwork()
    #expect(recorder.events() == ["ab: -c1 +a0"])
    #expect(failures.value == ["permissionDenied: rules"])
  }

  @Test func `an awaited write waits for the network`() async throws {
    try await db.disableNetwork()
    let document = posts.document("n")
    async let written: Void = document.setData(["score": 0])
    while try await !posts.document("n").isCached() { await Task.yield() }
    try await db.enableNetwork()
    try await written
    #expect(try await !document.getDocument().metadata.hasPendingWrites)
  }

  @Test func `a pending server timestamp is null, estimated or what was before`() async throws {
    let document = posts.document("t")
    try await document.setData(["at": Timestamp(seconds: 5, nanoseconds: 0), "in": ["x": 1]])
    try await db.disableNetwork()
    plainly {
      document.updateData([
        "at": FieldValue.serverTimestamp(), "in.y": FieldValue.serverTimestamp(),
      ])
    }
    let pending = try await document.getDocument()
    #expect(pending["at"] is NSNull)
    #expect(pending.data()?["at"] is NSNull)
    #expect(
      pending.get("at", serverTimestampBehavior: .previous) as? Timestamp
        == .init(seconds: 5, nanoseconds: 0))
    #expect((pending.data(with: .estimate)?["at"] as? Timestamp)?.seconds ?? 0 > 1_700_000_000)
    #expect(pending.get("in.y", serverTimestampBehavior: .estimate) is Timestamp)
    #expect(pending.get("in.y", serverTimestampBehavior: .previous) is NSNull)
    struct Dated: Decodable { var at: Date? }
    #expect(try pending.data(as: Dated.self).at == nil)
    #expect(try pending.data(as: Dated.self, with: .estimate).at != nil)
    try await db.enableNetwork()
    let settled = try await document.getDocument()
    #expect((settled["at"] as? Timestamp)?.seconds ?? 0 > 1_700_000_000)
  }

  @Test func `a pending server timestamp sorts last and is no cursor`() async throws {
    let events = db.collection("events")
    try await events.document("future").setData([
      "at": Timestamp(seconds: 9_999_999_999, nanoseconds: 0)
    ])
    try await events.document("text").setData(["at": "text"])
    try await db.disableNetwork()
    plainly { events.document("b").setData(["at": FieldValue.serverTimestamp()]) }
    plainly { events.document("a").setData(["at": FieldValue.serverTimestamp()]) }
    let snapshot = try await events.order(by: "at").getDocuments()
    #expect(snapshot.documents.map(\.documentID) == ["future", "b", "a", "text"])
    let mistake = await events.order(by: "at").start(afterDocument: snapshot.documents[1]).mistake()
    #expect(mistake.contains("server timestamp that the server has not set"))
  }

  @Test func `what others wrote meanwhile is seen when the network returns, for a read each`()
    async throws
  {
    let recorder = Recorder(listeningTo: posts.order(by: "score"))
    let other = Firestore(db.database.database)
    try await db.disableNetwork()
    db.readMeter.reset()
    try await other.document("posts/a").updateData(["score": 2.5])
    try await other.document("posts/b").delete()
    plainly { posts.document("c").updateData(["score": 0]) }
    #expect(try await posts.order(by: "score").ids() == "cabd")
    #expect(recorder.events().last == "cabd*?: ~c2>0")
    try await db.enableNetwork()
    #expect(recorder.events() == ["cad: -b2 ~a1>1"])
    #expect(db.readMeter.total == 2, "the one that changed, and the echo of the own write")
  }

  @Test func `without a cache on disk a listener begins anew`() async throws {
    let settings = db.settings
    settings.cacheSettings = MemoryCacheSettings()
    db.settings = settings
    let recorder = Recorder(listeningTo: posts.order(by: "score"))
    db.readMeter.reset()
    try await db.disableNetwork()
    try await db.enableNetwork()
    #expect(db.readMeter.total == 4)
    #expect(recorder.events().count == 1)
  }

  @Test func `a listener that begins offline is billed when it reaches the server`() async throws {
    try await db.disableNetwork()
    db.readMeter.reset()
    let recorder = Recorder(listeningTo: posts.order(by: "score"), includeMetadataChanges: true)
    #expect(recorder.events() == ["abcd?: +a0 +b1 +c2 +d3"])
    #expect(db.readMeter.total == 0)
    try await db.enableNetwork()
    #expect(recorder.events() == ["abcd: "])
    #expect(db.readMeter.total == 4)
  }

  @Test func `a listener of the cache is free`() async throws {
    db.readMeter.reset()
    let recorder = Recorder<QuerySnapshot>(db)
    let options = SnapshotListenOptions().withSource(.cache)
    posts.order(by: "score").addSnapshotListener(options: options) { recorder.hear($0, $1) }
    plainly { posts.document("a").updateData(["score": 9]) }
    #expect(recorder.events() == ["abcd?: +a0 +b1 +c2 +d3", "bcda?: ~a0>3"])
    #expect(db.readMeter.total == 0)
  }

  @Test func `a terminated client does nothing more, and another takes its place`() async throws {
    let db = Firestore.firestore(database: "terminated")
    try await db.document("c/d").setData(["a": 1])
    await #expect { try await db.clearPersistence() } throws: {
      FirestoreErrorCode.failedPrecondition ~= $0
    }
    try await db.disableNetwork()
    let abandoned = Shared<[FirestoreErrorCode.Code?]>([])
    let recorder = Recorder(listeningTo: db.collection("c"))
    plainly {
      db.document("c/e").setData([:]) { error in
        abandoned.change { $0.append((error as? FirestoreErrorCode)?.code) }
      }
    }
    async let ended: [String] = db.collection("c").snapshots.reduce(into: []) { $0.append($1.text) }
    _ = recorder.take()
    while db.listenerCount < 2 { await Task.yield() }
    try await db.terminate()
    #expect(try await ended.count == 1)
    _ = recorder.snapshots
    #expect(abandoned.value == [.cancelled])
    await #expect { try await db.document("c/d").getDocument() } throws: {
      FirestoreErrorCode.failedPrecondition ~= $0
    }
    try await db.clearPersistence()
    let next = Firestore.firestore(database: "terminated")
    #expect(next !== db)
    #expect(try await next.collection("c").ids() == "d")
    #expect(recorder.take().isEmpty)
  }
}

extension DocumentReference {
  fileprivate func isCached() async throws -> Bool {
    do { return try await getDocument(source: .cache).exists } catch FirestoreErrorCode.unavailable
    {
      return false
    }
  }
}

/// Calls what is there in two shapes, to wait for and plain, in its plain shape.
func plainly(_ body: () -> Void) { body() }
