import FeedStore
import Testing

@Suite struct AggregateTests {
  let db = Firestore.withPosts()
  var posts: CollectionReference { db.collection("posts") }

  @Test func `counts, sums and averages are computed together`() async throws {
    let fields: [AggregateField] = [
      .count(), .sum("score"), .average(FieldPath(["score"])), .sum(FieldPath(["score"])),
    ]
    let snapshot = try await posts.whereField("score", isGreaterThan: 1).aggregate(fields)
      .getAggregation(source: .server)
    #expect(snapshot.count == 3)
    #expect(snapshot.get(AggregateField.sum("score")) as? Int == 7)
    #expect(snapshot.get(AggregateField.average("score")) as? Double == 7.0 / 3)
    #expect(snapshot.get(AggregateField.average("other")) is NSNull)
    #expect(snapshot.query.query.firestore === db)
  }

  @Test func `the count of a limited query is limited`() async throws {
    let count = posts.limit(to: 2).count
    #expect(try await count.getAggregation(source: .server).count.intValue == 2)
    let last = posts.order(by: "score").limit(toLast: 3).count
    #expect(try await last.getAggregation(source: .server).count == 3)
  }

  @Test func `nothing has a sum and no average`() async throws {
    let snapshot = try await posts.whereField("score", isGreaterThan: 100)
      .aggregate([.count(), .sum("score"), .average("score")]).getAggregation(source: .server)
    #expect(snapshot.count == 0)
    #expect(snapshot.get(.sum("score")) as? Int64 == 0)
    #expect(snapshot.get(.average("score")) is NSNull)
  }

  @Test func `a count not asked for is -1`() async throws {
    let snapshot = try await posts.aggregate([.sum("score")]).getAggregation(source: .server)
    #expect(snapshot.count == -1)
  }

  @Test func `an aggregate reaches a completion closure`() async {
    let query = posts.count
    let count = await withCheckedContinuation { done in
      query.getAggregation(source: .server) { snapshot, _ in
        done.resume(returning: snapshot?.count.intValue)
      }
    }
    #expect(count == 5)
  }
}
