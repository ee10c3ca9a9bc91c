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
package struct IndexRequirement: Hashable, Sendable {
  /// The indexes that answer the query in production, the missing ones included, each once.
  package var used: [CompositeIndex] = []
  /// Those of them that production does not have.
  package var missing: [CompositeIndex] = []
  /// The declared indexes that have a part in answering the query.
  package var helpful: Set<CompositeIndex> = []

  /// What `query` needs beside what `configuration` declares; for an aggregation, the values of
  /// `aggregated` must be in the index too.
  package init(
    of query: CanonicalQuery, in configuration: IndexConfiguration,
    aggregating aggregated: [FieldReference] = []
  ) {
    for disjunct in query.disjuncts {
      let need = IndexNeed(disjunct, of: query, aggregated)
      helpful.formUnion(need.usable(of: configuration))
      let indexes = need.answer(from: configuration)
      for index in indexes ?? [need.composite] where !used.contains(index) { used.append(index) }
      if indexes == nil, !missing.contains(need.composite) { missing.append(need.composite) }
    }
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
    // Aggregated values stand before the name, in its direction.
    for field in aggregated where !equal.contains(field) {
      guard let name = order.last, !order.contains(where: { $0.field == field }) else { continue }
      order.insert(.init(field, name.mode), at: order.count - 1)
    }
    self.order = order
  }

  var composite: CompositeIndex {
    CompositeIndex(collectionID: collectionID, scope: scope, fields: fixed + order)
  }

  private var isNameAscending: Bool { order.last?.mode == .ascending }

  /// The indexes that answer the disjunct; nil where some are missing.
  func answer(from configuration: IndexConfiguration) -> [CompositeIndex]? {
    // The order of the names alone needs no index: it is that of the documents.
    if fixed.isEmpty, order.count == 1, isNameAscending { return [composite] }
    let usable = usable(of: configuration)
    if let exact = usable.first(where: { Set($0.prefix(before: order)) == Set(fixed.map(\.field)) })
    {
      return [exact]
    }
    let singles = singleFields.filter { single in
      single.fields.allSatisfy {
        configuration.hasSingleFieldIndex(
          $0.field, $0.mode, collectionID: collectionID, scope: scope)
      }
    }
    if fixed.isEmpty { return singles.isEmpty ? nil : singles }
    return merged(singles + usable)
  }

  /// Indexes that end in the order and start with some of the fixed fields can be merged where
  /// together they cover all of these.
  private func merged(_ candidates: [CompositeIndex]) -> [CompositeIndex]? {
    var missing = Set(fixed.map(\.field))
    var chosen: [CompositeIndex] = []
    for index in candidates {
      let covered = index.prefix(before: order)
      if missing.isDisjoint(with: covered) { continue }
      missing.subtract(covered)
      chosen.append(index)
    }
    return missing.isEmpty ? chosen : nil
  }

  /// The single-field indexes that could have a part in the answer, if the fields have them.
  private var singleFields: [CompositeIndex] {
    if order.count == 1 {
      // Equality fields are indexed in both directions, each followed by the name in its own;
      // contains indexes exist in one.
      let fields = isNameAscending ? fixed : fixed.filter { $0.mode == .ascending }
      return fields.map { single($0.mode == .contains ? $0 : .init($0.field, order[0].mode)) }
    }
    guard fixed.isEmpty, order.count == 2, order[0].mode == order[1].mode else { return [] }
    return [single(order[0])]
  }

  private func single(_ field: CompositeIndex.Field) -> CompositeIndex {
    CompositeIndex(collectionID: collectionID, scope: scope, fields: [field])
  }

  /// The declared indexes that end in the order and start with nothing but fixed fields, in any
  /// order and direction.
  func usable(of configuration: IndexConfiguration) -> [CompositeIndex] {
    configuration.indexes.filter { index in
      guard index.collectionID.hasSameBytes(as: collectionID), index.scope == scope else {
        return false
      }
      let fields = index.fieldsWithName
      guard Array(fields.suffix(order.count)) == order else { return false }
      let prefix = fields.dropLast(order.count)
      if prefix.isEmpty { return fixed.isEmpty }
      return prefix.allSatisfy { entry in
        !entry.mode.isVector
          && fixed.contains {
            $0.field == entry.field && ($0.mode == .contains) == (entry.mode == .contains)
          }
      }
    }
  }
}

extension CompositeIndex {
  /// The fields before those of `order`, in which the index ends.
  fileprivate func prefix(before order: [Field]) -> [FieldReference] {
    fieldsWithName.dropLast(order.count).map(\.field)
  }
}
