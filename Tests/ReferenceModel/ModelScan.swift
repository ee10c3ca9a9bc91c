/// How many index entries answering a query takes, by the documented recipe: an index that starts with
/// the fields which equality fixes and goes on with the query's order is walked from the tighter of
/// the first field's range and the start cursor, until the results are found or the range ends.
extension ModelDatabase {
  /// The entries that must be read; of several disjuncts, whose indexes are merged, up to the last
  /// result and one more of each index to know that it holds none before.
  package func indexEntries(of query: ModelQuery) -> Int {
    let orders = query.effectiveOrders
    let streams = ModelScan.disjuncts(of: query.filter).map {
      positions(of: $0, query, orders)
    }
    guard let limit = query.limit else { return streams.reduce(0) { $0 + $1.count } }
    let needed = query.offset + limit
    if needed == 0 { return 0 }
    var unlimited = query
    (unlimited.limit, unlimited.offset) = (nil, 0)
    var results = run(unlimited).results.map { position(of: $0, in: orders) }
    guard results.count >= needed else { return streams.reduce(0) { $0 + $1.count } }
    if query.isLimitToLast { results.reverse() }
    let last = results[needed - 1]
    return streams.reduce(0) { count, stream in
      let read = stream.prefix { position in
        let order = compare(position, last, orders)
        return query.isLimitToLast ? order >= 0 : order <= 0
      }
      let holdsLast = read.last.map { compare($0, last, orders) == 0 } ?? false
      let hasAhead = streams.count > 1 && !holdsLast && read.count < stream.count
      return count + read.count + (hasAhead ? 1 : 0)
    }
  }

  /// The entries in range of one disjunct's index, in the order in which they are read.
  private func positions(
    of disjunct: [ModelQuery.Filter], _ query: ModelQuery, _ orders: [ModelQuery.Order]
  ) -> [[ModelValue]] {
    let conditions = ModelScan.indexed(disjunct, first: orders[0].field)
    let positions = documents.map { Result(path: $0.key, document: $0.value) }
      .filter { isCandidate($0.path, of: query.source) }
      .filter { row in orders.allSatisfy { value(of: $0.field, in: row) != nil } }
      .filter { row in conditions.allSatisfy { $0.accepts { value(of: $0, in: row) } } }
      .map { position(of: $0, in: orders) }
      .filter { isInside(query, $0, orders) }
      .sorted { compare($0, $1, orders) < 0 }
    return query.isLimitToLast ? positions.reversed() : positions
  }
}

private enum ModelScan {
  /// The filter as an OR of ANDs in which every list is multiplied out.
  static func disjuncts(of filter: ModelQuery.Filter?) -> [[ModelQuery.Filter]] {
    guard let filter else { return [[]] }
    switch filter {
    case .and(let parts):
      return parts.reduce([[]]) { product, part in
        product.flatMap { left in disjuncts(of: part).map { left + $0 } }
      }
    case .or(let parts): return parts.flatMap { disjuncts(of: $0) }
    case .field(let field, .in, .array(let elements)):
      return elements.flatMap { disjuncts(of: .field(field, .equal, $0)) }
    case .field(let field, .arrayContainsAny, .array(let elements)):
      return elements.flatMap { disjuncts(of: .field(field, .arrayContains, $0)) }
    case .field(_, .equal, let operand), .field(_, .arrayContains, let operand):
      return operand == .null || operand.isNaN ? [] : [[filter]]
    case .field, .unary: return [[filter]]
    }
  }

  /// What the index itself decides: one equality of each field, elements of arrays, one name, and all
  /// that is said of the field that is ordered first.
  static func indexed(
    _ disjunct: [ModelQuery.Filter], first: ModelField
  ) -> [ModelQuery.Filter] {
    var fixed: Set<ModelField> = []
    return disjunct.filter { leaf in
      switch leaf {
      case .field(let field, .equal, _), .unary(let field, .isNull), .unary(let field, .isNaN):
        if field == first && field == documentNameField { return true }
        return fixed.insert(field).inserted
      case .field(_, .arrayContains, _): return true
      case .field(let field, _, _), .unary(let field, _): return field == first
      case .and, .or: return false
      }
    }
  }
}
