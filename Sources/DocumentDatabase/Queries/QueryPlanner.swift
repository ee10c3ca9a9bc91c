import StorageEngine

/// Chooses the indexes of a query.
///
/// A disjunct's index has the array element it contains, the fields it fixes by equality, then the
/// query's order. Its first ordered field takes all the ranges on it; ranges on further fields are
/// tested on the documents. A name fixed by equality beside another order stands in the index like any
/// fixed field. All disjuncts share the order, so that their scans can be merged.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/index-overview
enum QueryPlanner {
  /// How the documents of each disjunct are found.
  static func scans(
    _ disjuncts: [[Predicate]], _ orders: [StructuredQuery.Order],
    _ directions: [StructuredQuery.Direction], _ scope: QueryScope
  ) -> [PreparedQuery.Scan] {
    disjuncts.map { scan($0, orders, directions, scope) }
  }

  private static func scan(
    _ disjunct: [Predicate], _ orders: [StructuredQuery.Order],
    _ directions: [StructuredQuery.Direction], _ scope: QueryScope
  ) -> PreparedQuery.Scan {
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
    if equalities.count > 1 { equalities.sort { $0.field.precedes($1.field) } }
    var fields: [IndexDefinition.Field] = []
    fields.reserveCapacity(equalities.count + orders.count)
    var prefix = ByteWriter(capacity: 64)
    if let contained {
      fields.append(.init(field: contained.field, kind: .contains))
      KeyEncoding.append(contained.value, to: &prefix)
    }
    for equality in equalities {
      fields.append(.init(field: equality.field, kind: .ascending))
      KeyEncoding.append(equality.value, to: &prefix)
    }
    if let position = residual.firstIndex(where: { $0.singleName != nil }),
      let name = residual[position].singleName
    {
      residual.remove(at: position)
      fields.append(.init(field: .documentName, kind: .ascending))
      prefix.append(name)
    }
    for (order, direction) in zip(orders, directions) where !order.field.isDocumentName {
      let kind: IndexDefinition.Kind = direction == .ascending ? .ascending : .descending
      fields.append(.init(field: order.field, kind: kind))
    }
    let index = IndexDefinition(
      scope: scope, fields: fields, nameDirection: directions[directions.count - 1])
    return PreparedQuery.Scan(
      index: index, prefix: prefix.bytes, ranges: first, residual: residual)
  }
}
