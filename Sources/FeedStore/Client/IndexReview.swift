import DocumentDatabase

/// What a set of queries needs of the indexes that are declared for them.
package struct IndexReview: Sendable {
  /// One query and its indexes, in words.
  package struct Row: Sendable {
    package let query: String
    package let used: [String]
    package let missing: [String]
  }

  package private(set) var rows: [Row] = []
  /// What is declared and what is missing, together.
  package private(set) var complete: FirestoreIndexes
  private let declared: FirestoreIndexes
  private var missingIndexes: [CompositeIndex] = []
  private var helpful: Set<CompositeIndex> = []

  package init(of declared: FirestoreIndexes) {
    self.declared = declared
    complete = declared
  }

  /// Adds what `query` needs, or its aggregation if `fields` are given.
  ///
  /// - Throws: The mistake that is made in the query.
  package mutating func add(
    _ query: Query, aggregating fields: [AggregateField]? = nil
  ) throws(FirestoreErrorCode) {
    let canonical = try query.canonical(forAggregation: fields != nil)
    var aggregated: [FieldReference] = []
    for field in fields ?? [] {
      if let path = try field.aggregation.field { aggregated.append(path) }
    }
    let requirement = IndexRequirement(
      of: canonical, in: declared.configuration, aggregating: aggregated)
    var text = canonical.description
    if let fields { text = "\(fields.compactMap(\.name).joined(separator: ", ")) of \(text)" }
    rows.append(
      Row(
        query: text, used: requirement.used.map { [$0].summary },
        missing: requirement.missing.map { [$0].summary }))
    helpful.formUnion(requirement.helpful)
    helpful.formUnion(requirement.used)
    for index in requirement.missing {
      if !missingIndexes.contains(index) { missingIndexes.append(index) }
      complete.configuration.add(index)
    }
  }

  /// The entries to add to what is declared.
  package var missing: FirestoreIndexes { declared.entries(adding: missingIndexes) }

  /// The declared indexes that none of the queries can use, in words. Automatic indexes and exemptions
  /// are not among them.
  package var unused: [String] {
    let composites = declared.configuration.indexes.filter { !helpful.contains($0) }
    var unused = composites.map { [$0].summary }
    for override in declared.configuration.fieldOverrides {
      guard let field = override.field else { continue }
      for index in override.indexes where index.scope == .collectionGroup {
        let single = CompositeIndex(
          collectionID: override.collectionID, scope: index.scope,
          fields: [.init(field, index.mode)])
        if !helpful.contains(single) { unused.append([single].summary) }
      }
    }
    return unused
  }
}
