import FeedSimulation
import FeedStore
import Foundation
import TestSupport
import Testing

@Suite struct ComparisonTests {
  /// `count` documents of which each run of `ties` shares a value of `n`.
  private func feed(
    count: Int, ties: Int = 1, isDescending: Bool = true, conditions: [Feed.Condition] = []
  ) throws -> Feed {
    let lines = (0..<count).map { "{\"id\": \"d\($0)\", \"n\": \($0 / ties)}\n" }
    return try Feed(
      name: "rows", of: DocumentImport(Array(lines.joined().utf8)),
      orders: [Feed.Order(field: "n", isDescending: isDescending)], conditions: conditions)
  }

  private func compare(
    _ feed: Feed, _ strategies: [PagingStrategy] = PagingStrategy.allCases,
    _ change: (inout Scroll.Options) -> Void = { _ in }
  ) async throws -> [PagingStrategy: Comparison.Result] {
    var options = Scroll.Options()
    change(&options)
    let comparison = try await Comparison(of: feed, by: strategies, options: options)
    return Dictionary(uniqueKeysWithValues: comparison.results.map { ($0.strategy, $0) })
  }

  @Test(arguments: [
    (PagingStrategy.documentCursor, 4, 50), (.pageToken, 4, 50), (.valueCursor, 4, 50),
    (.extraRow, 4, 53), (.offset, 4, 140), (.pageNumber, 5, 141), (.growingLimit, 4, 140),
    (.wholeCollection, 1, 50),
  ])
  func `fifty rows by fifteen cost what the rules say`(
    strategy: PagingStrategy, queries: Int, reads: Int
  ) async throws {
    let result = try #require(try await compare(feed(count: 50), [strategy])[strategy])
    #expect(result.queries == queries)
    #expect(result.reads.total == reads)
    #expect(result.scroll.rowsShown == 50)
    #expect(result.isFaithful)
    #expect(result.scroll.reachedEnd)
  }

  @Test func `the value cursor never shows the ties behind a page's edge`() async throws {
    let result = try #require(try await compare(feed(count: 60, ties: 10))[.valueCursor])
    // Pages end inside the second run and inside the fourth: 15 shown, 5 lost, twice; 15 more.
    #expect(result.scroll.rowsNeverShown == 15)
    #expect(result.scroll.rowsShown == 45)
    #expect(result.reads[.minimum] == 1)
  }

  @Test func `only rows before the last one shown count as missed when the reader stops`()
    async throws
  {
    let results = try await compare(feed(count: 60, ties: 10)) { $0.pages = 2 }
    #expect(results[.documentCursor]?.scroll.rowsNeverShown == 0)
    #expect(results[.valueCursor]?.scroll.rowsNeverShown == 5)
    #expect(results[.documentCursor]?.scroll.reachedEnd == false)
    #expect(results[.documentCursor]?.pages == 2)
  }

  @Test func `inserts at the top make an offset repeat rows and deletes make it lose them`()
    async throws
  {
    let inserted = try await compare(feed(count: 60)) { $0.insertsPerPage = 2 }
    #expect(inserted[.offset]?.scroll.duplicatesShown == 8)
    #expect(inserted[.offset]?.scroll.rowsNeverShown == 0)
    #expect(inserted[.documentCursor]?.isFaithful == true)
    let deleted = try await compare(feed(count: 60)) { $0.deletesPerPage = 2 }
    // Six rows slip past a page's edge; two of them are deleted later and do not count.
    #expect(deleted[.offset]?.scroll.rowsNeverShown == 4)
    #expect(deleted[.offset]?.scroll.duplicatesShown == 0)
    #expect(deleted[.documentCursor]?.isFaithful == true)
  }

  @Test(arguments: Randomised.cases(20))
  func `cursors and a growing limit show every row that stays once, whatever others write`(
    number: Int
  ) async throws {
    var random = Randomised.generator(case: number)
    let feed = try feed(
      count: Int.random(in: 1...80, using: &random), ties: Int.random(in: 1...20, using: &random),
      isDescending: Bool.random(using: &random))
    let faithful: [PagingStrategy] = [.documentCursor, .pageToken, .extraRow, .growingLimit]
    let results = try await compare(feed, faithful) { options in
      options.pageSize = Int.random(in: 1...9, using: &random)
      options.insertsPerPage = Int.random(in: 0...3, using: &random)
      options.deletesPerPage = Int.random(in: 0...3, using: &random)
      options.pages = 40
      options.seed = random.next()
    }
    for (strategy, result) in results {
      #expect(result.isFaithful, "\(strategy.rawValue), FEEDSTORE_SEED=\(Randomised.seed)")
    }
  }

  @Test func `the same seed makes the same writes`() async throws {
    var outcomes: [[Int?]] = []
    for _ in 1...2 {
      var outcome: [Int?] = []
      for seed in 1...8 as ClosedRange<UInt64> {
        let results = try await compare(feed(count: 60), [.offset]) { options in
          options.deletesPerPage = 3
          options.seed = seed
        }
        outcome.append(results[.offset]?.scroll.rowsNeverShown)
      }
      outcomes.append(outcome)
    }
    #expect(outcomes[0] == outcomes[1])
    #expect(Set(outcomes[0]).count > 1, "every seed makes the same writes")
  }

  @Test(arguments: [true, false])
  func `writes at the top arrive at the top even where the order cannot be raised`(
    isDescending: Bool
  ) async throws {
    // The condition pins the ordered field, so that only the name can go first.
    let pinned = Feed.Condition(field: "n", comparison: .equal, value: Literal("0"))
    let feed = try feed(
      count: 40, ties: 40, isDescending: isDescending, conditions: [pinned])
    let results = try await compare(feed, [.offset]) { $0.insertsPerPage = 3 }
    #expect(results[.offset]?.scroll.duplicatesShown == 9)
  }

  @Test func `an empty feed costs one read, or one for the count`() async throws {
    let nothing = Feed.Condition(field: "n", comparison: .greater, value: Literal("9"))
    let results = try await compare(feed(count: 5, conditions: [nothing]))
    for result in results.values {
      #expect(result.reads.total == 1, "\(result.strategy.rawValue)")
      #expect(result.scroll.rowsShown == 0)
      #expect(result.scroll.reachedEnd)
    }
  }

  @Test func `a field nobody has is refused with the fields there are`() throws {
    let source = try DocumentImport(Array("{\"a\": 1}\n{\"b\": {\"c\": 2}}".utf8))
    #expect(
      throws: FeedError.noDocumentHas(field: "x", documents: 2, known: ["a", "b", "b.c"])
    ) {
      try Feed(
        name: "rows", of: source, orders: [Feed.Order(field: "x", isDescending: false)],
        conditions: [])
    }
  }
}
