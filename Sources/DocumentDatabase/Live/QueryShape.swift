import StorageEngine

/// Which documents a query selects and in which order, without cursors, limit and the range of its first
/// ordered field: what queries that differ in those alone have in common.
package struct QueryShape: Hashable, Sendable {
  package let scope: QueryScope
  let orderBy: [StructuredQuery.Order]
  fileprivate(set) var disjuncts: [[Predicate]]

  /// The shape of `query`, and the part of the order that its filters leave.
  fileprivate static func split(_ query: CanonicalQuery) -> (shape: QueryShape, range: ByteRange) {
    var shape = QueryShape(
      scope: query.scope, orderBy: query.orderBy, disjuncts: query.disjuncts)
    guard query.disjuncts.count == 1, let first = query.orderBy.first else { return (shape, .all) }
    var ranges = ByteRangeSet.all
    var others: [Predicate] = []
    for predicate in query.disjuncts[0] {
      if predicate.field == first.field, case .within(let range) = predicate.test {
        ranges = ranges.intersection(range)
      } else {
        others.append(predicate)
      }
    }
    guard ranges.ranges.count == 1, let range = ranges.ranges.first else { return (shape, .all) }
    shape.disjuncts = [others]
    return (shape, first.direction == .ascending ? range : range.inverted)
  }

  /// Where a document stands in the order: bytes that sort as the query sorts. Nil where the query does
  /// not select the document.
  ///
  /// - Complexity: O(size of the filters and of the ordered values).
  package func position(of document: StoredDocument?) -> [UInt8]? {
    guard let document else { return nil }
    let name = document.name
    guard scope.contains(name.parent) else { return nil }
    let isSelected = disjuncts.contains { disjunct in
      disjunct.allSatisfy { $0.matches(document, in: scope) }
    }
    guard isSelected else { return nil }
    var writer = ByteWriter()
    for order in orderBy {
      let start = writer.count
      if order.field.isDocumentName {
        scope.append(name, to: &writer)
      } else {
        guard let value = document[order.field] else { return nil }
        if let pending = PendingTimestamp(value) {
          pending.appendKey(to: &writer)
        } else {
          KeyEncoding.append(value, to: &writer)
        }
      }
      if order.direction == .descending { writer.invert(from: start) }
    }
    return writer.bytes
  }
}

/// A query as somebody listens to it: its shape, the part of the order between its cursors and within
/// the range of its filters, and how many documents of that part it shows.
package struct LiveQuery: Sendable {
  package let shape: QueryShape
  let cursors: ByteRange
  /// The most documents; nil for all.
  package private(set) var limit: Int?
  /// Whether a limit keeps the last documents of the order instead of the first.
  package let takesLast: Bool

  /// Takes a query without an offset, in the order in which its documents are shown.
  package init(_ query: CanonicalQuery, takesLast: Bool) {
    let (shape, range) = QueryShape.split(query)
    self.shape = shape
    limit = query.limit
    self.takesLast = takesLast
    // Shown in the direction of the order, whichever way the indexes go.
    let isReversed = query.prepared.isReversed
    let cursors = ByteRange.all.between(
      isReversed ? query.start?.inverted : query.start,
      isReversed ? query.end?.inverted : query.end, isReversed: false)
    self.cursors = cursors.intersection(range)
  }

  /// A change as this query sees it; nil where it selects neither what was nor what is.
  package func move(_ change: ChangedDocument) -> InterestIndex.Move? {
    let before = position(of: change.before)
    let after = position(of: change.after)
    if before == nil && after == nil { return nil }
    return InterestIndex.Move(change: change, before: before, after: after)
  }

  /// The same query with another limit.
  package func limited(to limit: Int) -> LiveQuery {
    var limited = self
    limited.limit = limit
    return limited
  }

  /// Where a document stands among those that the query would show without its limit; nil where it is
  /// not among them.
  package func position(of document: StoredDocument?) -> [UInt8]? {
    inside(shape.position(of: document))
  }

  /// A place in the order, where it is in the query's part of it.
  func inside(_ position: [UInt8]?) -> [UInt8]? {
    position.flatMap { cursors.contains($0) ? $0 : nil }
  }
}
