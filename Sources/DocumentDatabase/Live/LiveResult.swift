/// One document of a live result.
package struct LiveRow: Sendable {
  /// The place of the document: bytes that sort as the query sorts.
  package let position: [UInt8]
  package let document: StoredDocument
  /// Whether the document shows a write that the server has not seen.
  package let hasPendingWrites: Bool

  package init(position: [UInt8], document: StoredDocument, hasPendingWrites: Bool = false) {
    self.position = position
    self.document = document
    self.hasPendingWrites = hasPendingWrites
  }
}

/// A change of a result. The indices are those of the list after the changes before this one.
package struct ResultChange: Sendable {
  package enum Kind: Hashable, Sendable {
    case added
    case modified
    case removed
    /// The document is the same, but no longer, or newly, shows a pending write.
    case metadata
  }

  package let kind: Kind
  package let row: LiveRow
  /// Nil for a document that was not in the result.
  package let oldIndex: Int?
  /// Nil for a document that is not in the result any more.
  package let newIndex: Int?
}

/// The documents that a live query shows, kept up to date by changes instead of by running the query
/// again.
package struct LiveResult: Sendable {
  package let query: LiveQuery
  /// In the query's order.
  package private(set) var rows: [LiveRow]

  /// Takes what running the query returned, in its order.
  package init(_ query: LiveQuery, rows: [LiveRow]) {
    self.query = query
    self.rows = rows
  }

  /// Whether there may be documents beyond the edge of a limit.
  private var isFull: Bool { query.limit.map { rows.count >= $0 } ?? false }

  /// The part of the order where a change can concern this result.
  package var window: ByteRange {
    guard isFull, let first = rows.first, let last = rows.last else { return .all }
    return query.takesLast
      ? ByteRange(lower: first.position, upper: nil)
      : ByteRange(lower: [], upper: last.position + [0])
  }

  /// Takes up the changes of one commit.
  ///
  /// - Parameters:
  ///   - moves: The changes that concern the query.
  ///   - refill: Runs the query again; called where a full window loses a document, because what comes
  ///     up from behind its edge is not known here.
  /// - Returns: What changed.
  /// - Throws: What `refill` throws; nothing has changed then.
  /// - Complexity: O(log n) per change to find its place, and moving the rows behind it; with a limit,
  ///   O(limit).
  package mutating func apply<Failure: Error>(
    _ moves: [InterestIndex.Move], refill: () throws(Failure) -> [LiveRow]
  ) throws(Failure) -> [ResultChange] {
    if let limit = query.limit {
      return update(to: try window(after: moves, limit: limit, refill: refill))
    }
    var difference = ResultDifference()
    for move in moves {
      let old = move.before.flatMap { rows.index(at: $0) }.map { rows[$0] }
      let new = move.newRow
      switch (old, new) {
      case (nil, nil): break
      case (nil, let new?): difference.added.append(new)
      case (let old?, nil): difference.removed.append(old)
      case (let old?, let new?): difference.modified.append((old, new))
      }
    }
    return difference.apply(to: &rows)
  }

  /// Becomes `rows`, and tells what that changed.
  ///
  /// - Complexity: O(n).
  package mutating func update(to rows: [LiveRow]) -> [ResultChange] {
    ResultDifference(from: self.rows, to: rows).apply(to: &self.rows)
  }

  private func window<Failure: Error>(
    after moves: [InterestIndex.Move], limit: Int, refill: () throws(Failure) -> [LiveRow]
  ) throws(Failure) -> [LiveRow] {
    let window = window
    var known = rows
    for move in moves {
      if let index = move.before.flatMap({ known.index(at: $0) }) { known.remove(at: index) }
    }
    for row in moves.compactMap(\.newRow) where window.contains(row.position) {
      known.insert(row, at: known.insertionIndex(of: row.position))
    }
    if isFull && known.count < limit { return try refill() }
    return Array(query.takesLast ? known.suffix(limit) : known.prefix(limit))
  }
}

extension InterestIndex.Move {
  fileprivate var newRow: LiveRow? {
    guard let after, let document = change.after else { return nil }
    return LiveRow(position: after, document: document)
  }
}

/// What turns one result into another.
private struct ResultDifference {
  var removed: [LiveRow] = []
  var added: [LiveRow] = []
  var modified: [(old: LiveRow, new: LiveRow)] = []

  init() {}

  init(from old: [LiveRow], to new: [LiveRow]) {
    var remaining: [DocumentName: LiveRow] = [:]
    for row in old { remaining[row.document.name] = row }
    for row in new {
      guard let before = remaining.removeValue(forKey: row.document.name) else {
        added.append(row)
        continue
      }
      if before.hasPendingWrites != row.hasPendingWrites || !before.shows(row) {
        modified.append((before, row))
      }
    }
    removed = old.filter { remaining[$0.document.name] != nil }
  }

  /// Removals come first, then additions, then modifications, each in the order of the query.
  ///
  /// Source: https://firebase.google.com/docs/firestore/query-data/listen#view_changes_between_snapshots
  func apply(to rows: inout [LiveRow]) -> [ResultChange] {
    var changes: [ResultChange] = []
    for row in removed.sorted(by: { $0.precedes($1) }) {
      guard let index = rows.index(at: row.position) else { continue }
      rows.remove(at: index)
      changes.append(ResultChange(kind: .removed, row: row, oldIndex: index, newIndex: nil))
    }
    for row in added.sorted(by: { $0.precedes($1) }) {
      let index = rows.insertionIndex(of: row.position)
      rows.insert(row, at: index)
      changes.append(ResultChange(kind: .added, row: row, oldIndex: nil, newIndex: index))
    }
    for (old, new) in modified.sorted(by: { $0.new.precedes($1.new) }) {
      guard let index = rows.index(at: old.position) else { continue }
      rows.remove(at: index)
      let newIndex = rows.insertionIndex(of: new.position)
      rows.insert(new, at: newIndex)
      let kind: ResultChange.Kind = old.shows(new) ? .metadata : .modified
      changes.append(ResultChange(kind: kind, row: new, oldIndex: index, newIndex: newIndex))
    }
    return changes
  }
}

extension LiveRow {
  fileprivate func precedes(_ other: LiveRow) -> Bool {
    position.lexicographicallyPrecedes(other.position)
  }

  /// Whether both have the same fields. What the server has stored at one time is one state.
  fileprivate func shows(_ other: LiveRow) -> Bool {
    let areStored = !hasPendingWrites && !other.hasPendingWrites
    if areStored && document.updateTime == other.document.updateTime { return true }
    return document.fields == other.document.fields
  }
}

extension [LiveRow] {
  /// Where a row at `position` is to be inserted.
  fileprivate func insertionIndex(of position: [UInt8]) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self[middle].position.lexicographicallyPrecedes(position) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// The row at exactly this position.
  fileprivate func index(at position: [UInt8]) -> Int? {
    let index = insertionIndex(of: position)
    return index < count && self[index].position == position ? index : nil
  }
}
