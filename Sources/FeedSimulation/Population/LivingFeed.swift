import FeedStore

/// A feed that others write while it is read: new rows at the top, edits and deletes among the rows
/// of its first four pages, where people look.
struct LivingFeed {
  enum Change {
    case insert, edit, delete
  }

  let firestore: Firestore
  let query: Query
  private let feed: Feed
  /// The ids of the rows as they are now, in order.
  private(set) var rows: [String]
  private(set) var deleted: Set<RowID> = []
  /// When a row was last written, in milliseconds, of those that were.
  private(set) var written: [RowID: Int] = [:]
  private let span: Int
  private let template: ImportedDocument?
  private var contents: [RowID: ImportedDocument]
  private var random: SeededRandom
  private var insertCount = 0
  private var editCount = 0
  private let inserter: NewRows

  init(_ feed: Feed, rows: [String], habits: ReaderHabits) throws {
    self.feed = feed
    self.rows = rows
    firestore = try feed.database()
    query = feed.query(in: firestore)
    span = habits.pageSize * 4
    let contents = Dictionary(
      feed.documents.map { (RowID($0.id), $0) }, uniquingKeysWith: { $1 })
    self.contents = contents
    template = rows.first.flatMap { contents[RowID($0)] }
    inserter = NewRows(feed)
    random = SeededRandom(seed: habits.seed ^ 0xFEED)
  }

  /// Applies one change.
  ///
  /// - Returns: the place of the row it hit, before a delete and after an insert; nil where there is
  ///   no row to hit.
  mutating func apply(_ change: Change, at time: Int) throws -> Int? {
    switch change {
    case .insert:
      guard let template else { return nil }
      insertCount += 1
      let document = inserter.top(number: insertCount, from: template)
      try firestore.add([document], to: feed.name)
      rows.insert(document.id, at: 0)
      contents[RowID(document.id)] = document
      written[RowID(document.id)] = time
      return 0
    case .edit:
      guard !rows.isEmpty else { return nil }
      let place = random.below(min(span, rows.count))
      written[RowID(rows[place])] = time
      // A field that no feed is ordered by: whoever listens is told, and no row moves.
      editCount += 1
      let document = contents[RowID(rows[place])]?.copied(with: editCount, as: "feedsim_edit")
      if let document { try firestore.add([document], to: feed.name) }
      return place
    case .delete:
      guard !rows.isEmpty else { return nil }
      let place = random.below(min(span, rows.count))
      let id = rows.remove(at: place)
      try firestore.remove(id, from: feed.name)
      deleted.insert(RowID(id))
      return place
    }
  }

  /// What a listener on the first `count` rows has missed since it showed `before` at `time`.
  func changes(since time: Int, of before: [String], first count: Int) -> ListenerChanges {
    let old = Set(before.prefix(count).map(RowID.init))
    let new = Set(rows.prefix(count).map(RowID.init))
    let isWritten = { (row: RowID) in written[row] ?? -1 > time }
    return ListenerChanges(
      added: new.subtracting(old).count(where: isWritten),
      modified: new.intersection(old).count(where: isWritten),
      removedByDeletion: old.intersection(deleted).count,
      refilled: new.subtracting(old).count { !isWritten($0) },
      pushedOut: old.subtracting(new).subtracting(deleted).count)
  }
}

extension LivingFeed.Change {
  /// What a listener on the rows of which it hit one is told, as long as there are rows beyond them.
  var toldToListener: ListenerChanges {
    switch self {
    case .insert: ListenerChanges(added: 1, pushedOut: 1)
    case .edit: ListenerChanges(modified: 1)
    case .delete: ListenerChanges(removedByDeletion: 1, refilled: 1)
    }
  }
}
