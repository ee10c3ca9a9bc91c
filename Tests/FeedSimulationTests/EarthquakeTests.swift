import FeedSimulation
import FeedStore
import Foundation
import Testing

/// 1,707 real events of the United States Geological Survey with many ties in their significance.
/// The file is not part of the package: `FEEDSTORE_EARTHQUAKES` gives its path.
@Suite struct EarthquakeTests {
  private static let file: URL = {
    if let path = ProcessInfo.processInfo.environment["FEEDSTORE_EARTHQUAKES"] {
      return URL(filePath: path)
    }
    return URL(filePath: #filePath).appending(path: "../../../../shared/data/earthquakes.ndjson")
      .standardizedFileURL
  }()

  private static let isPresent = FileManager.default.isReadableFile(atPath: file.path())

  @Test(.enabled(if: isPresent, "no earthquakes; FEEDSTORE_EARTHQUAKES gives their path"))
  func `a scroll by significance costs what was counted by hand`() async throws {
    let source = try DocumentImport([UInt8](Data(contentsOf: Self.file)))
    let feed = try Feed(
      name: "earthquakes", of: source,
      orders: [Feed.Order(field: "significance", isDescending: true)], conditions: [])
    let comparison = try await Comparison(
      of: feed, by: PagingStrategy.allCases, options: Scroll.Options())
    let results = Dictionary(
      uniqueKeysWithValues: comparison.results.map { ($0.strategy, $0) })
    #expect(
      results.mapValues(\.reads.total) == [
        .documentCursor: 1707, .pageToken: 1707, .valueCursor: 901, .extraRow: 1820,
        .offset: 98_322, .pageNumber: 98_324, .growingLimit: 98_322, .wholeCollection: 1707,
      ])
    #expect(
      results.mapValues(\.queries) == [
        .documentCursor: 114, .pageToken: 114, .valueCursor: 61, .extraRow: 114, .offset: 114,
        .pageNumber: 115, .growingLimit: 114, .wholeCollection: 1,
      ])
    #expect(results[.valueCursor]?.scroll.rowsShown == 900)
    #expect(results[.valueCursor]?.scroll.rowsNeverShown == 807)
    let unfaithful = comparison.results.filter { !$0.isFaithful }.map(\.strategy)
    #expect(unfaithful == [.valueCursor])
    let pages = try #require(results[.documentCursor]).scroll.visits
    #expect(pages.first?.rows.first == "us2000crmu")
    #expect(pages.first?.rows.last == "us2000crkq")
    #expect(pages.last?.rows.last == "ak18337818")
    #expect(pages.flatMap(\.rows) == comparison.rows)
  }

  @Test(.enabled(if: isPresent, "no earthquakes; FEEDSTORE_EARTHQUAKES gives their path"))
  func `the module pages them with snapshots for the same bill`() async throws {
    let (db, query) = try Self.store()
    var ids: [String] = []
    var queries = 0
    var page = query.limit(to: 15)
    while true {
      let snapshot = try await page.getDocuments()
      queries += 1
      ids += snapshot.documents.map(\.documentID)
      guard snapshot.count == 15, let last = snapshot.documents.last else { break }
      page = query.limit(to: 15).start(afterDocument: last)
    }
    #expect(queries == 114)
    #expect(db.readMeter.total == 1707)
    #expect(ids.count == 1707 && Set(ids).count == 1707)
    #expect(ids.first == "us2000crmu" && ids[14] == "us2000crkq" && ids.last == "ak18337818")
  }

  @MainActor
  @Test(.enabled(if: isPresent, "no earthquakes; FEEDSTORE_EARTHQUAKES gives their path"))
  func `a view model scrolls them in 114 loads and sends nothing after the end`() async throws {
    let (db, query) = try Self.store()
    let model = FeedViewModel<Earthquake>(query: query)
    await model.loadFirstPage()
    while model.canLoadMore, let last = model.items.last {
      await model.loadMoreIfNeeded(currentItem: last)
    }
    #expect(model.items.count == 1707)
    #expect(db.readMeter.operationCount == 114)
    #expect(model.billedReads.total == 1707 && db.readMeter.total == 1707)
    await model.fetchNextPage()
    if let last = model.items.last { await model.loadMoreIfNeeded(currentItem: last) }
    #expect(db.readMeter.operationCount == 114)
  }

  private struct Earthquake: Codable, Identifiable, Sendable {
    var id: String
    var significance: Int
  }

  private static func store() throws -> (Firestore, Query) {
    let db = Firestore()
    let source = try DocumentImport([UInt8](Data(contentsOf: file)))
    try db.add(source.documents, to: "earthquakes")
    return (db, db.collection("earthquakes").order(by: "significance", descending: true))
  }
}
