import DocumentDatabase
import FeedStore
import Testing

/// Queries as Firestore's REST interface takes them.
@Suite struct RESTQueryTests {
  private func queries(_ text: String) throws(InputError) -> [RESTQuery] {
    try RESTQuery.queries(of: Array(text.utf8))
  }

  private func ids(_ text: String) async throws -> String {
    let request = try #require(try queries(text).first)
    return try await request.query(in: Firestore.withPosts()).ids()
  }

  private static func filter(_ filter: String, _ rest: String = "") -> String {
    #"{"from": [{"collectionId": "posts"}], "where": \#(filter)\#(rest)}"#
  }

  private static func field(_ name: String, _ op: String, _ value: String) -> String {
    #"{"fieldFilter": {"field": {"fieldPath": "\#(name)"}, "op": "\#(op)", "value": \#(value)}}"#
  }

  private static let two = #"{"integerValue": "2"}"#
  private static let list =
    #"{"arrayValue": {"values": [{"integerValue": "1"}, {"doubleValue": 3}]}}"#

  @Test(arguments: [
    (filter(field("score", "EQUAL", two)), "bc"),
    (filter(field("score", "NOT_EQUAL", two)), "ad"),
    (filter(field("score", "LESS_THAN", two)), "a"),
    (filter(field("score", "LESS_THAN_OR_EQUAL", two)), "abc"),
    (filter(field("score", "GREATER_THAN", two)), "d"),
    (filter(field("score", "GREATER_THAN_OR_EQUAL", two)), "bcd"),
    (filter(field("score", "IN", list)), "ad"),
    (filter(field("score", "NOT_IN", list)), "bc"),
    (filter(field("tags", "ARRAY_CONTAINS", #"{"stringValue": "red"}"#)), "ab"),
    (
      filter(
        field(
          "tags", "ARRAY_CONTAINS_ANY", #"{"arrayValue": {"values": [{"stringValue": "blue"}]}}"#)),
      "bc"
    ),
    (filter(#"{"unaryFilter": {"field": {"fieldPath": "score"}, "op": "IS_NOT_NULL"}}"#), "abcd"),
    (filter(#"{"unaryFilter": {"field": {"fieldPath": "score"}, "op": "IS_NULL"}}"#), ""),
    (
      filter(
        #"{"compositeFilter": {"op": "OR", "filters": [\#(field("score", "EQUAL", two)), \#(field("kind", "EQUAL", #"{"stringValue": "x"}"#))]}}"#
      ), "abce"
    ),
    (
      filter(
        field("score", "GREATER_THAN", #"{"integerValue": "0"}"#),
        #", "orderBy": [{"field": {"fieldPath": "score"}, "direction": "DESCENDING"}], "startAt": {"values": [{"integerValue": "2"}], "before": true}, "limit": 2"#
      ), "cb"
    ),
    (
      #"{"from": [{"collectionId": "posts"}], "orderBy": [{"field": {"fieldPath": "__name__"}}], "startAt": {"values": [{"referenceValue": "projects/mine/databases/(default)/documents/posts/b"}]}, "endAt": {"values": [{"referenceValue": "projects/mine/databases/(default)/documents/posts/d"}]}}"#,
      "cd"
    ),
    (
      filter(
        field(
          "__name__", "IN",
          #"{"arrayValue": {"values": [{"referenceValue": "projects/mine/databases/(default)/documents/posts/e"}]}}"#
        )), "e"
    ),
    (#"{"from": [{"collectionId": "posts", "allDescendants": true}], "offset": 3}"#, "de"),
    (#"{"from": [{"collectionId": "posts"}], "limit": {"value": 1}}"#, "a"),
    (#"{"from": [{"collectionId": "posts"}], "limit": 0}"#, ""),
    (
      #"{"parent": "projects/p/databases/d/documents", "structuredQuery": {"from": [{"collectionId": "posts"}], "limit": 1}}"#,
      "a"
    ),
    (
      #"{"parent": "projects/p/databases/d/documents/users/u", "structuredQuery": {"from": [{"collectionId": "posts"}]}}"#,
      ""
    ),
  ])
  func `a request returns what its query means`(request: String, ids: String) async throws {
    #expect(try await self.ids(request) == ids)
  }

  @Test func `aggregations keep their aliases`() async throws {
    let request = try #require(
      try queries(
        """
        {"structuredAggregationQuery": {"structuredQuery": {"from": [{"collectionId": "posts"}]},
         "aggregations": [{"alias": "n", "count": {"upTo": "2"}}, {"sum": {"field": {"fieldPath": "score"}}},
         {"alias": "mean", "avg": {"field": {"fieldPath": "score"}}}]},
         "explainOptions": {"analyze": false}}
        """
      ).first)
    #expect(request.explainsAnalyzing == false)
    let fields = try #require(request.aggregateFields)
    #expect(fields.map(\.name) == ["n", "field_2", "mean"])
    let snapshot = try await request.query(in: Firestore.withPosts()).aggregate(fields)
      .getAggregation(source: .server)
    let values = snapshot.jsonValues.map { "\($0.name) \($0.value.compact)" }
    #expect(values == ["n 2", "field_2 8", "mean 2.0"])
  }

  @Test func `a projection is kept, and names alone are an empty one`() throws {
    let some = try queries(
      #"{"from": [{"collectionId": "c"}], "select": {"fields": [{"fieldPath": "a.`b c`"}]}}"#)
    #expect(some.first?.query.select == [FieldReference(segments: ["a", "b c"])])
    let none = try queries(
      #"{"from": [{"collectionId": "c"}], "select": {"fields": [{"fieldPath": "__name__"}]}}"#)
    #expect(none.first?.query.select == [])
  }

  @Test func `queries may stand in a list or one to a line`() throws {
    let query = #"{"from": [{"collectionId": "c"}]}"#
    #expect(try queries("[\(query), \(query)]").count == 2)
    #expect(try queries("\(query)\n\n\(query)\n").count == 2)
  }

  @Test(arguments: [
    ("{", "line 1, column 2: the JSON ends too early"),
    ("[1]", "it is not an object"),
    ("{}", "member `from` is not a list of one collection"),
    (#"{"from": []}"#, "member `from` is not a list of one collection"),
    (#"{"from": [{"collectionId": "a/b"}]}"#, "member `from[0].collectionId` is not the id"),
    (
      #"{"from": [{"collectionId": "c"}], "findNearest": {}}"#,
      "member `findNearest` is not a known one"
    ),
    (filter(field("a", "LIKE", two)), "member `where.fieldFilter.op` is not an operator"),
    (filter(field("a", "EQUAL", "2")), "member `where.fieldFilter.value` is not one typed value"),
    (
      filter(field("a..b", "EQUAL", two)),
      "member `where.fieldFilter.field.fieldPath` is not a field path"
    ),
    (filter("{}"), "member `where` is not a filter with one of compositeFilter"),
    (
      filter(#"{"compositeFilter": {"op": "XOR", "filters": []}}"#),
      "member `where.compositeFilter.op` is not AND or OR"
    ),
    (
      #"{"from": [{"collectionId": "c"}], "orderBy": [{"field": {"fieldPath": "a"}, "direction": "UP"}]}"#,
      "member `orderBy[0].direction` is not ASCENDING or DESCENDING"
    ),
    (
      #"{"from": [{"collectionId": "c"}], "limit": 1.5}"#, "member `limit` is not a whole number"
    ),
    (
      #"{"structuredAggregationQuery": {"structuredQuery": {"from": [{"collectionId": "c"}]}, "aggregations": [{"count": {}, "sum": {}}]}}"#,
      "member `structuredAggregationQuery.aggregations[0]` is not an entry with one of count, sum and avg"
    ),
    (
      #"{"parent": "elsewhere", "structuredQuery": {"from": [{"collectionId": "c"}]}}"#,
      "member `parent` is not projects/"
    ),
  ])
  func `a mistake is named with its place`(text: String, message: String) {
    do throws(InputError) {
      _ = try queries(text)
      Issue.record("accepted")
    } catch {
      #expect("\(error)".hasPrefix(message), "\(error)")
    }
  }

  @Test func `a time is written as ISO 8601, whatever the century`() throws {
    for text in [
      "1970-01-01T00:00:00Z", "1969-12-31T23:59:59.999999Z", "2024-02-29T12:30:05.5Z",
      "0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999Z", "2000-03-01T00:00:00Z",
      "1900-02-28T00:00:00.000001Z",
    ] {
      let source = try DocumentImport(Array(#"{"t": "\#(text)"}"#.utf8), timestampFields: ["t"])
      let db = Firestore()
      try db.add(source.documents, to: "c")
      let document = try #require(
        try db.database.run(StructuredQuery(from: .collection(CollectionName(path: "c")))).result
          .documents.first)
      let snapshot = QueryDocumentSnapshot(firestore: db, stored: document)
      #expect(snapshot.jsonFields.map { $0.value.compact } == ["\"\(text)\""])
    }
  }
}
