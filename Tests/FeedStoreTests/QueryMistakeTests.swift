import DocumentDatabase
import FeedStore
import Testing

/// A mistake in building a query is thrown by the method that runs it, with what to do.
@Suite struct QueryMistakeTests {
  let db = Firestore.withPosts()
  var posts: CollectionReference { db.collection("posts") }

  @Test(arguments: [0, -1]) func `a limit must be positive`(limit: Int) async {
    #expect(
      await posts.limit(to: limit).mistake() == "A limit must be positive, and \(limit) is not.")
    #expect(await posts.order(by: "score").limit(toLast: limit).mistake().contains("positive"))
  }

  @Test func `the last n of no order are refused`() async {
    #expect(await posts.limit(toLast: 1).mistake().contains("needs at least one order(by:)"))
  }

  @Test(arguments: [
    ("", "empty"), ("posts/a", "2 segments"), ("posts//a", "empty segment"),
    ("posts/../x", "'..'"), ("__reserved__", "reserved"),
  ])
  func `a path that is no collection's is refused`(path: String, words: String) async {
    let message = await db.collection(path).whereField("a", isEqualTo: 1).mistake()
    #expect(message.contains(words), "\(message)")
  }

  @Test func `a collection group is named by one segment`() async {
    #expect(await db.collectionGroup("a/b").mistake().contains("Invalid collection ID \"a/b\""))
    #expect(await db.collectionGroup("").mistake().contains("empty"))
  }

  @Test(arguments: ["", ".a", "a.", "a..b", "a*b", "a/b", "a[0]", "~"])
  func `a field path that breaks a rule is refused`(path: String) async {
    #expect(await posts.order(by: path).mistake().lowercased().contains("field path"))
    #expect(
      await posts.whereField(path, isEqualTo: 1).mistake().lowercased().contains("field path"))
  }

  @Test func `a FieldPath needs names`() async {
    #expect(await posts.order(by: FieldPath([])).mistake().lowercased().contains("field path"))
    #expect(
      await posts.order(by: FieldPath(["a", ""])).mistake().lowercased().contains("field path"))
  }

  @Test func `a set filter needs values`() async {
    for query in [
      posts.whereField("a", in: []), posts.whereField("a", notIn: []),
      posts.whereField("a", arrayContainsAny: []),
    ] {
      #expect(await query.mistake().contains("needs at least one"))
    }
  }

  @Test func `order comes before cursors`() async {
    let query = posts.order(by: "score").start(at: [1]).order(by: "kind")
    #expect(await query.mistake().contains("call it before start and end"))
  }

  @Test func `a cursor has at most one value per order and at least one`() async {
    #expect(
      await posts.order(by: "score").start(at: [1, 2]).mistake().contains("has 2 values"))
    #expect(await posts.end(before: [1]).mistake().contains("has only 0 order(by:)"))
    #expect(await posts.order(by: "score").end(at: []).mistake().contains("at least one value"))
  }

  @Test func `a key cursor is a plain id`() async {
    let query = posts.order(by: FieldPath.documentID())
    #expect(await query.start(at: [7]).mistake().contains("must have a String"))
    #expect(await query.start(at: ["a/b"]).mistake().contains("is a path"))
    #expect(await query.start(at: [""]).mistake().contains("empty"))
    let group = db.collectionGroup("posts").order(by: FieldPath.documentID())
    #expect(await group.start(at: ["a"]).mistake().contains("even number"))
  }

  @Test func `a filter on ids compares ids`() async {
    let id = FieldPath.documentID()
    #expect(await posts.whereField(id, isEqualTo: 7).mistake().contains("a String or a Document"))
    #expect(await posts.whereField(id, isEqualTo: "").mistake().contains("empty"))
    #expect(await posts.whereField(id, in: ["a", "b/c"]).mistake().contains("is a path"))
    #expect(await posts.whereField(id, arrayContains: "a").mistake().contains("array-contains"))
  }

  @Test func `a sentinel has no place in a query`() async {
    let query = posts.whereField("a", isEqualTo: FieldValue.serverTimestamp())
    #expect(
      await query.mistake().contains("FieldValue.serverTimestamp() cannot be used in a query"))
    let cursor = posts.order(by: "a").start(at: [FieldValue.increment(1)])
    #expect(await cursor.mistake().contains("FieldValue.increment() cannot be used"))
  }

  @Test func `an array in an array has no place in a query`() async {
    #expect(await posts.whereField("a", isEqualTo: [[1]]).mistake().contains("Nested arrays"))
    #expect(await posts.whereField("a", in: [[1]]).mistake() == "no error")
  }

  @Test func `a cursor document must have existed`() async throws {
    let none = try await posts.document("none").getDocument()
    #expect(
      await posts.start(afterDocument: none).mistake().contains("posts/none did not exist"))
  }

  @Test func `a cursor document is of the query's collection`() async throws {
    try await db.document("users/u").setData(["score": 1])
    let user = try await db.document("users/u").getDocument()
    let message = await posts.order(by: "score").start(afterDocument: user).mistake()
    #expect(message.contains("collection users") && message.contains("collection posts"))
    let group = db.collectionGroup("posts").start(atDocument: user)
    #expect(await group.mistake().contains("collection group posts"))
  }

  @Test func `a cursor document is of the query's database`() async throws {
    let other = Firestore(name: DatabaseName(project: "feedstore", database: "other"))
    try await other.document("posts/a").setData(["score": 1])
    let document = try await other.document("posts/a").getDocument()
    let message = await posts.start(atDocument: document).mistake()
    #expect(message.contains("databases/other") && message.contains("databases/(default)"))
  }

  @Test func `a cursor document has the fields of the order`() async throws {
    let e = try await posts.document("e").getDocument()
    let message = await posts.order(by: "score").start(afterDocument: e).mistake()
    #expect(message.contains("posts/e has no field score"))
  }

  @Test func `the first mistake is the one thrown`() async {
    let query = posts.limit(to: 0).whereField("a", in: []).order(by: "")
    #expect(await query.mistake().contains("A limit must be positive"))
  }

  @Test func `an offset is not negative`() async {
    #expect(await posts.metered.offset(-1).mistake().contains("offset"))
  }

  @Test func `a mistake reaches completion closures and aggregates`() async {
    let query = posts.limit(to: 0)
    let code = await withCheckedContinuation { done in
      query.getDocuments { snapshot, error in
        done.resume(returning: snapshot == nil ? (error as? FirestoreErrorCode)?.code : nil)
      }
    }
    #expect(code == .invalidArgument)
    await #expect(throws: FirestoreErrorCode.self) {
      try await query.count.getAggregation(source: .server)
    }
    await #expect(throws: FirestoreErrorCode.self) {
      try await posts.aggregate([]).getAggregation(source: .server)
    }
    await #expect(throws: FirestoreErrorCode.self) {
      try await posts.aggregate([.sum("a..b")]).getAggregation(source: .server)
    }
  }
}
