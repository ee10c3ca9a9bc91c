import FeedStore
import Testing

@Suite struct QueryTests {
  let db = Firestore.withPosts()
  var posts: CollectionReference { db.collection("posts") }

  @Test func `each operator keeps its documents, by text, by path and in a Filter`() async throws {
    let path = FieldPath(["score"])
    let tags = FieldPath(["tags"])
    let table: [(String, [Query])] = [
      (
        "bc",
        [
          posts.whereField("score", isEqualTo: 2), posts.whereField(path, isEqualTo: 2.0),
          posts.whereFilter(Filter.whereField("score", isEqualTo: 2)),
          posts.whereFilter(Filter.whereField(path, isEqualTo: 2)),
        ]
      ),
      (
        "ad",
        [
          posts.whereField("score", isNotEqualTo: 2), posts.whereField(path, isNotEqualTo: 2),
          posts.whereFilter(Filter.whereField("score", isNotEqualTo: 2)),
          posts.whereFilter(Filter.whereField(path, isNotEqualTo: 2)),
        ]
      ),
      (
        "a",
        [
          posts.whereField("score", isLessThan: 2), posts.whereField(path, isLessThan: 2),
          posts.whereFilter(Filter.whereField("score", isLessThan: 2)),
          posts.whereFilter(Filter.whereField(path, isLessThan: 2)),
        ]
      ),
      (
        "abc",
        [
          posts.whereField("score", isLessThanOrEqualTo: 2),
          posts.whereField(path, isLessThanOrEqualTo: 2),
          posts.whereFilter(Filter.whereField("score", isLessThanOrEqualTo: 2)),
          posts.whereFilter(Filter.whereField(path, isLessThanOrEqualTo: 2)),
        ]
      ),
      (
        "d",
        [
          posts.whereField("score", isGreaterThan: 2), posts.whereField(path, isGreaterThan: 2),
          posts.whereFilter(Filter.whereField("score", isGreaterThan: 2)),
          posts.whereFilter(Filter.whereField(path, isGreaterThan: 2)),
        ]
      ),
      (
        "bcd",
        [
          posts.whereField("score", isGreaterThanOrEqualTo: 2),
          posts.whereField(path, isGreaterThanOrEqualTo: 2),
          posts.whereFilter(Filter.whereField("score", isGreaterOrEqualTo: 2)),
          posts.whereFilter(Filter.whereField(path, isGreaterOrEqualTo: 2)),
          posts.whereFilter(Filter.whereField("score", isGreaterThanOrEqualTo: 2)),
          posts.whereFilter(Filter.whereField(path, isGreaterThanOrEqualTo: 2)),
        ]
      ),
      (
        "ab",
        [
          posts.whereField("tags", arrayContains: "red"),
          posts.whereField(tags, arrayContains: "red"),
          posts.whereFilter(Filter.whereField("tags", arrayContains: "red")),
          posts.whereFilter(Filter.whereField(tags, arrayContains: "red")),
        ]
      ),
      (
        "abc",
        [
          posts.whereField("tags", arrayContainsAny: ["red", "blue"]),
          posts.whereField(tags, arrayContainsAny: ["red", "blue"]),
          posts.whereFilter(Filter.whereField("tags", arrayContainsAny: ["red", "blue"])),
          posts.whereFilter(Filter.whereField(tags, arrayContainsAny: ["red", "blue"])),
        ]
      ),
      (
        "ad",
        [
          posts.whereField("score", in: [1, 3]), posts.whereField(path, in: [1, 3]),
          posts.whereFilter(Filter.whereField("score", in: [1, 3])),
          posts.whereFilter(Filter.whereField(path, in: [1, 3])),
        ]
      ),
      (
        "bc",
        [
          posts.whereField("score", notIn: [1, 3]), posts.whereField(path, notIn: [1, 3]),
          posts.whereFilter(Filter.whereField("score", notIn: [1, 3])),
          posts.whereFilter(Filter.whereField(path, notIn: [1, 3])),
        ]
      ),
    ]
    for (expected, queries) in table {
      for query in queries { #expect(try await query.ids() == expected, "\(query.request)") }
    }
  }

  @Test func `filters add up, and composite filters nest`() async throws {
    #expect(
      try await posts.whereField("score", isEqualTo: 2).whereField("kind", isEqualTo: "x").ids()
        == "c")
    let filter = Filter.orFilter([
      Filter.whereField("score", isEqualTo: 1),
      Filter.andFilter([
        Filter.whereField("score", isEqualTo: 2), Filter.whereField("kind", isEqualTo: "y"),
      ]),
    ])
    #expect(try await posts.whereFilter(filter).ids() == "ab")
    #expect(posts.whereFilter(Filter.andFilter([])) == posts.limit(to: Int.max))
    let one = Filter.whereField("score", isEqualTo: 1)
    #expect(Filter.orFilter([Filter.andFilter([one])]) == one)
  }

