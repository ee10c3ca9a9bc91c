/// Which indexes production must have to answer a query, and whether it has them.
///
/// | query | index |
/// |---|---|
/// | nothing but names, ascending | none |
/// | equality and contains only, no order | the automatic ones, merged |
/// | one field, ranged or ordered | the automatic one |
/// | all others | equality fields, then the order with its directions; a part of the equality fields where other indexes with the same order cover the rest |
///
/// Production reads indexes forward only, so an order and its opposite need one index each.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/index-overview
extension CanonicalQuery {
  /// The indexes that `configuration` lacks for this query, each once, as entries to add; empty where
  /// production would run it.
  package func missingIndexes(
    in configuration: IndexConfiguration, aggregating aggregated: [FieldReference] = []
  ) -> [CompositeIndex] {
    var missing: [CompositeIndex] = []
    for disjunct in disjuncts {
      let need = IndexNeed(disjunct, of: self, aggregated)
      if !need.isMet(by: configuration), !missing.contains(need.composite) {
        missing.append(need.composite)
      }
    }
    return missing
  }

  /// The indexes that answer this query in production: single-field ones where those do, else the
  /// composite one of each disjunct.
  package func productionIndexes(
    aggregating aggregated: [FieldReference] = []
  ) -> [CompositeIndex] {
    var indexes: [CompositeIndex] = []
    for disjunct in disjuncts {
      let need = IndexNeed(disjunct, of: self, aggregated)
      for index in need.singleFields ?? [need.composite] where !indexes.contains(index) {
        indexes.append(index)
      }
    }
    return indexes
  }
}

/// What one disjunct needs.
private struct IndexNeed {
  let collectionID: String
  let scope: CompositeIndex.Scope
  /// Fields fixed by equality and the field of a contains filter, in the order of their paths.
  let fixed: [CompositeIndex.Field]
  /// The order without the fields that equality fixes, which order nothing.
  let order: [CompositeIndex.Field]
  let isNameAscending: Bool

  init(_ disjunct: [Predicate], of query: CanonicalQuery, _ aggregated: [FieldReference]) {
    switch query.scope {
    case .collection(let name): (collectionID, scope) = (name.id, .collection)
    case .collectionGroup(let id): (collectionID, scope) = (id, .collectionGroup)
    }
    var fixed: [CompositeIndex.Field] = []
    for predicate in disjunct {
      let mode: CompositeIndex.Mode
      switch predicate.test {
      case .equals: mode = .ascending
      case .contains: mode = .contains
      case .within: continue
      }
      let field = CompositeIndex.Field(predicate.field, mode)
      if !fixed.contains(field) { fixed.append(field) }
    }
    self.fixed = fixed.sorted { $0.field.precedes($1.field) }
    let equal = Set(fixed.filter { $0.mode == .ascending }.map(\.field))
    var order = query.orderBy.filter { !equal.contains($0.field) }
      .map { CompositeIndex.Field($0.field, .init($0.direction)) }
    let name = order.last?.mode
    isNameAscending = name == .ascending
    for field in aggregated where !order.contains(where: { $0.field == field }) {
      if !equal.contains(field) {
        order.insert(
          .init(field, .init(isNameAscending ? .ascending : .descending)), at: order.count - 1)
      }
    }
    self.order = order
  }

  var composite: CompositeIndex {
    CompositeIndex(collectionID: collectionID, scope: scope, fields: fixed + order)
  }

  /// The single-field indexes that answer this disjunct; nil where a composite one must.
  var singleFields: [CompositeIndex]? {
    if order.count == 1 {
      // Automatic indexes of equality fields can be merged in either direction of the name; contains
      // indexes exist in one, and so does the order of names alone.
      if isNameAscending { return fixed.map { single($0) } }
      guard !fixed.isEmpty, fixed.allSatisfy({ $0.mode == .ascending }) else { return nil }
      return fixed.map { single(.init($0.field, .descending)) }
    }
    let directionsAgree = order.count == 2 && order[0].mode == order[1].mode
    guard fixed.isEmpty, directionsAgree else { return nil }
    return [single(order[0])]
  }

  private func single(_ field: CompositeIndex.Field) -> CompositeIndex {
    CompositeIndex(collectionID: collectionID, scope: scope, fields: [field])
  }

  func isMet(by configuration: IndexConfiguration) -> Bool {
    if let singleFields {
      let all = singleFields.allSatisfy { index in
        index.fields.allSatisfy {
          configuration.hasSingleFieldIndex(
            $0.field, $0.mode, collectionID: collectionID, scope: scope)
        }
      }
      if all { return true }
    }
    return isMetByComposites(of: configuration)
  }

  /// Indexes that end in the order and start with some of the fixed fields can be merged where
  /// together they cover all of these.
  private func isMetByComposites(of configuration: IndexConfiguration) -> Bool {
    var covered: Set<FieldReference> = []
    for index in configuration.indexes
    where index.collectionID.hasSameBytes(as: collectionID) && index.scope == scope {
      let fields = index.fieldsWithName
      guard Array(fields.suffix(order.count)) == order else { continue }
      let prefix = fields.dropLast(order.count)
      let isUsable = prefix.allSatisfy { entry in
        fixed.contains {
          $0.field == entry.field && ($0.mode == .contains) == (entry.mode == .contains)
        }
      }
      if isUsable {
        if fixed.isEmpty { return true }
        covered.formUnion(prefix.map(\.field))
      }
    }
    return !fixed.isEmpty && fixed.allSatisfy { covered.contains($0.field) }
  }
}
