import FeedStore
import Testing

@Suite struct ConcurrencyTests {
  @Test func `queries beside writers see whole batches, and the meter counts every read`()
    async throws
  {
    let db = Firestore()
    let posts = db.collection("posts")
    let billed = try await withThrowingTaskGroup(of: Int.self) { group in
      for writer in 0..<2 {
        group.addTask {
          for round in 0..<100 {
            // A batch writes the same round to five documents, which every query must see together.
            let batch = db.batch()
            for number in 0..<5 {
              batch.setData(
                ["writer": writer, "round": round, "number": number],
                forDocument: posts.document("w\(writer)n\(number)"))
            }
            try await batch.commit()
          }
          return 0
        }
      }
      for reader in 0..<4 {
        group.addTask { try await Self.read(posts, writer: reader % 2) }
      }
      return try await group.reduce(0, +)
    }
    #expect(db.readMeter.total == billed)
  }

  private static func read(_ posts: CollectionReference, writer: Int) async throws -> Int {
    var billed = 0
    for turn in 0..<100 {
      // Different queries need different indexes, which are built while others write.
      let filtered = posts.whereField("writer", isEqualTo: writer)
      let query =
        switch turn % 3 {
        case 0: filtered
        case 1: filtered.order(by: "round", descending: true)
        default: filtered.whereField("number", isGreaterThanOrEqualTo: 0)
        }
      let snapshot = try await query.getDocuments()
      let rounds = Set(snapshot.documents.compactMap { $0.get("round") as? Int })
      #expect(rounds.count <= 1 && [0, 5].contains(snapshot.count))
      billed += snapshot.billedReads.total
    }
    return billed
  }
}
