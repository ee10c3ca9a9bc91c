import StorageEngine

/// A cursor's values in encoded form, one per leading order.
struct CursorPosition: Sendable {
  /// The encodings of the values before the name, one after another, ascending.
  let values: [UInt8]
  /// Where each of them ends in `values`.
  let ends: [Int]
  /// The place of the name, where the cursor has one; it is the last order then.
  let name: NamePosition?
  let before: Bool

  init(
    _ cursor: StructuredQuery.Cursor, explicitOrders: Int, in query: PreparedQuery
  ) throws(QueryError) {
    if cursor.values.isEmpty { throw .cursorWithoutValues }
    if cursor.values.count > explicitOrders {
      throw .tooManyCursorValues(given: cursor.values.count, orders: explicitOrders)
    }
    var writer = ByteWriter(capacity: 64)
    var ends: [Int] = []
    var position: NamePosition?
    for (order, value) in zip(query.orderBy, cursor.values) {
      guard order.field.isDocumentName else {
        KeyEncoding.append(value, to: &writer)
        ends.append(writer.count)
        continue
      }
      guard case .reference(let name) = value, name.database == query.database else {
        throw .cursorNameNotAReference(value)
      }
      position = query.scope.position(of: name.document)
    }
    values = writer.bytes
    self.ends = ends
    name = position
    before = cursor.before
  }

  /// The encoding of the value of the order at `index`; nil for the name and where the cursor ends
  /// before it.
  func value(at index: Int) -> ArraySlice<UInt8>? {
    ends.indices.contains(index) ? values[(index == 0 ? 0 : ends[index - 1])..<ends[index]] : nil
  }

  /// The first key part that equals this position, in an index whose parts have these directions.
  func lowerBound(_ directions: [StructuredQuery.Direction]) -> [UInt8] {
    var key = keyPart(directions)
    if let name { key += name.bounds(directions[ends.count]).lower }
    return key
  }

  /// The end of the key parts that equal this position, in an index whose parts have these directions.
  func upperBound(_ directions: [StructuredQuery.Direction]) -> [UInt8] {
    var key = keyPart(directions)
    guard let name else { return KeyEncoding.successor(of: key) ?? [0xFF] }
    key += name.bounds(directions[ends.count]).upper
    return key
  }

  private func keyPart(_ directions: [StructuredQuery.Direction]) -> [UInt8] {
    var key = values
    var start = 0
    for (end, direction) in zip(ends, directions) {
      if direction == .descending { for index in start..<end { key[index] = ~key[index] } }
      start = end
    }
    return key
  }
}

extension ByteRange {
  /// What lies between two cursors in an index whose parts have these directions, read from its end
  /// where it `isReversed`.
  init(
    from start: CursorPosition?, to end: CursorPosition?,
    _ directions: [StructuredQuery.Direction], isReversed: Bool
  ) {
    self = .all
    if let start {
      if isReversed {
        upper = start.before ? start.upperBound(directions) : start.lowerBound(directions)
      } else {
        lower = start.before ? start.lowerBound(directions) : start.upperBound(directions)
      }
    }
    if let end {
      if isReversed {
        lower = end.before ? end.upperBound(directions) : end.lowerBound(directions)
      } else {
        upper = end.before ? end.lowerBound(directions) : end.upperBound(directions)
      }
    }
  }
}
