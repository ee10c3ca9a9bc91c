import DocumentDatabase
import FeedStore
import Testing

/// Which declared indexes serve a query: merging, directions, exemptions.
@Suite struct IndexMergingTests {
  private let restaurants = Firestore().collection("restaurants")

  /// Indexes of restaurants, each `field field:desc field:contains`.
  private func declared(_ indexes: String...) throws -> FirestoreIndexes {
    var configuration = IndexConfiguration()
    for index in indexes {
      let fields = try index.split(separator: " ").map { text in
        let parts = text.split(separator: ":")
        let mode: CompositeIndex.Mode =
          parts.count == 1 ? .ascending : parts[1] == "desc" ? .descending : .contains
        return CompositeIndex.Field(try FieldReference(parsing: String(parts[0])), mode)
      }
      configuration.indexes.append(
        CompositeIndex(collectionID: "restaurants", scope: .collection, fields: fields))
    }
    return FirestoreIndexes(configuration)
  }

  private func requirement(
    of query: Query, _ declared: FirestoreIndexes
  ) throws -> IndexRequirement {
    let canonical = try query.firestore.database.canonical(query.structured())
    return IndexRequirement(of: canonical, in: declared.configuration)
  }

  private func isServed(_ query: Query, by declared: FirestoreIndexes) throws -> Bool {
    try requirement(of: query, declared).missing.isEmpty
  }