  @Test func `null and NaN are found by equality`() async throws {
    try await posts.document("n").setData(["score": NSNull()])
    try await posts.document("o").setData(["score": Double.nan])
    #expect(try await posts.whereField("score", isEqualTo: NSNull()).ids() == "n")
    #expect(try await posts.whereField("score", isEqualTo: Double.nan).ids() == "o")
  }

  @Test func `documents are found by id, by reference and by path`() async throws {
    let id = FieldPath.documentID()
    #expect(try await posts.whereField(id, isEqualTo: "b").ids() == "b")
    #expect(try await posts.whereField("__name__", isEqualTo: posts.document("b")).ids() == "b")
    #expect(try await posts.whereField(id, in: ["d", "a", "none"]).ids() == "ad")
    #expect(try await db.collectionGroup("posts").whereField(id, isEqualTo: "posts/b").ids() == "b")
    #expect(try await posts.order(by: id, descending: true).start(after: ["c"]).ids() == "ba")
  }

  @Test func `a collection group has the documents of every depth`() async throws {
    try await db.document("users/u/posts/z").setData(["score": 9])
    let top = db.collectionGroup("posts").order(by: "score", descending: true).limit(to: 1)
    #expect(try await top.getDocuments().documents.first?.reference.path == "users/u/posts/z")
  }

  @Test func `order leaves out documents without the field and breaks ties by id`() async throws {
    #expect(try await posts.order(by: "score").ids() == "abcd")
    #expect(try await posts.order(by: "score", descending: true).ids() == "dcba")
    #expect(
      try await posts.order(by: "score").order(by: FieldPath(["kind"]), descending: false).ids()
        == "acbd")
  }

  @Test func `the first and the last n come in the query's order`() async throws {
    #expect(try await posts.order(by: "score").limit(to: 2).ids() == "ab")
    #expect(try await posts.order(by: "score").limit(toLast: 2).ids() == "cd")
    #expect(try await posts.order(by: "score", descending: true).limit(toLast: 2).ids() == "ba")
    #expect(try await posts.order(by: "score").limit(toLast: 1).limit(to: 3).ids() == "abc")
    #expect(try await posts.limit(to: NSNotFound).ids() == "abcde")
  }

  @Test func `cursors of values take ties together`() async throws {
    let query = posts.order(by: "score")
    #expect(try await query.start(at: [2]).ids() == "bcd")
    #expect(try await query.start(after: [2]).ids() == "d")
    #expect(try await query.end(at: [2]).ids() == "abc")
    #expect(try await query.end(before: [2]).ids() == "a")
    #expect(try await query.start(at: [1]).start(after: [1]).ids() == "bcd")
  }

  @Test func `cursors of documents separate ties`() async throws {
    let query = posts.order(by: "score", descending: true)
    let c = try await posts.document("c").getDocument()
    #expect(try await query.start(atDocument: c).ids() == "cba")
    #expect(try await query.start(afterDocument: c).ids() == "ba")
    #expect(try await query.end(atDocument: c).ids() == "dc")
    #expect(try await query.end(beforeDocument: c).ids() == "d")
    #expect(try await posts.start(afterDocument: c).ids() == "de")
  }

  @Test func `the last n before a document are the page before it`() async throws {
    let query = posts.order(by: "score")
    let d = try await posts.document("d").getDocument()
    #expect(try await query.end(beforeDocument: d).limit(toLast: 2).ids() == "bc")
    #expect(try await query.end(atDocument: d).limit(toLast: 2).ids() == "cd")
    #expect(try await query.start(at: [1]).end(before: [3]).limit(toLast: 2).ids() == "bc")
    #expect(try await query.start(after: [1]).end(at: [2]).limit(toLast: 9).ids() == "bc")
    let b = try await posts.document("b").getDocument()
    #expect(try await query.start(afterDocument: b).limit(toLast: 9).ids() == "cd")
    #expect(try await query.start(atDocument: b).limit(toLast: 9).ids() == "bcd")
  }

  @Test func `a filter added after a document cursor is part of its position`() async throws {
    let b = try await posts.document("b").getDocument()
    let query = posts.start(afterDocument: b).whereField("score", isGreaterThan: 1)
    #expect(try await query.ids() == "cd")
  }

  @Test func `a deleted cursor document keeps its position`() async throws {
    let b = try await posts.document("b").getDocument()
    try await b.reference.delete()
    #expect(try await posts.order(by: "score").start(afterDocument: b).ids() == "cd")
  }

  @Test func `dotted text leads into maps and a FieldPath takes names literally`() async throws {
    try await posts.document("m").setData(["author": ["name": "Ann"], "a.b": 7])
    #expect(try await posts.whereField("author.name", isEqualTo: "Ann").ids() == "m")
    #expect(try await posts.whereField(FieldPath(["a.b"]), isEqualTo: 7).ids() == "m")
    #expect(try await posts.whereField("a.b", isEqualTo: 7).ids() == "")
  }
}
