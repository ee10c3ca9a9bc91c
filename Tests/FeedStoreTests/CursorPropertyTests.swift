import FeedStore
import TestSupport
import Testing

/// A query with cursors and a limit is a slice of the same query without: for random documents, ties,
/// orders and bounds.
@Suite struct CursorPropertyTests {
  private struct Case {
    var query: Query
    /// The whole result, by which the slices are judged.
    var all: [QueryDocumentSnapshot]
    var generator: SeededGenerator

    init(number: Int) async throws {
      generator = Randomised.generator(case: number)
      let collection = Firestore.fresh().collection("posts")
      let values = Int.random(in: 1...4, using: &generator)
      for index in 0..<Int.random(in: 1...12, using: &generator) {
        var data: [String: Any] = ["b": Int.random(in: 0..<values, using: &generator)]
        // Without the field a document is in no result that is ordered by it.
        if Int.random(in: 0..<8, using: &generator) > 0 {
          data["a"] = Int.random(in: 0..<values, using: &generator)
        }
        try await collection.document("d\(index)").setData(data)
      }
      query = collection.order(by: "a", descending: Bool.random(using: &generator))
      if Bool.random(using: &generator) {
        query = query.order(by: "b", descending: Bool.random(using: &generator))
      }
      all = try await query.getDocuments().documents
    }
  }

  @Test func `documents bound a slice that holds them or not`() async throws {
    for number in Randomised.cases(60) {
      var test = try await Case(number: number)
      guard !test.all.isEmpty else { continue }
      var query = test.query
      var range = test.all.indices
      if Bool.random(using: &test.generator) {
        let index = test.all.indices.randomElement(using: &test.generator) ?? 0
        let holds = Bool.random(using: &test.generator)
        query =
          holds
          ? query.start(atDocument: test.all[index]) : query.start(afterDocument: test.all[index])
        range = (holds ? index : index + 1)..<range.upperBound
      }
      if Bool.random(using: &test.generator) {
        let index = test.all.indices.randomElement(using: &test.generator) ?? 0
        let holds = Bool.random(using: &test.generator)
        query =
          holds
          ? query.end(atDocument: test.all[index]) : query.end(beforeDocument: test.all[index])
        range = range.lowerBound..<max(range.lowerBound, holds ? index + 1 : index)
      }
      let expected = test.all[range].map(\.documentID)
      try await expectSlices(of: query, to: expected, case: number, &test.generator)
    }
  }

  @Test func `values bound a slice that holds all ties or none`() async throws {
    for number in Randomised.cases(60) {
      var test = try await Case(number: number)
      guard let bound = test.all.randomElement(using: &test.generator)?["a"] as? Int else {
        continue
      }
      let isTied = { (document: QueryDocumentSnapshot) in document["a"] as? Int == bound }
      let first = test.all.firstIndex(where: isTied) ?? 0
      let last = test.all.lastIndex(where: isTied) ?? 0
      for (query, expected) in [
        (test.query.start(at: [bound]), test.all[first...]),
        (test.query.start(after: [bound]), test.all[(last + 1)...]),
        (test.query.end(at: [bound]), test.all[...last]),
        (test.query.end(before: [bound]), test.all[..<first]),
      ] {
        let ids = expected.map(\.documentID)
        try await expectSlices(of: query, to: ids, case: number, &test.generator)
      }
    }
  }

  private func expectSlices(
    of query: Query, to expected: [String], case number: Int, _ generator: inout SeededGenerator
  ) async throws {
    let limit = Int.random(in: 1...13, using: &generator)
    let seed = Randomised.seed
    for (query, expected) in [
      (query, expected), (query.limit(to: limit), Array(expected.prefix(limit))),
      (query.limit(toLast: limit), Array(expected.suffix(limit))),
    ] {
      let documents = try await query.getDocuments().documents
      #expect(documents.map(\.documentID) == expected, "case \(number) of FEEDSTORE_SEED=\(seed)")
    }
  }
}
