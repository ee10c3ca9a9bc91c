import Dispatch
import FeedStore
import Synchronization
import Testing

@Suite struct ListenerTests {
  let db = Firestore.withPosts()
  var posts: CollectionReference { db.collection("posts") }

  @Test func `a first snapshot has all documents as added`() {
    let recorder = Recorder(listeningTo: posts.order(by: "score"))
    #expect(recorder.events() == ["abcd: +a0 +b1 +c2 +d3"])
  }

  @Test func `an empty result is a first snapshot too`() {
    let recorder = Recorder(listeningTo: db.collection("none"))
    #expect(recorder.events() == [": "])
  }

  @Test func `all writes of a commit are one snapshot with sequential indices`() {
    let recorder = Recorder(listeningTo: posts.order(by: "score"))
    recorder.events().forEach { _ in }
    let batch = db.batch()
    batch.deleteDocument(posts.document("c"))
    batch.setData(["score": 0], forDocument: posts.document("n"))
    batch.updateData(["score": 1.5], forDocument: posts.document("d"))
    batch.commit()
    #expect(recorder.events() == ["nadb: -c2 +n0 ~d3>2"])
  }

  @Test func `what leaves the filter is removed with its last matching content`() throws {
    let recorder = Recorder(listeningTo: posts.whereField("kind", isEqualTo: "x"))
    _ = recorder.take()
    posts.document("c").updateData(["kind": "y"])
    let change = try #require(recorder.take().first?.documentChanges.first)
    #expect(change.type == .removed)
    #expect(change.document["kind"] as? String == "x")
    #expect(change.newIndex == UInt(NSNotFound))
  }

  @Test func `changes that do not touch the result are silent`() {
    let recorder = Recorder(listeningTo: posts.whereField("kind", isEqualTo: "x"))
    _ = recorder.take()
    posts.document("b").updateData(["score": 9])
    posts.document("a").setData(["score": 1, "kind": "x", "tags": ["red"]])
    db.collection("others").document("a").setData(["kind": "x"])
    db.batch().deleteDocument(posts.document("e")).setData(
      ["kind": "x"], forDocument: posts.document("e")
    )
    .commit()
    posts.document("a").collection("posts").document("z").setData(["kind": "x"])
    #expect(recorder.events() == [])
  }

