import FeedStore
import Synchronization
import Testing

/// Figures that people measured or asked for in public, met by real sessions.
@Suite struct KnownFigureSessionTests {
  let db: Firestore
  let minutes = Minutes()
  var posts: CollectionReference { db.collection("posts") }
  var feed: Query { posts.order(by: "rank") }

  /// A clock that goes on when the test says so.
  final class Minutes: Sendable {
    private let passed = Mutex(Int64(0))
    func pass(_ minutes: Int64) { passed.withLock { $0 += minutes } }
    var now: Int64 { passed.withLock { (28_000_000 + $0) * 60_000_000 } }
  }

  init() { db = Firestore(now: { [minutes] in minutes.now }) }

  func fill(_ count: Int) async throws {
    for start in stride(from: 1, through: count, by: 500) {
      let batch = db.batch()
      for rank in start...min(count, start + 499) {
        batch.setData(["rank": rank], forDocument: posts.document("p\(rank)"))
      }
      try await batch.commit()
    }
  }

  static let id: @Sendable (QueryDocumentSnapshot) throws -> String = { $0.documentID }

  @Test func `a growing limit over 1,000 documents by 10 is 50,500 reads`() async throws {
    try await fill(1_000)
    let source = GrowingLimitSource(feed, decode: Self.id)
    var cursor: Int?
    for _ in 1...100 { cursor = try await source.page(after: cursor, limit: 10).next }
    #expect(db.readMeter.total == 50_500)
  }

  @Test func `a document cursor over 1,000 documents by 10 is 1,000 reads and one for the end`()
    async throws
  {
    try await fill(1_000)
    let source = DocumentCursorSource(feed, decode: Self.id)
    var page = try await source.page(after: nil, limit: 10)
    while let next = page.next { page = try await source.page(after: next, limit: 10) }
    #expect(db.readMeter.reads == [.documentsReturned: 1_000, .minimum: 1])
  }

  @Test func `one document at offset 2,900 of 2,901 is 2,901 reads`() async throws {
    try await fill(2_901)
    _ = try await feed.metered.offset(2_900).limit(to: 1).getDocuments()
    #expect(db.readMeter.reads == [.documentsReturned: 1, .documentsSkipped: 2_900])
  }

  @Test(arguments: [(0, 1), (1_000, 1), (1_001, 2), (1_500, 2)])
  func `a count is one read per thousand documents`(_ documents: Int, _ reads: Int) async throws {
    if documents > 0 { try await fill(documents) }
    let snapshot = try await posts.count.getAggregation(source: .server)
    #expect(snapshot.count.intValue == documents)
    #expect(db.readMeter.total == reads)
  }

  @Test func `a listener of 15 with one change is 16 reads`() async throws {
    try await fill(30)
    let listener = feed.limit(to: 15).addSnapshotListener { _, _ in }
    try await posts.document("p3").updateData(["kind": "x"])
    listener.remove()
    #expect(db.readMeter.reads == [.documentsReturned: 15, .liveChange: 1])
  }

  @Test func `a newest document that pushes another out of a live page is one read`() async throws {
    try await fill(3)
    let listener = feed.limit(to: 3).addSnapshotListener { _, _ in }
    try await posts.document("p0").setData(["rank": 0])
    listener.remove()
    #expect(db.readMeter.reads == [.documentsReturned: 3, .liveChange: 1])
    #expect(
      db.readMeter.entries.last?.operation
        == .listenChange(ListenerChanges(added: 1, pushedOut: 1, ownWrites: 1)))
  }

  /// The reads of a listener of 15 that loses its network once for each of `gaps`.
  func reads(gaps: [Int64], cache: Bool) async throws -> BilledReads {
    try await fill(15)
    let settings = db.settings
    settings.isPersistenceEnabled = cache
    db.settings = settings
    let listener = feed.limit(to: 15).addSnapshotListener { _, _ in }
    for gap in gaps {
      try await db.disableNetwork()
      minutes.pass(gap)
      try await db.enableNetwork()
    }
    listener.remove()
    return db.readMeter.reads
  }

  @Test func `a listener of 15 resumed after 31 minutes is 30 reads`() async throws {
    #expect(try await reads(gaps: [31], cache: true) == [.documentsReturned: 15, .resumed: 15])
  }

  @Test func `a listener of 15 resumed after 29 minutes with a persistent cache is 15 reads`()
    async throws
  {
    #expect(try await reads(gaps: [29], cache: true) == [.documentsReturned: 15])
  }

  @Test func `a listener of 15 reconnected three times without a cache is 60 reads`() async throws {
    #expect(
      try await reads(gaps: [1, 1, 1], cache: false) == [.documentsReturned: 15, .resumed: 45])
  }

  @Test func `two equal listeners of 15 are 15 reads, and another query is 15 more`() async throws {
    try await fill(30)
    let listeners = [15, 15, 16].map { feed.limit(to: $0).addSnapshotListener { _, _ in } }
    #expect(db.readMeter.total == 15 + 16)
    for listener in listeners { listener.remove() }
  }

  @Test func `five live pages of 15 with ten edits are 85 reads`() async throws {
    try await fill(75)
    let listeners = (0..<5).map { page in
      feed.start(after: [page * 15]).limit(to: 15).addSnapshotListener { _, _ in }
    }
    for edit in 0..<10 { try await posts.document("p\(edit * 7 + 1)").updateData(["edit": edit]) }
    for listener in listeners { listener.remove() }
    #expect(db.readMeter.reads == [.documentsReturned: 75, .liveChange: 10])
  }

  @Test func `a badge that downloads 40 notices on ten screens is 400 reads, a count 10`()
    async throws
  {
    try await fill(40)
    for _ in 1...10 { #expect(try await posts.getDocuments().count == 40) }
    #expect(db.readMeter.total == 400)
    let kinds = Set(db.readMeter.findings.map(\.kind))
    #expect(kinds == [.countingByDownloading, .unchangedRepeat])
    let finding = db.readMeter.findings.first { $0.kind == .countingByDownloading }
    #expect(finding?.readsSaved == 390)
  }
}
