import DocumentDatabase
import FeedStore
import TestSupport
import Testing

@Suite struct ListenerPropertyTests {
  /// What one listener has been told, applied change by change to a list of its own.
  private struct Replay {
    let recorder: Recorder<QuerySnapshot>
    let query: Query
    var list: [String] = []
    var liveReads = 0

    mutating func catchUp(leftByChange: Set<String>) {
      for (number, snapshot) in recorder.take().enumerated() {
        for change in snapshot.documentChanges { apply(change, leftByChange) }
        #expect(list == snapshot.documents.map(\.documentID), "event \(number)")
      }
    }

    private mutating func apply(_ change: DocumentChange, _ leftByChange: Set<String>) {
      let id = change.document.documentID
      if change.type != .added { #expect(list.remove(at: Int(change.oldIndex)) == id) }
      if change.type != .removed { list.insert(id, at: Int(change.newIndex)) }
      if change.type != .removed || leftByChange.contains(id) { liveReads += 1 }
    }
  }

  @Test(arguments: Randomised.cases(60))
  func `replayed changes are what the query returns, and are what is billed`(
    _ number: Int
  ) async throws {
    var random = Randomised.generator(case: number)
    let data = Database(now: { 1_700_000_000_000_000 })
    let db = Firestore(data)
    let judge = Firestore(data)
    for id in RandomPosts.ids.shuffled(using: &random).prefix(10) {
      try await RandomPosts.write(db.collection("c").document(id), in: db.batch(), &random)
        .commit()
    }
    var replays: [Replay] = []
    for _ in 0..<6 {
      let query = RandomPosts.query(db.collection("c"), &random)
      var replay = Replay(recorder: Recorder(listeningTo: query), query: query)
      replay.catchUp(leftByChange: [])
      replays.append(replay)
    }
    let distinct = Set(replays.map(\.query)).count == replays.count
    db.readMeter.reset()
    for index in replays.indices { replays[index].liveReads = 0 }
    for step in 0..<40 {
      let before = try await judge.contents()
      RandomPosts.commit(to: db, &random)
      // Who is there and other than before; one that was deleted, or is the same, leaves for nothing.
      let left = try await judge.contents().filter { before[$0.key] != $0.value }.map(\.key)
      for index in replays.indices {
        replays[index].catchUp(leftByChange: Set(left))
        let now = try await replays[index].query.on(judge).getDocuments()
        #expect(
          replays[index].list == now.documents.map(\.documentID),
          "case \(number), step \(step), query \(replays[index].query.request)")
      }
    }
    if distinct {
      #expect(db.readMeter.total == replays.reduce(0) { $0 + $1.liveReads }, "case \(number)")
    }
  }
}

extension Query {
  /// The same question to another client.
  func on(_ firestore: Firestore) -> Query { Query(firestore: firestore, request: request) }
}

extension Firestore {
  fileprivate func contents() async throws -> [String: Fields] {
    let documents = try await collection("c").getDocuments().documents
    return Dictionary(
      uniqueKeysWithValues: documents.map { ($0.documentID, $0.stored?.fields ?? Fields()) })
  }
}

/// Random documents of one collection, random commits and random queries over them.
enum RandomPosts {
  static let ids = "abcdefghijklmnopqrst".map(String.init)

  static func fields(_ random: inout SeededGenerator) -> [String: Any] {
    var fields: [String: Any] = [:]
    let numbers: [Any] = [0, 1, 2, 3, 1.0, 2.5, "text", NSNull()]
    if random.chance(9, of: 10) { fields["n"] = numbers.randomElement(using: &random) }
    if random.chance(9, of: 10) { fields["k"] = ["x", "y", "z"].randomElement(using: &random) }
    fields["tags"] = ["red", "blue", "green"].filter { _ in random.chance(1, of: 2) }
    return fields
  }

  @discardableResult
  static func write(
    _ document: DocumentReference, in batch: WriteBatch, _ random: inout SeededGenerator
  ) -> WriteBatch {
    switch Int.random(in: 0..<10, using: &random) {
    case 0..<6: batch.setData(fields(&random), forDocument: document)
    case 6..<8: batch.setData(["n": FieldValue.increment(1)], forDocument: document, merge: true)
    default: batch.deleteDocument(document)
    }
  }

  /// Commits a few writes at once.
  static func commit(to db: Firestore, _ random: inout SeededGenerator) {
    let batch = db.batch()
    for _ in 0..<[1, 1, 1, 2, 5].randomElement(using: &random, or: 1) {
      let id = ids.randomElement(using: &random, or: "a")
      write(db.collection("c").document(id), in: batch, &random)
    }
    batch.commit()
  }

  static func query(_ collection: Query, _ random: inout SeededGenerator) -> Query {
    var query = collection
    switch Int.random(in: 0..<8, using: &random) {
    case 0: query = query.whereField("k", isEqualTo: "x")
    case 1: query = query.whereField("n", isGreaterThan: 0)
    case 2: query = query.whereField("tags", arrayContains: "red")
    case 3: query = query.whereField("k", in: ["x", "z"])
    case 4:
      query = query.whereFilter(
        Filter.orFilter([
          Filter.whereField("k", isEqualTo: "y"), Filter.whereField("n", isLessThan: 2),
        ]))
    case 5: query = query.whereField("tags", arrayContainsAny: ["blue", "green"])
    default: break
    }
    let isDescending = random.chance(1, of: 2)
    let isOrdered = random.chance(3, of: 4)
    if isOrdered { query = query.order(by: "n", descending: isDescending) }
    if isOrdered, random.chance(1, of: 4) { query = query.order(by: "k") }
    if isOrdered, random.chance(1, of: 3) {
      query = isDescending ? query.end(at: [1]) : query.start(after: [0])
    }
    guard random.chance(2, of: 3) else { return query }
    let limit = Int.random(in: 1...5, using: &random)
    return isOrdered && random.chance(1, of: 3)
      ? query.limit(toLast: limit) : query.limit(to: limit)
  }
}

extension SeededGenerator {
  mutating func chance(_ part: Int, of whole: Int) -> Bool {
    Int.random(in: 0..<whole, using: &self) < part
  }
}

extension Array {
  func randomElement(using random: inout SeededGenerator, or other: Element) -> Element {
    randomElement(using: &random) ?? other
  }
}