  @Test func `a full window is refilled, and pushes out what no longer fits`() {
    let recorder = Recorder(listeningTo: posts.order(by: "score").limit(to: 2))
    posts.document("n").setData(["score": 0])
    posts.document("a").updateData(["score": 7])
    posts.document("n").delete()
    #expect(
      recorder.events() == [
        "ab: +a0 +b1", "na: -b1 +n0", "nb: -a1 +b1", "bc: -n0 +c1",
      ])
  }

  @Test func `the last documents of an order are a window too`() {
    let recorder = Recorder(listeningTo: posts.order(by: "score").limit(toLast: 2))
    posts.document("n").setData(["score": 4])
    posts.document("d").delete()
    #expect(recorder.events() == ["cd: +c0 +d1", "dn: -c0 +n1", "cn: -d0 +c0"])
  }

  @Test func `a document is listened to, there or not`() {
    let recorder = Recorder<DocumentSnapshot>(db)
    let document = posts.document("n")
    document.addSnapshotListener { recorder.hear($0, $1) }
    document.setData(["score": 1])
    document.setData(["score": 1])
    document.updateData(["score": 2])
    document.delete()
    let values = recorder.take().map { $0.exists ? "\($0["score"] as? Int ?? -1)" : "none" }
    #expect(values == ["none", "1", "2", "none"])
  }

  @Test func `live reads are billed by what changes`() {
    db.readMeter.reset()
    let recorder = Recorder(listeningTo: posts.order(by: "score").limit(to: 3))
    #expect(db.readMeter.total == 3)
    posts.document("n").setData(["score": 0])
    #expect(db.readMeter.total == 4, "the newcomer; who is pushed out is free")
    posts.document("a").delete()
    #expect(db.readMeter.total == 5, "a deletion is free, the refill is not")
    posts.document("n").updateData(["score": 9])
    #expect(db.readMeter.total == 7, "left by a change, and a refill")
    #expect(db.readMeter.reads == [.documentsReturned: 3, .liveChange: 4])
    #expect(recorder.snapshots.map(\.billedReads.total) == [3, 1, 1, 2])
  }

  @Test func `listeners of the same query are billed once`() {
    db.readMeter.reset()
    let first = Recorder(listeningTo: posts.order(by: "score").limit(to: 3))
    let second = Recorder(listeningTo: posts.order(by: "score").limit(to: 3))
    posts.document("n").setData(["score": 0])
    #expect(db.readMeter.total == 4)
    #expect(first.events().last == second.events().last)
  }

  @Test func `a listener of a document that is missing is one read, and so is its creation`() {
    db.readMeter.reset()
    posts.document("none").addSnapshotListener { _, _ in }
    #expect(db.readMeter.reads == [.minimum: 1])
    posts.document("none").setData(["a": 1])
    posts.document("none").delete()
    #expect(db.readMeter.total == 2)
  }

  @Test func `nothing is heard after remove has returned on the queue`() {
    let calls = Mutex(0)
    let recorder = Recorder<QuerySnapshot>(db)
    let registration = posts.addSnapshotListener { _, _ in calls.withLock { $0 += 1 } }
    _ = recorder.snapshots
    registration.remove()
    registration.remove()
    posts.document("n").setData(["score": 0])
    _ = recorder.snapshots
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func `a listener may remove itself in its first call`() async throws {
    let calls = Mutex(0)
    let holder = Mutex<(any ListenerRegistration)?>(nil)
    await withCheckedContinuation { done in
      let registration = posts.addSnapshotListener { _, _ in
        holder.withLock { $0?.remove() }
        if calls.withLock({
          $0 += 1; return $0
        }) == 1 {
          done.resume()
        }
      }
      holder.withLock { $0 = registration }
    }
    holder.withLock { $0?.remove() }
    try await posts.document("n").setData(["score": 0])
    #expect(calls.withLock { $0 } == 1)
  }

  @Test func `a mistake in the query is told once`() {
    let recorder = Recorder(listeningTo: posts.limit(to: 0))
    #expect(recorder.errors.map(\.code) == [.invalidArgument])
    #expect(recorder.snapshots.isEmpty)
    let selecting = Recorder(listeningTo: posts.metered.offset(2))
    #expect(selecting.errors.map(\.code) == [.invalidArgument])
  }

  @Test func `snapshots can be iterated, and each iteration listens`() async throws {
    var texts: [String] = []
    for try await snapshot in posts.order(by: "score").limit(to: 2).snapshots {
      texts.append(snapshot.text)
      if texts.count == 1 { try await posts.document("n").setData(["score": 0]) }
      if texts.count == 2 { break }
    }
    #expect(texts == ["ab: +a0 +b1", "na: -b1 +n0"])
    for try await snapshot in posts.document("a").snapshots {
      #expect(snapshot.exists)
      break
    }
    await #expect(throws: FirestoreErrorCode.self) {
      for try await _ in posts.limit(to: -1).snapshots {}
    }
  }

  @Test func `those who wait for all listeners hear after them`() {
    let order = Mutex<[String]>([])
    let recorder = Recorder<QuerySnapshot>(db)
    posts.addSnapshotListener { _, _ in order.withLock { $0.append("one") } }
    let registration = db.addSnapshotsInSyncListener { order.withLock { $0.append("sync") } }
    posts.document("a").addSnapshotListener { _, _ in order.withLock { $0.append("two") } }
    posts.document("a").updateData(["score": 5])
    _ = recorder.snapshots
    registration.remove()
    posts.document("b").updateData(["score": 5])
    _ = recorder.snapshots
    #expect(order.withLock { $0 } == ["one", "sync", "two", "one", "two", "sync", "one"])
  }

  @Test func `listeners that come while many write miss nothing`() async throws {
    let db = Firestore.fresh()
    let query = db.collection("c").order(by: "n").limit(to: 10)
    let lists = Shared<[Int: [String]]>([:])
    await withTaskGroup(of: Void.self) { group in
      for writer in 0..<4 {
        group.addTask {
          for number in 0..<50 {
            try? await db.document("c/\(writer)-\(number)").setData(["n": (number * 7) % 50])
          }
        }
      }
      for listener in 0..<8 {
        group.addTask {
          _ = query.listen(options: SnapshotListenOptions()) { outcome in
            guard case .success(let snapshot) = outcome else { return }
            lists.change { lists in
              for change in snapshot.documentChanges {
                if change.type != .added { lists[listener]?.remove(at: Int(change.oldIndex)) }
                if change.type != .removed {
                  lists[listener, default: []]
                    .insert(change.document.documentID, at: Int(change.newIndex))
                }
              }
            }
          }
          await Task.yield()
        }
      }
    }
    let now = try await query.getDocuments().documents.map(\.documentID)
    #expect(lists.value == Dictionary(uniqueKeysWithValues: (0..<8).map { ($0, now) }))
  }

  @Test func `a collection group is listened to across its collections`() {
    let recorder = Recorder(listeningTo: db.collectionGroup("likes").order(by: "at"))
    db.document("posts/a/likes/x").setData(["at": 2])
    db.document("users/u/likes/y").setData(["at": 1])
    db.document("users/u/other/z").setData(["at": 1])
    #expect(recorder.events() == [": ", "x: +x0", "yx: +y0"])
  }
}
