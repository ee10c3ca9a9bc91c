/// What a query means: what all its pages have in common, cursors bound to its order, offset and limit.
/// It is made from a `StructuredQuery` only by validation, so a canonical query is a valid one.
package struct CanonicalQuery: Sendable {
  package let prepared: PreparedQuery
  package let start: CursorPosition?
  package let end: CursorPosition?
  package let offset: Int
  package let limit: Int?

  /// - Throws: The first rule that `query` breaks.
  package init(_ query: StructuredQuery, in database: DatabaseName) throws(QueryError) {
    try CanonicalQuery.check(offset: query.offset, limit: query.limit)
    let prepared = try PreparedQuery(query, in: database)
    let start = try prepared.position(of: query.startAt)
    let end = try prepared.position(of: query.endAt)
    try self.init(prepared, from: start, to: end, offset: query.offset, limit: query.limit)
  }

  /// A part of the result of `prepared`, between two places in its order.
  ///
  /// - Throws: The first rule that the part breaks.
  package init(
    _ prepared: PreparedQuery, from start: CursorPosition?, to end: CursorPosition?, offset: Int,
    limit: Int?
  ) throws(QueryError) {
    try CanonicalQuery.check(offset: offset, limit: limit)
    self.prepared = prepared
    self.start = start
    self.end = end
    self.offset = offset
    self.limit = limit
    try checkRange(of: start)
    try checkRange(of: end)
  }

  package var startAt: StructuredQuery.Cursor? { start?.cursor(in: prepared) }
  package var endAt: StructuredQuery.Cursor? { end?.cursor(in: prepared) }
  package var scope: QueryScope { prepared.scope }
  /// The effective order: explicit orders, then the other fields with an inequality, then the name.
  package var orderBy: [StructuredQuery.Order] { prepared.orderBy }
  /// A document is in the result where it passes all predicates of at least one of these.
  package var disjuncts: [[Predicate]] { prepared.disjuncts }
  /// How many fields count as range fields in Firestore's price list.
  package var rangeFieldCount: Int { prepared.rangeFieldCount }
  /// A number for the query without cursors, offset and limit: the same in every process, so that all
  /// pages of a feed have it in common.
  package var fingerprint: UInt64 { prepared.fingerprint }

  package var from: StructuredQuery.CollectionSelector { prepared.source.from }
  /// Whether names alone are returned.
  package var isNamesOnly: Bool { prepared.source.select?.isEmpty ?? false }

  /// What was asked.
  package var query: StructuredQuery {
    var query = prepared.source
    query.startAt = startAt
    query.endAt = endAt
    query.offset = offset
    query.limit = limit
    return query
  }

  private static func check(offset: Int, limit: Int?) throws(QueryError) {
    if let limit, limit < 0 { throw .negativeLimit(limit) }
    if offset < 0 { throw .negativeOffset(offset) }
  }

  /// Whether every index that answers this query holds the value of `field` before the name.
  func indexes(_ field: FieldReference) -> Bool {
    orderBy.contains { $0.field == field }
      || disjuncts.allSatisfy { disjunct in
        disjunct.contains { predicate in
          if case .equals = predicate.test { predicate.field == field } else { false }
        }
      }
  }

  /// A cursor must lie in the range that the filters leave to the first ordered field; on the bound
  /// itself it may.
  private func checkRange(of cursor: CursorPosition?) throws(QueryError) {
    guard let cursor, disjuncts.count == 1 else { return }
    for predicate in disjuncts[0] where predicate.field == orderBy[0].field {
      guard case .within(let ranges) = predicate.test, ranges.ranges.count == 1,
        let range = ranges.ranges.first, let upper = range.upper,
        let bytes = cursor.encodedValue(at: 0, in: prepared)
      else { continue }
      // A strict bound leaves its own value out of the range, but a cursor may stand on it.
      if CanonicalQuery.lies(bytes, outside: range.lower, upper) {
        throw .cursorOutsideRange(orderBy[0].field)
      }
    }
  }
}
