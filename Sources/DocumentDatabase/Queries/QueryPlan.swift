/// How a query will be answered: for each disjunct a range of an index that holds its documents in the
/// query's order, and what is left to test on each of them.
package struct QueryPlan: Hashable, Sendable {
  package struct Scan: Hashable, Sendable {
    package let index: IndexDefinition
    /// The bytes of the equality part of the keys.
    let prefix: [UInt8]
    /// The ranges behind the index's number, in ascending order; scanned from the last where the plan
    /// is reversed.
    let ranges: [ByteRange]
    package let residual: [Predicate]
  }

  package let scans: [Scan]
  /// Whether indexes are read from their end.
  package let isReversed: Bool
}

/// Chooses the indexes of a query.
///
/// A disjunct's index has the array element it contains, the fields it fixes by equality, then the
/// query's order. Its first ordered field takes all the ranges on it; ranges on further fields are
/// tested on the documents. A name fixed by equality beside another order stands in the index like any
/// fixed field. All disjuncts share the order, so that their scans can be merged.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/index-overview
enum QueryPlanner {
  static func plan(_ query: CanonicalQuery) -> QueryPlan {
    // Every index starts its order ascending: one index serves a direction and its opposite.
    let isReversed = query.orderBy.first?.direction == .descending
    let orders = query.orderBy.map { order in
      StructuredQuery.Order(order.field, isReversed ? order.direction.reversed : order.direction)
    }
    let cursors = cursorRange(query, orders.map(\.direction), isReversed: isReversed)
    let scans = query.disjuncts.map { scan($0, orders, cursors, query.scope) }
    return QueryPlan(scans: scans, isReversed: isReversed)
  }

  private static func scan(
    _ disjunct: [Predicate], _ orders: [StructuredQuery.Order], _ cursors: ByteRange,
    _ scope: QueryScope
  ) -> QueryPlan.Scan {
    var contained: (field: FieldReference, value: Value)?
    var equalities: [(field: FieldReference, value: Value)] = []
    var first = ByteRangeSet.all
    var residual: [Predicate] = []
    for predicate in disjunct {
      switch predicate.test {
      case .contains(let value): contained = (predicate.field, value)
      case .equals(let value) where !equalities.contains { $0.field == predicate.field }:
        equalities.append((predicate.field, value))
      case .within(let ranges) where predicate.field == orders[0].field:
        first = first.intersection(ranges)
      case .within(let ranges) where ranges.ranges.isEmpty: first = .none
      case .equals, .within: residual.append(predicate)
      }
    }
    equalities.sort { $0.field.precedes($1.field) }
    var fields: [IndexDefinition.Field] = []
    var prefix: [UInt8] = []
    if let contained {
      fields.append(.init(field: contained.field, kind: .contains))
      prefix += KeyEncoding.bytes(of: contained.value)
    }
    for equality in equalities {
      fields.append(.init(field: equality.field, kind: .ascending))
      prefix += KeyEncoding.bytes(of: equality.value)
    }
    if let position = residual.firstIndex(where: { $0.singleName != nil }),
      let name = residual[position].singleName
    {
      residual.remove(at: position)
      fields.append(.init(field: .documentName, kind: .ascending))
      prefix += name
    }
    for order in orders where !order.field.isDocumentName {
      let kind: IndexDefinition.Kind = order.direction == .ascending ? .ascending : .descending
      fields.append(.init(field: order.field, kind: kind))
    }
    let index = IndexDefinition(
      scope: scope, fields: fields, nameDirection: orders[orders.count - 1].direction)
    let ranges = first.ranges.map { $0.intersection(cursors) }.filter { !$0.isEmpty }
    return QueryPlan.Scan(index: index, prefix: prefix, ranges: ranges, residual: residual)
  }

  /// The part of the order between the cursors, as a range of the index read in its own direction.
  private static func cursorRange(
    _ query: CanonicalQuery, _ directions: [StructuredQuery.Direction], isReversed: Bool
  ) -> ByteRange {
    var range = ByteRange.all
    if let start = query.start {
      let bounds = start.bounds(directions)
      if isReversed {
        range.upper = start.before ? bounds.upper : bounds.lower
      } else {
        range.lower = start.before ? bounds.lower : bounds.upper
      }
    }
    if let end = query.end {
      let bounds = end.bounds(directions)
      if isReversed {
        range.lower = end.before ? bounds.upper : bounds.lower
      } else {
        let upper = end.before ? bounds.lower : bounds.upper
        range.upper = upper
      }
    }
    return range
  }
}
