import FeedStore

/// The same readers of the same living feed by several ways of reading.
package struct PopulationComparison: Sendable {
  package let feed: Feed
  package let habits: ReaderHabits
  /// The ids of the feed's rows at the beginning, in order.
  package let rows: [String]
  package let results: [PopulationResult]

  /// Runs one way of reading after the other; `record` receives each billed operation in turn.
  ///
  /// - Throws: `FirestoreErrorCode` where the query or a document is refused, and what `record`
  ///   throws.
  package init(
    of feed: Feed, by modes: [ReadingMode], habits: ReaderHabits,
    progress: (ReadingMode, Int) -> Void = { _, _ in },
    record: @escaping (SimulatedOperation) throws -> Void = { _ in }
  ) async throws {
    self.feed = feed
    self.habits = habits
    rows = try await feed.query(in: feed.database()).getDocuments().documents.map(\.documentID)
    var results: [PopulationResult] = []
    for (index, mode) in modes.enumerated() {
      progress(mode, index)
      var run = try PopulationRun(
        of: feed, rows: rows, mode: mode, habits: habits, record: record)
      results.append(try await run.finished())
    }
    self.results = results
  }
}
