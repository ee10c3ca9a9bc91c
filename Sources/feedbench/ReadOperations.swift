import FeedStore

/// Compares answers with the right ones.
struct FeedChecker: Sendable {
  let reference: FeedReference
  let operations: FeedOperations

  /// Touches everything once, so that no timed operation is the first to read a page of memory.
  func warm() async throws {
    try await operations.makeIndexes()
    let rows = reference.rows
    var last: DocumentSnapshot?
    for _ in stride(from: 0, to: rows.count, by: FeedWorkload.pageSize) {
      last = try await operations.page(after: last).documents.last
    }
    for number in 0..<FeedWorkload.authors {
      _ = try await operations.count(author: FeedWorkload.padded("user", number, digits: 4))
    }
    _ = try await operations.countAll()
    for rank in stride(from: 0, to: rows.count, by: rows.count < 100_000 ? 1 : 10) {
      _ = try await operations.get(rows[rank].id)
    }
  }

  /// Document for document, all fields.
  func check(_ page: QuerySnapshot, ranks: [Int], _ operation: String) throws {
    try expect(
      page.count == ranks.count, "\(operation): \(page.count) documents, not \(ranks.count)")
    for (document, rank) in zip(page.documents, ranks) {
      let right = FeedWorkload.post(reference.rows[rank].number)
      try expect(FeedPost(document) == right, "\(operation): document of rank \(rank) differs")
    }
  }
}

/// The timed reads, one measurement each.
struct ReadOperations {
  private let checker: FeedChecker
  private let budget: Double
  private var rows: [FeedReference.Row] { checker.reference.rows }
  private var operations: FeedOperations { checker.operations }
  private let size = FeedWorkload.pageSize

  init(_ checker: FeedChecker, budget: Double) {
    self.checker = checker
    self.budget = budget
  }

  func all() async throws -> [Measurement] {
    var all = [try await firstPages()]
    let count = rows.count
    all.append(try await nextPages("page_next_0", [size - 1]))
    all.append(try await nextPages("page_next_50", (0..<20).map { count / 2 + size * $0 }))
    all.append(try await nextPages("page_next_99", (0..<20).map { count * 99 / 100 - size * $0 }))
    var random = BenchRandom(FeedWorkload.querySeed)
    let ranks = (0..<4096).map { _ in random.below(count - size - 1) }
    all.append(try await nextPages("page_next_rand", ranks))
    all.append(try await scroll())
    all.append(try await offsets("offset_50", (0..<20).map { count / 2 + size * $0 }))
    all.append(try await offsets("offset_99", (0..<20).map { count * 99 / 100 - size * $0 }))
    all.append(try await authors("filter_first", isNext: false))
    all.append(try await authors("filter_next", isNext: true))
    all += try await counts()
    all.append(try await gets())
    return all
  }

  private func firstPages() async throws -> Measurement {
    var times = Measurement("page_first")
    for turn in 0..<2000 where !times.isOver(budget) {
      let page = try await times.measure { try await operations.page() }
      if turn == 0 { try checker.check(page, ranks: Array(0..<size), times.operation) }
    }
    return times
  }

  private func nextPages(_ operation: String, _ ranks: [Int]) async throws -> Measurement {
    var times = Measurement(operation)
    var cursors: [DocumentSnapshot] = []
    for rank in ranks { cursors.append(try await operations.get(rows[rank].id)) }
    for turn in 0..<4000 where !times.isOver(budget) {
      let rank = ranks[turn % ranks.count]
      let cursor = cursors[turn % ranks.count]
      let page = try await times.measure { try await operations.page(after: cursor) }
      let right = Array((rank + 1)..<min(rank + 1 + size, rows.count))
      if turn < 20 { try checker.check(page, ranks: right, operation) }
    }
    return times
  }

  /// Twice; the second pass is timed.
  private func scroll() async throws -> Measurement {
    var times = Measurement("scroll_page")
    for _ in 0..<2 {
      times = Measurement("scroll_page")
      var last: DocumentSnapshot?
      for rank in stride(from: 0, to: rows.count, by: size) {
        let cursor = last
        let page = try await times.measure { try await operations.page(after: cursor) }
        last = page.documents.last
        let ids = page.documents.map(\.documentID)
        try expect(
          ids.elementsEqual(rows[rank..<min(rank + size, rows.count)].map(\.id)),
          "scroll: the order differs at rank \(rank)")
      }
    }
    return times
  }

  private func offsets(_ operation: String, _ offsets: [Int]) async throws -> Measurement {
    var times = Measurement(operation)
    for turn in 0..<500 where !times.isOver(budget) {
      let offset = offsets[turn % offsets.count]
      let page = try await times.measure { try await operations.page(offset: offset) }
      if turn < 3 { try checker.check(page, ranks: Array(offset..<(offset + size)), operation) }
    }
    return times
  }

  private func authors(_ operation: String, isNext: Bool) async throws -> Measurement {
    var times = Measurement(operation)
    for turn in 0..<2050 where !times.isOver(budget) {
      let author = FeedWorkload.padded("user", turn * 37 % FeedWorkload.authors, digits: 4)
      guard let ranks = checker.reference.ranksByAuthor[author], ranks.count >= 3 else { continue }
      let from = isNext ? ranks.count / 2 : 0
      let cursor = isNext ? try await operations.get(rows[ranks[from - 1]].id) : nil
      let page = try await times.measure {
        try await operations.page(author: author, after: cursor)
      }
      let right = Array(ranks[from..<min(from + size, ranks.count)])
      if turn < 20 { try checker.check(page, ranks: right, operation) }
    }
    return times
  }

  private func counts() async throws -> [Measurement] {
    var all = Measurement("count_all")
    var author = Measurement("count_author")
    var likes = Measurement("count_likes_ge10")
    for turn in 0..<1000 where !likes.isOver(budget) {
      let name = FeedWorkload.padded("user", turn * 37 % FeedWorkload.authors, digits: 4)
      let counted = try await all.measure { try await operations.countAll() }
      let ofAuthor = try await author.measure { try await operations.count(author: name) }
      let liked = try await likes.measure { try await operations.countWithTenLikes() }
      let right = checker.reference.ranksByAuthor[name]?.count ?? 0
      try check(counted, rows.count, "count_all")
      try check(ofAuthor, right, "count_author")
      try check(liked, checker.reference.postsWithTenLikes, "count_likes_ge10")
    }
    return [all, author, likes]
  }

  private func check(_ got: AggregateQuerySnapshot, _ right: Int, _ operation: String) throws {
    try expect(got.count.intValue == right, "\(operation): \(got.count), not \(right)")
  }

  private func gets() async throws -> Measurement {
    var times = Measurement("get_id")
    var random = BenchRandom(FeedWorkload.querySeed + 7)
    for turn in 0..<20_000 where !times.isOver(budget) {
      let row = rows[random.below(rows.count)]
      let document = try await times.measure { try await operations.get(row.id) }
      try expect(document.exists, "get: \(row.id) is missing")
      if turn < 20 {
        try expect(FeedPost(document) == FeedWorkload.post(row.number), "get: \(row.id) differs")
      }
    }
    return times
  }
}
