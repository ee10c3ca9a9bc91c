import DocumentDatabase
import FeedStore
import Testing

/// Which queries production answers with its automatic indexes, and which index the others need: the
/// documented list, row by row.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/index-overview
@Suite struct IndexRequirementTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let query: @Sendable (CollectionReference) -> Query
    var needs: [String] = []

    init(
      _ description: String, needs: String...,
      query: @escaping @Sendable (CollectionReference) -> Query
    ) {
      testDescription = description
      self.query = query
      self.needs = needs
    }
  }

  /// What production needs for `query` beside `declared`, as Query Explain writes indexes.
  private static func missing(_ query: Query, declared: FirestoreIndexes = .init()) throws
    -> [String]
  {
    let canonical = try query.firestore.database.canonical(query.structured())
    return IndexRequirement(of: canonical, in: declared.configuration).missing.map(\.description)
  }

  private static let automatic: [Row] = [
    Row("no filter, by name ascending") { $0 },
    Row("explicitly by name ascending") { $0.order(by: FieldPath.documentID()) },
    Row("one equality") { $0.whereField("a", isEqualTo: 1) },
    Row("equality on several fields") {
      $0.whereField("a", isEqualTo: 1).whereField("b", isEqualTo: 2).whereField("c", isEqualTo: 3)
    },
    Row("equality to null") { $0.whereField("a", isEqualTo: NSNull()) },
    Row("in") { $0.whereField("a", in: [1, 2, 3]) },
    Row("equality and in") { $0.whereField("a", isEqualTo: 1).whereField("b", in: [1, 2]) },
    Row("array-contains") { $0.whereField("tags", arrayContains: "x") },
    Row("equality and array-contains") {
      $0.whereField("a", isEqualTo: 1).whereField("tags", arrayContains: "x")
    },
    Row("equality and array-contains-any") {
      $0.whereField("a", isEqualTo: 1).whereField("tags", arrayContainsAny: ["x", "y"])
    },
    Row("a range on one field") { $0.whereField("a", isGreaterThan: 1) },
    Row("two ranges on one field") {
      $0.whereField("a", isGreaterThan: 1).whereField("a", isLessThan: 9)
    },
    Row("not equal") { $0.whereField("a", isNotEqualTo: 1) },
    Row("not in") { $0.whereField("a", notIn: [1, 2]) },
    Row("a range ordered by its field, descending") {
      $0.whereField("a", isGreaterThan: 1).order(by: "a", descending: true)
    },
    Row("one order, ascending") { $0.order(by: "a") },
    Row("one order, descending") { $0.order(by: "a", descending: true) },
    Row("one order with the name in its direction") {
      $0.order(by: "a", descending: true).order(by: FieldPath.documentID(), descending: true)
    },
    Row("the last of one order") { $0.order(by: "a").limit(toLast: 3) },
    Row("equality and order on the same field") { $0.whereField("a", isEqualTo: 1).order(by: "a") },
    Row("equality and the name, ascending") {
      $0.whereField("a", isEqualTo: 1).order(by: FieldPath.documentID())
    },
    Row("equality and the name, descending") {
      $0.whereField("a", isEqualTo: 1).order(by: FieldPath.documentID(), descending: true)
    },
    Row("equality and a range of names") {
      $0.whereField("a", isEqualTo: 1).whereField(FieldPath.documentID(), isGreaterThan: "m")
    },
    Row("an OR of equalities") {
      $0.whereFilter(
        .orFilter([.whereField("a", isEqualTo: 1), .whereField("b", isEqualTo: 2)]))
    },
    Row("a field inside a map") { $0.order(by: "m.x", descending: true) },
  ]

  @Test(arguments: automatic)
  func `the automatic indexes are enough`(row: Row) throws {
    #expect(try IndexRequirementTests.missing(row.query(Firestore().collection("c"))) == [])
  }

  private static let manual: [Row] = [
    Row("equality and an order", needs: "(a ASC, b ASC, __name__ ASC)") {
      $0.whereField("a", isEqualTo: 1).order(by: "b")
    },
    Row("equality and an order, descending", needs: "(a ASC, b DESC, __name__ DESC)") {
      $0.whereField("a", isEqualTo: 1).order(by: "b", descending: true)
    },
    Row("equality and the last of an order", needs: "(a ASC, b DESC, __name__ DESC)") {
      $0.whereField("a", isEqualTo: 1).order(by: "b").limit(toLast: 3)
    },
    Row("equality and a range", needs: "(a ASC, b ASC, __name__ ASC)") {
      $0.whereField("b", isGreaterThan: 1).whereField("a", isEqualTo: 1)
    },
    Row("equality and not equal", needs: "(a ASC, b ASC, __name__ ASC)") {
      $0.whereField("a", isEqualTo: 1).whereField("b", isNotEqualTo: 1)
    },
    Row("in and an order", needs: "(a ASC, b ASC, __name__ ASC)") {
      $0.whereField("a", in: [1, 2, 3]).order(by: "b")
    },
    Row("array-contains and an order", needs: "(tags CONTAINS, b DESC, __name__ DESC)") {
      $0.whereField("tags", arrayContains: "x").order(by: "b", descending: true)
    },
    Row(
      "array-contains and equality and a range",
      needs: "(a ASC, tags CONTAINS, b ASC, __name__ ASC)"
    ) {
      $0.whereField("tags", arrayContains: "x").whereField("a", isEqualTo: 1)
        .whereField("b", isLessThan: 1)
    },
    Row("array-contains and the name, descending", needs: "(tags CONTAINS, __name__ DESC)") {
      $0.whereField("tags", arrayContains: "x")
        .order(by: FieldPath.documentID(), descending: true)
    },
    Row("two orders", needs: "(a ASC, b ASC, __name__ ASC)") { $0.order(by: "a").order(by: "b") },
    Row("two orders in mixed directions", needs: "(a DESC, b ASC, __name__ ASC)") {
      $0.order(by: "a", descending: true).order(by: "b")
    },
    Row("two inequalities", needs: "(a ASC, b ASC, __name__ ASC)") {
      $0.whereField("b", isGreaterThan: 1).whereField("a", isLessThan: 9)
    },
    Row(
      "two inequalities ordered by a third field", needs: "(v DESC, a DESC, b DESC, __name__ DESC)"
    ) {
      $0.whereField("b", isGreaterThan: 1).whereField("a", isLessThan: 9)
        .order(by: "v", descending: true)
    },
    Row("a range ordered by another field", needs: "(b ASC, a ASC, __name__ ASC)") {
      $0.whereField("a", isGreaterThan: 1).order(by: "b")
    },
    Row("names alone, descending", needs: "(__name__ DESC)") {
      $0.order(by: FieldPath.documentID(), descending: true)
    },
    Row("an order with the name against it", needs: "(a ASC, __name__ DESC)") {
      $0.order(by: "a").order(by: FieldPath.documentID(), descending: true)
    },
    Row(
      "an OR with an order, an index for each branch", needs: "(a ASC, v ASC, __name__ ASC)",
      "(b ASC, v ASC, __name__ ASC)"
    ) {
      $0.whereFilter(.orFilter([.whereField("a", isEqualTo: 1), .whereField("b", isEqualTo: 2)]))
        .order(by: "v")
    },
    Row(
      "an OR with a range, ordered by its field in every branch",
      needs: "(b ASC, a ASC, __name__ ASC)"
    ) {
      $0.whereFilter(
        .orFilter([.whereField("a", isGreaterThan: 2), .whereField("b", isEqualTo: 1)]))
    },
  ]

  @Test(arguments: manual)
  func `a composite index is needed`(row: Row) throws {
    #expect(try IndexRequirementTests.missing(row.query(Firestore().collection("c"))) == row.needs)
  }

  @Test(arguments: manual)
  func `the entry of the message, pasted, is all that was missing`(row: Row) async throws {
    let db = Firestore(indexes: .strict)
    let query = row.query(db.collection("c"))
    let refusal = await #expect(throws: FirestoreErrorCode.self) { try await query.getDocuments() }
    #expect(refusal?.code == .failedPrecondition)
    let message = try #require(refusal?.message)
    for need in row.needs { #expect(message.contains(need)) }
    let start = try #require(message.firstRange(of: "\n{\n")?.lowerBound)
    db.indexes = .strict(try FirestoreIndexes(json: String(message[start...])))
    #expect(try await query.getDocuments().missingIndexes.isEmpty)
  }

  // MARK: Aggregations

  @Test func `an aggregated field stands in the index before the name`() async throws {
    let posts = Firestore().collection("posts")
    func missing(_ query: Query, _ fields: [AggregateField]) async throws -> [String] {
      try await query.aggregate(fields).getAggregation(source: .server).missingIndexes
        .configuration.indexes.map(\.description)
    }
    let count = AggregateField.count()
    let sum = AggregateField.sum("n")
    let inKind = posts.whereField("kind", isEqualTo: "a")
    #expect(try await missing(inKind, [count]) == [])
    #expect(try await missing(posts, [sum]) == [])
    #expect(try await missing(inKind, [sum, count]) == ["(kind ASC, n ASC, __name__ ASC)"])
    #expect(
      try await missing(posts, [sum, .average("m")]) == ["(n ASC, m ASC, __name__ ASC)"])
    #expect(try await missing(posts.whereField("n", isGreaterThan: 3), [sum]) == [])
    #expect(try await missing(posts.whereField("n", isEqualTo: 3), [sum]) == [])
    #expect(
      try await missing(inKind.order(by: "t", descending: true), [sum]) == [
        "(kind ASC, t DESC, n DESC, __name__ DESC)"
      ])
  }

  // MARK: Collection groups

  @Test func `a collection group has no automatic index but the order of names`() throws {
    let group = Firestore().collectionGroup("c")
    #expect(try IndexRequirementTests.missing(group) == [])
    let filtered = group.whereField("v", isEqualTo: 1)
    #expect(try IndexRequirementTests.missing(filtered) == ["(v ASC, __name__ ASC)"])
    let declared = try FirestoreIndexes(
      json: """
        {"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "v", "indexes": [
          {"queryScope": "COLLECTION_GROUP", "order": "ASCENDING"}]}]}
        """)
    #expect(try IndexRequirementTests.missing(filtered, declared: declared) == [])
    let descending = group.order(by: "v", descending: true)
    #expect(
      try IndexRequirementTests.missing(descending, declared: declared) == [
        "(v DESC, __name__ DESC)"
      ])
  }

  @Test func `an index of a collection does not serve its group, nor the other way round`() throws {
    let db = Firestore()
    func declared(_ scope: String) throws -> FirestoreIndexes {
      try FirestoreIndexes(
        json: """
          {"indexes": [{"collectionGroup": "c", "queryScope": "\(scope)", "fields": [
            {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "ASCENDING"}]}]}
          """)
    }
    let plain = db.collection("c").order(by: "a").order(by: "b")
    let group = db.collectionGroup("c").order(by: "a").order(by: "b")
    let below = db.collection("x/y/c").order(by: "a").order(by: "b")
    for query in [plain, below] {
      #expect(try IndexRequirementTests.missing(query, declared: declared("COLLECTION")) == [])
      #expect(
        try !IndexRequirementTests.missing(query, declared: declared("COLLECTION_GROUP")).isEmpty)
    }
    #expect(try IndexRequirementTests.missing(group, declared: declared("COLLECTION_GROUP")) == [])
    #expect(try !IndexRequirementTests.missing(group, declared: declared("COLLECTION")).isEmpty)
  }
}
