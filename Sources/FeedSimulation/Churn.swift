import FeedStore

/// Writes by others at the top of a feed while a reader scrolls. The seed decides all of them.
struct Churn {
  private let insertsPerPage: Int
  private let deletesPerPage: Int
  private let pageSize: Int
  private let feed: Feed
  private let template: ImportedDocument?
  private var random: SeededRandom
  /// The ids of the feed's rows as they are now, in order.
  private var rows: [String]
  private var insertCount = 0
  /// The rows of the beginning that are gone.
  private(set) var deleted: Set<RowID> = []

  /// Starts with `rows`, the ids of the feed's rows in order.
  init(options: Scroll.Options, feed: Feed, rows: [String]) {
    insertsPerPage = options.insertsPerPage
    deletesPerPage = options.deletesPerPage
    pageSize = options.pageSize
    random = SeededRandom(seed: options.seed)
    self.feed = feed
    self.rows = rows
    template = rows.first.flatMap { top in feed.documents.first { RowID($0.id) == RowID(top) } }
  }

  /// Deletes rows of the first page, then inserts rows ahead of all others.
  mutating func strike(_ firestore: Firestore) throws {
    for _ in 0..<deletesPerPage where !rows.isEmpty {
      let id = rows.remove(at: random.below(min(pageSize, rows.count)))
      try firestore.remove(id, from: feed.name)
      deleted.insert(RowID(id))
    }
    guard let template, insertsPerPage > 0 else { return }
    for _ in 0..<insertsPerPage {
      insertCount += 1
      let document = NewRows(feed).top(number: insertCount, from: template)
      try firestore.add([document], to: feed.name)
      rows.insert(document.id, at: 0)
    }
  }
}

/// Rows that come in ahead of all others.
struct NewRows {
  private let feed: Feed

  init(_ feed: Feed) { self.feed = feed }

  /// A copy of the first row of the beginning that sorts before all rows there are.
  ///
  /// The ordered number or timestamp moves on where it can, as in a feed by date. Otherwise the copy
  /// ties with the old first row and its name, the last order of every query, goes first.
  func top(number: Int, from template: ImportedDocument) -> ImportedDocument {
    let order = feed.orders[0]
    if !feed.conditions.contains(where: { $0.field == order.field }),
      let copy = template.copied(
        as: "new-row-\(number)", raising: order.field,
        by: order.isDescending ? number : -number)
    {
      return copy
    }
    let isDescending = feed.orders[feed.orders.count - 1].isDescending
    // A numeric id sorts before all other ids; a longer one sorts after its own beginning.
    let id =
      isDescending
      ? "\(template.id)~\(1_000_000_000 + number)"
      : "__id\(Int64.min / 2 - Int64(number))__"
    return template.copied(as: id)
  }
}

/// A document id that equals another only byte for byte, as Firestore compares names.
struct RowID: Hashable, Sendable {
  private let bytes: [UInt8]

  init(_ id: String) { bytes = Array(id.utf8) }
}
