import FeedStore
import Testing

/// Each rule that is left open, taken both ways.
@Suite struct QueryAssumptionsTests {
  let db = Firestore.withPosts()
  var posts: CollectionReference { db.collection("posts") }

  private func requested(_ text: String) throws -> Query {
    let request = try #require(try RESTQuery.queries(of: Array(text.utf8)).first)
    return request.query(in: db)
  }

  @Test func `a request for no documents`() async throws {
    let query = try requested(#"{"from": [{"collectionId": "posts"}], "limit": 0}"#)
    #expect(try await query.ids() == "")
    db.assumptions.zeroLimitIsEmpty = false
    #expect(try await query.ids() == "abcde")
  }

  @Test(arguments: [#"{"nullValue": null}"#, #"{"doubleValue": "NaN"}"#])
  func `a request for what equals null or NaN`(operand: String) async throws {
    try await posts.document("n").setData(["v": operand.contains("NaN") ? Double.nan : NSNull()])
    let query = try requested(
      """
      {"from": [{"collectionId": "posts"}], "where": {"fieldFilter":
        {"field": {"fieldPath": "v"}, "op": "EQUAL", "value": \(operand)}}}
      """)
    #expect(try await query.ids() == "")
    db.assumptions.equalToNullIsEmpty = false
    #expect(try await query.ids() == "n")
  }

  @Test func `a range of null or NaN`() async throws {
    for operand in [NSNull(), Double.nan] as [Any] {
      db.assumptions = QueryAssumptions()
      let query = posts.whereField("score", isLessThan: operand)
      #expect(try await query.ids() == "")
      db.assumptions.rangeOfNullIsEmpty = false
      #expect(await query.mistake().contains("'score' is compared with null or NaN"))
      #expect(try await posts.whereField("score", isLessThan: 2).ids() == "a")
    }
  }

  @Test func `a cursor outside the range of a later order`() async throws {
    let query = posts.whereField("kind", isGreaterThan: "a").whereField("score", isGreaterThan: 1)
      .order(by: "kind").order(by: "score")
    #expect(try await query.start(at: ["x", 0]).ids() == "cbd")
    db.assumptions.onlyFirstCursorValueIsChecked = false
    #expect(await query.start(at: ["x", 0]).mistake().contains("outside the range"))
    #expect(try await query.start(at: ["x", 1]).ids() == "cbd")
  }

  @Test func `an indexed value of more than 1,500 bytes`() async throws {
    let long = String(repeating: "x", count: 1501)
    try await posts.document("f").setData(["text": long])
    db.assumptions.longIndexedValuesAreCut = false
    for data in [["text": long], ["texts": [long]], ["map": ["text": long]]] as [[String: Any]] {
      let error = await #expect(throws: FirestoreErrorCode.self) {
        try await posts.document("g").setData(data)
      }
      #expect(error?.code == .invalidArgument)
    }
    try await posts.document("g").setData(["text": String(long.dropLast())])
  }
}
