package import FeedStore

/// One reader who is led by hand: what is on their screen, and what it has been billed.
///
/// The pages are kept by the same `PagerState` as an app's view model keeps them.
package struct WatchedReader: Sendable {
  package enum Command: Sendable {
    case down, up, pageDown, top, refresh, insert, delete, nextStrategy
  }

  /// A row as it is shown.
  package struct Row: Identifiable, Sendable {
    package let id: String
    package let title: String
    /// The first field the feed is ordered by, in words.
    package let order: String
    /// Whether it came in while the reader was there.
    package let isNew: Bool
  }

  /// What one command led to.
  package struct Step: Sendable {
    package let number: Int
    package let command: Command?
    package let strategy: PagingStrategy
    package let requests: [LedgerEntry]
    package let rowsOnScreen: Int
    /// Rows that were sent although they were on the screen already.
    package let rowsRepeated: Int

    package var reads: BilledReads { requests.reduce(into: BilledReads()) { $0 += $1.reads } }
  }

  package let feed: Feed
  package let pageSize: Int
  package private(set) var strategy: PagingStrategy
  /// The row the reader looks at.
  package private(set) var position = 0
  package private(set) var steps: [Step] = []
  /// What each strategy has been billed since the beginning.
  package private(set) var bills: [PagingStrategy: BilledReads] = [:]
  package private(set) var rowsRepeated = 0
  package private(set) var error: String?

  private let firestore: Firestore
  private let query: Query
  private var pager: PagerState<Row, AnyCursor>
  private var ids: [String]
  private var inserted: Set<RowID> = []

  /// Opens the feed and loads its first page.
  ///
  /// - Throws: `FirestoreErrorCode` where the query or a document is refused.
  package init(feed: Feed, pageSize: Int, strategy: PagingStrategy) async throws {
    self.feed = feed
    self.pageSize = pageSize
    self.strategy = strategy
    firestore = try feed.database()
    query = feed.query(in: firestore)
    pager = PagerState(pageSize: pageSize)
    ids = try await query.getDocuments().documents.map(\.documentID)
    firestore.readMeter.reset()
    try await load(.loadFirstPage, for: nil)
  }

  package var rows: [Row] { pager.items }
  package var canLoadMore: Bool { pager.canLoadMore }
  /// The documents the feed has now.
  package var rowsInFeed: Int { ids.count }
  package var reads: BilledReads { bills[strategy] ?? BilledReads() }

  package mutating func perform(_ command: Command) async throws {
    switch command {
    case .down: try await move(by: 1, for: command)
    case .up: try await move(by: -1, for: command)
    case .pageDown: try await move(by: pageSize, for: command)
    case .top: try await move(by: -position, for: command)
    case .refresh:
      try await load(.refresh, for: command)
      position = 0
    case .insert:
      try insert()
      note(command)
    case .delete:
      try delete()
      note(command)
    case .nextStrategy:
      let all = PagingStrategy.allCases
      strategy = all[((all.firstIndex(of: strategy) ?? 0) + 1) % all.count]
      pager = PagerState(pageSize: pageSize)
      position = 0
      try await load(.loadFirstPage, for: command)
    }
  }

  /// Moves the reader's eye; the page after the last row is loaded when the eye comes to it.
  private mutating func move(by rows: Int, for command: Command) async throws {
    let wanted = max(0, position + rows)
    if wanted >= pager.items.count - 1, pager.canLoadMore, rows > 0 {
      try await load(.loadNextPage, for: command)
    } else {
      note(command)
    }
    position = max(0, min(wanted, pager.items.count - 1))
  }

  private mutating func note(_ command: Command?, _ requests: [LedgerEntry] = [], again: Int = 0) {
    rowsRepeated += again
    steps.append(
      Step(
        number: steps.count + 1, command: command, strategy: strategy, requests: requests,
        rowsOnScreen: pager.items.count, rowsRepeated: again))
  }

  /// Hands an event to the pager and does what it asks for.
  private mutating func load(
    _ event: PagerState<Row, AnyCursor>.Event, for command: Command?
  ) async throws {
    let orderField = feed.orders[0].field
    let inserted = inserted
    let source = strategy.source(for: query) {
      WatchedReader.row($0, orderedBy: orderField, inserted: inserted)
    }
    var effects = pager.handle(event)
    var sent = 0
    let before = event.keepsItems ? pager.items.count : 0
    while let effect = effects.popLast() {
      guard case .load(let after, let limit, let generation) = effect else { continue }
      do {
        let page = try await source.page(after: after, limit: limit)
        sent += page.items.count
        effects += pager.handle(.loaded(page, generation: generation))
      } catch {
        effects += pager.handle(.failed(error, generation: generation))
      }
    }
    error = pager.error.map { "\($0)" }
    let requests = firestore.readMeter.entries
    firestore.readMeter.reset()
    for request in requests { bills[strategy, default: BilledReads()] += request.reads }
    note(command, requests, again: max(0, before + sent - pager.items.count))
  }

  private static func row(
    _ document: QueryDocumentSnapshot, orderedBy field: String, inserted: Set<RowID>
  ) -> Row {
    let data = document.data()
    let title = ["title", "text", "name"].lazy.compactMap { data[$0] as? String }.first
    let order = field == "__name__" ? nil : document.get(field)
    return Row(
      id: document.documentID, title: title ?? document.documentID,
      order: order.map { ($0 as? Timestamp)?.words ?? "\($0)" } ?? "",
      isNew: inserted.contains(RowID(document.documentID)))
  }
}

// MARK: - What others write

extension WatchedReader {
  private mutating func insert() throws {
    let template = ids.first.flatMap { top in
      feed.documents.first { RowID($0.id) == RowID(top) } ?? feed.documents.first
    }
    guard let template = template ?? feed.documents.first else { return }
    let document = NewRows(feed).top(number: inserted.count + 1, from: template)
    inserted.insert(RowID(document.id))
    try firestore.add([document], to: feed.name)
    ids.insert(document.id, at: 0)
  }

  /// Deletes the feed's first row.
  private mutating func delete() throws {
    guard !ids.isEmpty else { return }
    try firestore.remove(ids.removeFirst(), from: feed.name)
  }
}

extension PagerState.Event {
  fileprivate var keepsItems: Bool {
    if case .loadNextPage = self { true } else { false }
  }
}

extension Timestamp {
  /// `2026-01-31 09:30` in UTC.
  fileprivate var words: String {
    let text = dateValue().formatted(.iso8601)
    return String(text.prefix(16)).replacing("T", with: " ")
  }
}
