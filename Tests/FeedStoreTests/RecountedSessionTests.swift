import FeedStore
import TestSupport
import Testing

/// Random sessions through the front door, billed a second time by hand: from what was asked and what
/// was returned, document by document.
@Suite struct RecountedSessionTests {
  /// What the session knows without asking the store: the documents it wrote.
  private struct Row: Equatable {
    var a: Int?
    var b: Int?
  }

  private struct Session {
    let db = Firestore()
    var rows: [String: Row] = [:]
    var naive: [String: Int] = [:]

    mutating func charge(_ cause: String, _ reads: Int = 1) {
      if reads > 0 { naive[cause, default: 0] += reads }
    }
  }

  private static func write(
    _ session: inout Session, using generator: inout SeededGenerator
  ) async throws {
    let id = "d\(Int.random(in: 0..<12, using: &generator))"
    let document = session.db.collection("c").document(id)
    if Int.random(in: 0..<4, using: &generator) == 0 {
      try await document.delete()
      session.rows[id] = nil
      return
    }
    let row = Row(
      a: Bool.random(using: &generator) ? Int.random(in: 0..<4, using: &generator) : nil,
      b: Int.random(in: 0..<4, using: &generator))
    var data: [String: Any] = [:]
    data["a"] = row.a
    data["b"] = row.b
    try await document.setData(data)
    session.rows[id] = row
  }

  /// The documents with an `a`, in the order of `a` and then of their ids.
  private static func ordered(_ session: Session) -> [(id: String, a: Int, b: Int?)] {
    session.rows.compactMap { id, row in row.a.map { (id, $0, row.b) } }
      .sorted { ($0.1, $0.0) < ($1.1, $1.0) }
      .map { (id: $0.0, a: $0.1, b: $0.2) }
  }

  private static func read(
    _ session: inout Session, using generator: inout SeededGenerator
  ) async throws {
    let posts = session.db.collection("c")
    let bound = Int.random(in: 0..<4, using: &generator)
    let limit = Int.random(in: 1...5, using: &generator)
    let offset = Int.random(in: 0...3, using: &generator)
    switch Int.random(in: 0..<7, using: &generator) {
    case 0:
      let id = "d\(Int.random(in: 0..<12, using: &generator))"
      _ = try await posts.document(id).getDocument()
      session.charge(session.rows[id] == nil ? "document missing" : "document found")
    case 1:
      let found = try await posts.order(by: "a").limit(to: limit).metered.offset(offset)
        .getDocuments().documents.map(\.documentID)
      let all = ordered(session).map(\.id)
      #expect(found == Array(all.dropFirst(offset).prefix(limit)))
      session.charge("documents skipped", min(offset, all.count))
      session.charge("documents returned", found.count)
      if all.isEmpty { session.charge("minimum") }
    case 2:
      let found = try await posts.order(by: "a").limit(toLast: limit).getDocuments()
      session.charge("documents returned", min(limit, ordered(session).count))
      if found.isEmpty { session.charge("minimum") }
    case 3:
      // `or` and `in` return a document once, however many of their parts it satisfies.
      let found = try await posts.whereFilter(
        .orFilter([
          .whereField("a", in: [bound, 0]), .whereField("b", isEqualTo: bound),
        ])
      ).getDocuments()
      let matching = session.rows.values.filter { $0.a == bound || $0.a == 0 || $0.b == bound }
      #expect(found.count == matching.count)
      session.charge("documents returned", matching.count)
      if matching.isEmpty { session.charge("minimum") }
    case 4:
      // Two range fields: the entries from the bound of the first order on are read, all of them.
      let found = try await posts.whereField("a", isGreaterThanOrEqualTo: bound)
        .whereField("b", isGreaterThanOrEqualTo: 2).order(by: "a").order(by: "b").getDocuments()
      let entries = ordered(session).filter { $0.a >= bound && $0.b != nil }
      session.charge("documents returned", found.count)
      if !entries.isEmpty { session.charge("index entries") }
      if entries.isEmpty { session.charge("minimum") }
    case 5:
      _ = try await posts.whereField("a", isEqualTo: bound).count.getAggregation(source: .server)
      session.charge("aggregation")
    default:
      _ = try await posts.limit(to: limit).getDocuments(source: .cache)
    }
  }

  /// A listener hears of what a write does to the whole of `order(by: a)`.
  private static func live(
    _ session: inout Session, using generator: inout SeededGenerator
  ) async throws {
    let listener = session.db.collection("c").order(by: "a").addSnapshotListener { _, _ in }
    let first = ordered(session).count
    session.charge(first == 0 ? "minimum" : "documents returned", max(1, first))
    for _ in 0..<Int.random(in: 0...4, using: &generator) {
      let before = session.rows
      try await write(&session, using: &generator)
      for id in Set(before.keys).union(session.rows.keys) {
        let (old, new) = (before[id], session.rows[id])
        let wasShown = old?.a != nil
        let isShown = new?.a != nil
        if isShown, !wasShown || old != new { session.charge("live change") }
        if wasShown, !isShown, new != nil { session.charge("live change") }
      }
    }
    listener.remove()
  }

  @Test func `random sessions are billed as by hand, cause by cause`() async throws {
    for number in Randomised.cases(400) {
      var generator = Randomised.generator(case: number)
      var session = Session()
      for _ in 0..<Int.random(in: 1...12, using: &generator) {
        switch Int.random(in: 0..<5, using: &generator) {
        case 0, 1: try await Self.write(&session, using: &generator)
        case 2: try await Self.live(&session, using: &generator)
        default: try await Self.read(&session, using: &generator)
        }
      }
      let meter = session.db.readMeter
      let causes = Dictionary(
        uniqueKeysWithValues: meter.reads.byCause.map { ($0.cause.rawValue, $0.reads) })
      #expect(causes == session.naive, "case \(number): \(meter.jsonLines)")
      #expect(meter.entries.map(\.reads).reduce(BilledReads(), +) == meter.reads)
      if causes != session.naive { return }
    }
  }
}
