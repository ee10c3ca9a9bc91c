import FeedStore
import Testing

/// Habits that cost, each met with the ways of asking that have them, and not with those that have not.
@Suite struct FindingTests {
  let db = Firestore.fresh()
  var posts: CollectionReference { db.collection("posts") }
  var feed: Query { posts.order(by: "rank") }

  init() {
    for rank in 1...150 { posts.document("p\(rank)").setData(["rank": rank, "day": rank / 4]) }
  }

  /// Reads `count` pages of 15.
  func scroll(_ source: some PageSource<String>, pages count: Int = 4) async throws {
    let source = AnyPageSource(source)
    var page = try await source.page(after: nil, limit: 15)
    for _ in 1..<count {
      guard let next = page.next else { return }
      page = try await source.page(after: next, limit: 15)
    }
  }

  func found(_ kind: Finding.Kind) throws -> Finding {
    try #require(db.readMeter.findings.first { $0.kind == kind })
  }

  static let id: @Sendable (QueryDocumentSnapshot) throws -> String = { $0.documentID }

  @Test func `offset paging pays for what it skips`() async throws {
    try await scroll(OffsetSource(feed, countsTotal: false, decode: Self.id))
    let finding = try found(.offsetPaging)
    #expect(finding.readsSaved == 15 + 30 + 45)
    #expect(finding.entries == [2, 3, 4])
    #expect(finding.message.hasSuffix("Start after the last document shown: that saves 90 reads."))
    #expect(db.readMeter.findings.count == 1)
  }

  @Test func `a growing limit pays for what was shown`() async throws {
    try await scroll(GrowingLimitSource(feed, decode: Self.id))
    #expect(try found(.growingLimit).readsSaved == 15 + 30 + 45)
    #expect(db.readMeter.findings.count == 1)
  }

  @Test func `a listener whose limit grows pays as much`() throws {
    for limit in [15, 30, 45] {
      feed.limit(to: limit).addSnapshotListener { _, _ in }.remove()
    }
    #expect(try found(.growingLimit).readsSaved == 45)
  }

  @Test func `a long list read whole pays for what no screen shows`() async throws {
    try await scroll(WholeCollectionSource(feed, decode: Self.id))
    #expect(try found(.wholeList).readsSaved == 135)
    #expect(db.readMeter.findings.count == 1)
  }

  @Test func `the same answer to the same question is paid for again`() async throws {
    for _ in 1...10 {
      _ = try await feed.limit(to: 40).getDocuments().documents.map { $0.data() }
    }
    let finding = try found(.unchangedRepeat)
    #expect(finding.readsSaved == 360)
    #expect(finding.reads == 400)
  }

  @Test func `an answer that changed is no repeat`() async throws {
    _ = try await feed.limit(to: 15).getDocuments()
    try await posts.document("p1").updateData(["kind": "x"])
    _ = try await feed.limit(to: 15).getDocuments()
    _ = try await feed.limit(to: 14).getDocuments()
    #expect(db.readMeter.findings.isEmpty)
  }

  @Test func `a listener attached again and again pays from the start each time`() throws {
    for _ in 1...20 { feed.limit(to: 50).addSnapshotListener { _, _ in }.remove() }
    #expect(try found(.reattachedListener).readsSaved == 19 * 50)
    #expect(db.readMeter.findings.map(\.kind) == [.reattachedListener])
  }

  @Test func `documents that nobody looks at were only counted`() async throws {
    let count = try await posts.whereField("day", isLessThan: 10).getDocuments().count
    #expect(count == 39)
    let finding = try found(.countingByDownloading)
    #expect(finding.readsSaved == 38)
    #expect(finding.advice == "Use count: that saves 38 reads.")
  }

  @Test func `documents that somebody looks at were not`() async throws {
    let snapshot = try await posts.whereField("day", isLessThan: 10).getDocuments()
    #expect(snapshot.documents.first?.get("day") as? Int == 0)
    #expect(db.readMeter.findings.isEmpty)
  }

  @Test func `a row read ahead is read again`() async throws {
    try await scroll(ExtraRowSource(feed, decode: Self.id))
    let finding = try found(.extraRow)
    #expect(finding.readsSaved == 3)
    #expect(finding.entries == [1, 2, 3, 4])
    #expect(db.readMeter.findings.count == 1)
  }

  @Test func `documents that are not there are paid for`() async throws {
    try await ReadMeter.label("avatar") {
      for user in 1...3 { _ = try await db.document("users/u\(user)").getDocument() }
    }
    let finding = try found(.absentDocuments)
    #expect(finding.readsSaved == 3)
    #expect(finding.path == "users/*")
    #expect(finding.label == "avatar")
  }

  @Test func `a cursor of values loses the documents that share its value`() async throws {
    try await scroll(ValueCursorSource(posts.order(by: "day"), decode: Self.id), pages: 2)
    // A day has four ranks, and day 0 three: page 1 ends with the last of day 3.
    #expect(db.readMeter.findings.isEmpty)
    try await ReadMeter.label("shifted") {
      try await posts.document("p1").delete()
      try await scroll(ValueCursorSource(posts.order(by: "day"), decode: Self.id), pages: 2)
    }
    let finding = try found(.cutTies)
    #expect(finding.documentsLost == 3)
    #expect(finding.readsSaved == 0)
    #expect(finding.message.contains("3 documents were never shown"))
  }

  @Test func `a document cursor is found nothing against`() async throws {
    try await scroll(DocumentCursorSource(posts.order(by: "day"), decode: Self.id), pages: 20)
    #expect(db.readMeter.findings.isEmpty)
  }

  @Test func `every finding has words of its own`() {
    let messages = Finding.Kind.allCases.map { kind in
      Finding(
        kind: kind, query: "posts", path: "posts", label: nil, entries: [1, 2], reads: 9,
        readsSaved: 4, documentsLost: 2
      ).message
    }
    #expect(Set(messages).count == Finding.Kind.allCases.count)
  }
}
