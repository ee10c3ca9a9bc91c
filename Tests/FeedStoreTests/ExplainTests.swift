import FeedStore
import Testing

/// `metered.explain(analyze:)`, in the terms of Query Explain.
///
/// Source: https://firebase.google.com/docs/firestore/query-explain
@Suite struct ExplainTests {
  let db = Firestore.withPosts()
  var posts: CollectionReference { db.collection("posts") }

  /// Documents, index entries, minimum.
  private func billed(_ stats: ExplainMetrics.ExecutionStats) -> [Int] {
    let details = stats.billingDetails
    return [details.documentsBillable, details.indexEntriesBillable, details.minimumQueryCost]
  }

  @Test func `a plan runs nothing and costs one read`() async throws {
    let explained = try await posts.order(by: "score").metered.explain()
    #expect(explained.snapshot == nil)
    #expect(explained.metrics.executionStats == nil)
    #expect(explained.metrics.billedReads == [.explainedPlan: 1])
    #expect(db.readMeter.total == 1)
    #expect(db.readMeter.entries.first?.query.hasPrefix("explain posts order by score") == true)
  }

  @Test func `an analysis costs what the query costs, and returns its documents`() async throws {
    let explained = try await posts.order(by: "score").limit(to: 3).metered.explain(analyze: true)
    #expect(explained.snapshot?.documents.map(\.documentID) == ["a", "b", "c"])
    let stats = try #require(explained.metrics.executionStats)
    #expect(stats.resultsReturned == 3)
    #expect(stats.readOperations == 3)
    #expect(stats.documentsScanned == 3)
    #expect(stats.indexEntriesScanned == 3)
    #expect(
      billed(stats) == [3, 0, 0])
    #expect(db.readMeter.total == 3)
    #expect(db.readMeter.operationCount == 1)
  }

  @Test func `the last n come in the query's order`() async throws {
    let explained = try await posts.order(by: "score").limit(toLast: 2).metered
      .explain(analyze: true)
    #expect(explained.snapshot?.documents.map(\.documentID) == ["c", "d"])
    #expect(
      explained.metrics.planSummary.indexesUsed.map(\.properties) == ["(score DESC, __name__ DESC)"]
    )
  }

  @Test func `indexes are named with scope and properties`() async throws {
    func indexes(_ query: Query) async throws -> [String] {
      try await query.metered.explain().metrics.planSummary.indexesUsed.map {
        "\($0.queryScope) \($0.properties)"
      }
    }
    #expect(try await indexes(posts) == ["Collection (__name__ ASC)"])
    #expect(
      try await indexes(posts.whereField("score", isGreaterThan: 1)) == [
        "Collection (score ASC, __name__ ASC)"
      ])
    #expect(
      try await indexes(
        posts.whereField("kind", isEqualTo: "x").whereField("tags", arrayContains: "red")) == [
          "Collection (kind ASC, __name__ ASC)", "Collection (tags CONTAINS, __name__ ASC)",
        ])
    #expect(
      try await indexes(
        db.collectionGroup("posts").whereField("kind", in: ["x", "y"])
          .order(by: "score", descending: true)) == [
          "Collection group (kind ASC, score DESC, __name__ DESC)"
        ])
  }

  @Test func `a missing index is reported beside the plan`() async throws {
    let query = posts.whereField("kind", isEqualTo: "x").order(by: "score")
    let plan = try await query.metered.explain().metrics.planSummary
    #expect(plan.missingIndexes.json.contains(#""fieldPath": "kind""#))
    db.indexes = .strict(plan.missingIndexes)
    #expect(try await query.metered.explain().metrics.planSummary.missingIndexes.isEmpty)
  }

  @Test func `several range fields are billed for their index entries`() async throws {
    let query = posts.whereField("score", isGreaterThan: 0).whereField("kind", isGreaterThan: "x")
    let stats = try #require(try await query.metered.explain(analyze: true).metrics.executionStats)
    // By kind, then score: b and d are y, and only what lies behind x is read.
    #expect(stats.indexEntriesScanned == 2)
    #expect(stats.readOperations == 3)
    #expect(
      billed(stats) == [2, 2, 0])
  }

  @Test func `an empty result costs the minimum`() async throws {
    let explained = try await posts.whereField("kind", isEqualTo: "none").metered
      .explain(analyze: true)
    let stats = try #require(explained.metrics.executionStats)
    #expect(stats.readOperations == 1)
    #expect(
      billed(stats) == [0, 0, 1])
  }

  @Test func `skipped documents are billed as documents`() async throws {
    let query = posts.order(by: "score").metered.offset(2).limit(to: 1)
    let stats = try #require(try await query.metered.explain(analyze: true).metrics.executionStats)
    #expect(stats.resultsReturned == 1)
    #expect(stats.billingDetails.documentsBillable == 3)
    #expect(stats.indexEntriesScanned == 3)
  }

  @Test func `an aggregation reads index entries only`() async throws {
    let explained = try await posts.aggregate([.count(), .sum("score")]).metered
      .explain(analyze: true)
    #expect(explained.snapshot?.count == 4)
    let stats = try #require(explained.metrics.executionStats)
    #expect(stats.resultsReturned == 1)
    #expect(stats.readOperations == 1)
    #expect(stats.billingDetails.documentsBillable == 0)
    #expect(stats.billingDetails.indexEntriesBillable == stats.indexEntriesScanned)
    #expect(
      explained.metrics.planSummary.indexesUsed.map(\.properties) == ["(score ASC, __name__ ASC)"])
    let plan = try await posts.count.metered.explain()
    #expect(plan.snapshot == nil && plan.metrics.billedReads == [.explainedPlan: 1])
  }

  @Test func `a plan says how many index entries a run can read`() async throws {
    func most(_ query: Query) async throws -> Int {
      try await query.metered.explain().metrics.planSummary.indexEntriesAtMost
    }
    #expect(try await most(posts) == 5)
    #expect(try await most(posts.limit(to: 2)) == 2)
    #expect(try await most(posts.whereField("score", isEqualTo: 2)) == 2)
    #expect(try await most(posts.whereField("score", isGreaterThan: 2)) == 1)
    #expect(try await most(posts.order(by: "score").start(after: [2])) == 1)
    #expect(try await most(posts.whereField("kind", in: ["x", "y"]).limit(to: 1)) == 2)
  }

  @Test func `a mistake in the query is thrown by its explanation`() async throws {
    let error = await #expect(throws: FirestoreErrorCode.self) {
      try await posts.limit(to: 0).metered.explain()
    }
    #expect(error?.code == .invalidArgument)
    #expect(db.readMeter.operationCount == 0)
  }
}
