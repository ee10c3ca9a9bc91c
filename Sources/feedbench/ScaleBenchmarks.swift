import FeedStore

/// A million simulated page loads against the same million bare queries, on one feed in memory.
struct PageLoadBenchmark {
  let documents: Int
  let loads: Int

  private struct Row: Identifiable, Sendable {
    let id: String
  }

  func run() async throws {
    let db = Firestore(readMeter: ReadMeter(keeping: .totals))
    try await FeedOperations(db, decoding: .lazy).fill(documents)
    let feed = db.collection("posts").order(by: "createdAt", descending: true)
    _ = try await feed.limit(to: 1).getDocuments()
    let before = Process.memory()
    let bare = try await time { try await bareQueries(feed) }
    let paged = try await time { try await simulatedLoads(feed) }
    let after = Process.memory()
    print("\(loads) pages of 15 on \(documents) documents, in seconds")
    print("  bare page queries      \(Self.seconds(bare))")
    print("  simulated page loads   \(Self.seconds(paged))")
    print("  ratio                  \(Self.hundredths(Double(paged) / Double(bare)))")
    print("  memory before, after   \(before.anonymous / 1024) MiB, \(after.anonymous / 1024) MiB")
    try expect(db.readMeter.operationCount >= 2 * loads, "the meter missed loads")
  }

  /// From the top again where the feed ends.
  private func bareQueries(_ feed: Query) async throws {
    let page = feed.limit(to: FeedWorkload.pageSize)
    var query = page
    for _ in 0..<loads {
      let snapshot = try await query.getDocuments()
      let isLast = snapshot.count < FeedWorkload.pageSize
      query = isLast ? page : snapshot.documents.last.map { page.start(afterDocument: $0) } ?? page
    }
  }

  /// What the view model does, without its actor: state, source, cursor, merge by id, bill. A reader
  /// leaves after a hundred pages and another one comes.
  private func simulatedLoads(_ feed: Query) async throws {
    let source = DocumentCursorSource(feed) { Row(id: $0.documentID) }
    typealias State = PagerState<Row, DocumentCursorSource<Row>.Cursor>
    var state = State(pageSize: FeedWorkload.pageSize)
    for load in 0..<loads {
      if load.isMultiple(of: 100) || !state.canLoadMore {
        state = State(pageSize: FeedWorkload.pageSize)
      }
      for effect in state.handle(state.items.isEmpty ? .loadFirstPage : .loadNextPage) {
        guard case .load(let cursor, let limit, let generation) = effect else { continue }
        let page = try await source.page(after: cursor, limit: limit)
        _ = state.handle(.loaded(page, generation: generation))
      }
    }
  }

  private func time(_ body: () async throws -> Void) async rethrows -> UInt64 {
    let start = Measurement.now()
    try await body()
    return Measurement.now() - start
  }

  static func seconds(_ nanoseconds: UInt64) -> String { hundredths(Double(nanoseconds) / 1e9) }

  static func hundredths(_ number: Double) -> String {
    let rounded = Int((number * 100).rounded())
    return "\(rounded / 100)." + FeedWorkload.padded("", rounded % 100, digits: 2)
  }
}

/// What a write costs beside listeners that it does not concern.
struct ListenerBenchmark {
  private let writes = 1000

  func run() async throws {
    print(
      "\(writes) writes beside listeners that they do not concern, microseconds a write (median)")
    for (place, query) in Self.places {
      var cells: [String] = []
      for count in [0, 10, 10_000] {
        let median = try await median(listeners: count, query)
        cells.append("\(count): \(PageLoadBenchmark.hundredths(Double(median) / 1000))")
      }
      print("  on \(place)  " + cells.joined(separator: "   "))
    }
  }

  private static let places: [(String, @Sendable (Firestore, Int) -> Query)] = [
    ("other collections", { db, number in db.collection("other\(number)") }),
    (
      "other authors",
      { db, number in db.collection("posts").whereField("author", isEqualTo: "nobody\(number)") }
    ),
    (
      "other ranges",
      { db, number in
        db.collection("posts").whereField("likes", isGreaterThan: 2_000_000 + number)
      }
    ),
  ]

  private func median(
    listeners: Int, _ query: (Firestore, Int) -> Query
  ) async throws -> UInt64 {
    let db = Firestore(readMeter: ReadMeter(keeping: .totals))
    let operations = FeedOperations(db, decoding: .lazy)
    try await operations.fill(1000)
    let registrations = (0..<listeners).map { number in
      query(db, number).addSnapshotListener { _, _ in }
    }
    var times = Measurement("write")
    for number in 0..<writes {
      let post = FeedWorkload.post(1_000_000 + number)
      try await times.measure { try await operations.write([post]) }
    }
    for registration in registrations { registration.remove() }
    return times.median
  }
}

extension FeedOperations {
  /// Loads the first `count` posts.
  func fill(_ count: Int) async throws {
    for start in stride(from: 0, to: count, by: FeedWorkload.batchSize) {
      let end = min(start + FeedWorkload.batchSize, count)
      try await write((start..<end).map { FeedWorkload.post($0) })
    }
  }
}