  @Test func `indexes with the same order are merged`() throws {
    let query = restaurants.whereField("category", isEqualTo: "burgers")
      .whereField("city", isEqualTo: "SF").order(by: "rating", descending: true)
    #expect(try isServed(query, by: declared("category rating:desc", "city rating:desc")))
    #expect(try isServed(query, by: declared("category city rating:desc")))
    #expect(try isServed(query, by: declared("city:desc category rating:desc")))
    #expect(try !isServed(query, by: declared("category rating:desc")))
    #expect(try !isServed(query, by: declared("category rating:desc", "city rating")))
    #expect(try !isServed(query, by: declared("category rating:desc", "city editors rating:desc")))
    #expect(try !isServed(query, by: declared("rating:desc category city")))
    let used = try requirement(
      of: query, declared("category rating:desc", "city rating:desc")
    ).used
    #expect(
      used.map(\.description) == [
        "(category ASC, rating DESC, __name__ DESC)", "(city ASC, rating DESC, __name__ DESC)",
      ])
  }

  @Test func `an index serves one direction only, and its opposite not at all`() throws {
    let indexes = try declared("country population")
    let ascending = restaurants.order(by: "country").order(by: "population")
    #expect(try isServed(ascending, by: indexes))
    let reversed = restaurants.order(by: "country", descending: true)
      .order(by: "population", descending: true)
    #expect(try !isServed(reversed, by: indexes))
    #expect(try !isServed(ascending.limit(toLast: 3), by: indexes))
    #expect(
      try isServed(ascending.limit(toLast: 3), by: declared("country:desc population:desc")))
    #expect(try !isServed(restaurants.order(by: "country").order(by: "x"), by: indexes))
  }

  @Test func `an array is in an index as a whole or by its elements`() throws {
    let query = restaurants.whereField("tags", arrayContains: "x").order(by: "rating")
    #expect(try isServed(query, by: declared("tags:contains rating")))
    #expect(try !isServed(query, by: declared("tags rating")))
    let whole = restaurants.whereField("tags", isEqualTo: ["x"]).order(by: "rating")
    #expect(try isServed(whole, by: declared("tags rating")))
    #expect(try !isServed(whole, by: declared("tags:contains rating")))
  }

  @Test func `an equality that a composite index covers is taken from it`() throws {
    let query = restaurants.whereField("a", isEqualTo: 1).whereField("b", isEqualTo: 1)
    #expect(
      try requirement(of: query, declared()).used.map(\.description) == [
        "(a ASC, __name__ ASC)", "(b ASC, __name__ ASC)",
      ])
    #expect(
      try requirement(of: query, declared("b a")).used.map(\.description) == [
        "(b ASC, a ASC, __name__ ASC)"
      ])
  }

  @Test func `an index with one more field holds too few documents to serve`() throws {
    #expect(
      try !isServed(restaurants.order(by: "a").order(by: "b"), by: declared("a b c")))
    #expect(
      try !isServed(
        restaurants.whereField("a", isEqualTo: 1).order(by: "b"), by: declared("a c b")))
  }

  // MARK: Exemptions

  private func overriding(_ path: String, _ indexes: String = "") throws -> FirestoreIndexes {
    try FirestoreIndexes(
      json: """
        {"fieldOverrides": [
          {"collectionGroup": "restaurants", "fieldPath": "\(path)", "indexes": [\(indexes)]}]}
        """)
  }

  @Test func `an exempt field can be neither filtered nor ordered by`() throws {
    let exempt = try overriding("v")
    #expect(try !isServed(restaurants.whereField("v", isEqualTo: 1), by: exempt))
    #expect(try !isServed(restaurants.order(by: "v"), by: exempt))
    #expect(try isServed(restaurants.whereField("w", isEqualTo: 1), by: exempt))
    #expect(try isServed(Firestore().collection("other").order(by: "v"), by: exempt))
  }

  @Test func `an exempt field may be part of a composite index, also of a merged one`() throws {
    var exempt = try overriding("v")
    exempt.configuration.indexes = try declared("v w").configuration.indexes
    let query = restaurants.whereField("v", isEqualTo: 1)
    #expect(try isServed(query.order(by: "w"), by: exempt))
    #expect(try isServed(query.whereField("w", isEqualTo: 1), by: exempt))
    #expect(
      try isServed(query.whereField("w", isEqualTo: 1).whereField("x", isEqualTo: 1), by: exempt))
    #expect(try !isServed(query.whereField("x", isEqualTo: 1), by: exempt))
  }

  @Test func `an exemption covers the fields of a map unless they have their own`() throws {
    #expect(try !isServed(restaurants.order(by: "m.x"), by: overriding("m")))
    #expect(try isServed(restaurants.order(by: "m"), by: overriding("m.x")))
    #expect(try !isServed(restaurants.order(by: "anything"), by: overriding("*")))
    let both = try FirestoreIndexes(
      json: """
        {"fieldOverrides": [
          {"collectionGroup": "restaurants", "fieldPath": "*", "indexes": []},
          {"collectionGroup": "restaurants", "fieldPath": "m.x", "indexes": [
            {"queryScope": "COLLECTION", "order": "ASCENDING"}]}]}
        """)
    #expect(try isServed(restaurants.order(by: "m.x"), by: both))
    #expect(try !isServed(restaurants.order(by: "m.x", descending: true), by: both))
    #expect(try !isServed(restaurants.order(by: "m.y"), by: both))
  }

  @Test func `an override without contains takes array-contains away`() throws {
    let ascending = try overriding("tags", #"{"queryScope": "COLLECTION", "order": "ASCENDING"}"#)
    #expect(try !isServed(restaurants.whereField("tags", arrayContains: 1), by: ascending))
    #expect(try isServed(restaurants.whereField("tags", isEqualTo: [1]), by: ascending))
  }

  @Test func `the entry for one field keeps what the field has`() async throws {
    let db = Firestore(indexes: .strict)
    let query = db.collectionGroup("restaurants").whereField("v", isEqualTo: 1)
    let missing = try await Firestore().collectionGroup("restaurants")
      .whereField("v", isEqualTo: 1).getDocuments().missingIndexes
    db.indexes = .strict(missing)
    try await query.getDocuments()
    try await db.collection("restaurants").order(by: "v", descending: true).getDocuments()
    try await db.collection("restaurants").whereField("v", arrayContains: 1).getDocuments()
  }
}
