import StorageEngine

/// A place in the order of a query, as the leading parts of a key of its indexes.
package struct CursorPosition: Sendable {
  /// What the place was made of; only who describes the query asks for it again.
  private enum Source: Sendable {
    case values([Value])
    case document(StoredDocument)
  }

  private let source: Source
  private var key: [UInt8]
  /// The place of the name behind the key, where it is no name that a document of the query can have.
  private let name: NamePosition?
  private var nameDirection: StructuredQuery.Direction
  package private(set) var before: Bool

  /// - Throws: The rule that `cursor` breaks.
  init(_ cursor: StructuredQuery.Cursor, in query: PreparedQuery) throws(QueryError) {
    if cursor.values.isEmpty { throw .cursorWithoutValues }
    let orders = query.source.orderBy.count
    if cursor.values.count > orders {
      throw .tooManyCursorValues(given: cursor.values.count, orders: orders)
    }
    var key = ByteWriter(capacity: 64)
    var outside: NamePosition?
    for (index, value) in cursor.values.enumerated() {
      let start = key.count
      if query.orderBy[index].field.isDocumentName {
        guard case .reference(let name) = value, name.database == query.database else {
          throw .cursorNameNotAReference(value)
        }
        let position = query.scope.position(of: name.document)
        if case .at(let name) = position { key.append(name) } else { outside = position }
      } else {
        KeyEncoding.append(value, to: &key)
      }
      if query.directions[index] == .descending { key.invert(from: start) }
    }
    source = .values(cursor.values)
    self.key = key.bytes
    name = outside
    nameDirection = query.directions[query.directions.count - 1]
    before = cursor.before
  }

  /// The place of `document`, which is one of the collection or group of `query`; nil where it lacks a
  /// field by which the query orders.
  package init?(of document: StoredDocument, before: Bool, in query: PreparedQuery) {
    var key = ByteWriter(capacity: 64)
    for (order, direction) in zip(query.orderBy, query.directions) {
      let start = key.count
      if order.field.isDocumentName {
        document.appendName(in: query.scope, to: &key)
      } else {
        guard let value = document.map[order.field] else { return nil }
        KeyEncoding.append(value.decoded, to: &key)
      }
      if direction == .descending { key.invert(from: start) }
    }
    source = .document(document)
    self.key = key.bytes
    name = nil
    nameDirection = query.directions[query.directions.count - 1]
    self.before = before
  }

  /// The same place in indexes that go the other way.
  var inverted: CursorPosition {
    var inverted = self
    inverted.key = key.map { ~$0 }
    inverted.nameDirection = nameDirection.reversed
    return inverted
  }

  /// The place before, or after, all that equals this one.
  package func facing(before: Bool) -> CursorPosition {
    var position = self
    position.before = before
    return position
  }

  /// For how many of the orders it has a value; nil for all of them.
  package var valueCount: Int? {
    if case .values(let values) = source { values.count } else { nil }
  }

  /// The first key behind `prefix` that equals this position.
  func lowerBound(behind prefix: [UInt8]) -> [UInt8] {
    let bound = prefix + key
    guard let name else { return bound }
    return bound + name.bounds(nameDirection).lower
  }

  /// The end of the keys behind `prefix` that equal this position.
  func upperBound(behind prefix: [UInt8]) -> [UInt8] {
    let bound = prefix + key
    guard let name else { return KeyEncoding.successor(of: bound) ?? [0xFF] }
    return bound + name.bounds(nameDirection).upper
  }

  /// What was asked for.
  func cursor(in query: PreparedQuery) -> StructuredQuery.Cursor {
    let values =
      switch source {
      case .values(let values): values
      case .document(let document): document.values(of: query.orderBy, in: query.database)
      }
    return StructuredQuery.Cursor(values: values, before: before)
  }

  /// The ascending encoding of the value for the order at `index`; nil for the name and where the
  /// cursor ends before it.
  func encodedValue(at index: Int, in query: PreparedQuery) -> [UInt8]? {
    let values = cursor(in: query).values
    guard index < values.count, !query.orderBy[index].field.isDocumentName else { return nil }
    return KeyEncoding.bytes(of: values[index])
  }
}

extension StoredDocument {
  fileprivate func values(
    of orders: [StructuredQuery.Order], in database: DatabaseName
  ) -> [Value] {
    orders.map { order in
      if order.field.isDocumentName {
        return .reference(ResourceName(database: database, document: name))
      }
      return self[order.field] ?? .null
    }
  }
}

extension ByteRange {
  /// The part of this range of keys that starts with `prefix` and lies between two cursors, in an index
  /// that is read from its end where it `isReversed`.
  func between(
    _ start: CursorPosition?, _ end: CursorPosition?, isReversed: Bool, behind prefix: [UInt8] = []
  ) -> ByteRange {
    var range = self
    range.cut(at: start, isStart: true, isReversed: isReversed, behind: prefix)
    range.cut(at: end, isStart: false, isReversed: isReversed, behind: prefix)
    return range
  }

  /// What equals a cursor is behind it, in the direction of the query, where the cursor stands before it.
  private mutating func cut(
    at cursor: CursorPosition?, isStart: Bool, isReversed: Bool, behind prefix: [UInt8]
  ) {
    guard let cursor else { return }
    let bound =
      cursor.before != isReversed
      ? cursor.lowerBound(behind: prefix) : cursor.upperBound(behind: prefix)
    if isStart != isReversed { raise(to: bound) } else { lower(to: bound) }
  }

  private mutating func raise(to bound: [UInt8]) {
    if lower.lexicographicallyPrecedes(bound) { lower = bound }
  }

  private mutating func lower(to bound: [UInt8]) {
    if !(upper?.lexicographicallyPrecedes(bound) ?? false) { upper = bound }
  }
}
