import StorageEngine

/// What all pages of a query have in common: what it means and how it is answered, without cursors,
/// offset and limit. It is made once, by validation, and shared by all queries that differ in those
/// alone.
package final class PreparedQuery: Sendable {
  /// The part of an index that holds the documents of one disjunct, and what is left to test.
  struct Scan: Sendable {
    let index: IndexDefinition
    /// The bytes of the equality part of the keys.
    let prefix: [UInt8]
    /// The ranges behind it that the filters leave, in ascending order.
    let ranges: ByteRangeSet
    let residual: [Predicate]
  }

  package let database: DatabaseName
  /// The query without cursors, offset and limit.
  let source: StructuredQuery
  package let scope: QueryScope
  /// The effective order: explicit orders, then the other fields with an inequality, then the name.
  package let orderBy: [StructuredQuery.Order]
  /// A document is in the result where it passes all predicates of at least one of these.
  package let disjuncts: [[Predicate]]
  /// How many fields count as range fields in Firestore's price list.
  package let rangeFieldCount: Int
  /// Whether indexes are read from their end: every index starts its order ascending, so that one
  /// serves a direction and its opposite.
  let isReversed: Bool
  /// The directions of the order in the indexes.
  let directions: [StructuredQuery.Direction]
  let scans: [Scan]
  package let fingerprint: UInt64

  private let completed = LazyReference<PreparedQuery>()
  private let resolved = LazyReference<ResolvedScans>()
  private let lazyText = LazyReference<Text>()

  private final class Text: Sendable {
    let text: String
    init(_ text: String) { self.text = text }
  }

  /// - Throws: The first rule that `query` breaks, whatever its cursors, offset and limit.
  package init(_ query: StructuredQuery, in database: DatabaseName) throws(QueryError) {
    var source = query
    source.startAt = nil
    source.endAt = nil
    source.offset = 0
    source.limit = nil
    scope = QueryScope(query.from)
    let form = try DisjunctiveForm(query.where, in: scope, database: database)
    orderBy = try PreparedQuery.effectiveOrder(of: query, form)
    try PreparedQuery.checkSize(of: query, form)
    self.database = database
    self.source = source
    disjuncts = form.disjuncts
    rangeFieldCount = PreparedQuery.rangeFields(of: query, form)
    let isReversed = orderBy.first?.direction == .descending
    self.isReversed = isReversed
    directions = orderBy.map { isReversed ? $0.direction.reversed : $0.direction }
    scans = QueryPlanner.scans(form.disjuncts, orderBy, directions, scope)
    fingerprint = PreparedQuery.fingerprint(scope, source.where, orderBy)
  }

  /// The same query with its whole order written out, to which a cursor of a document refers.
  ///
  /// - Throws: The rule that it breaks then: its size.
  package func withCompleteOrder() throws(QueryError) -> PreparedQuery {
    if source.orderBy.count == orderBy.count { return self }
    if let completed = completed.load() { return completed }
    var complete = source
    complete.orderBy = orderBy
    return completed.storeIfNil(try PreparedQuery(complete, in: database))
  }

  /// What the query selects and in which order, as a person would write it down; the same on each page.
  var text: String {
    if let known = lazyText.load() { return known.text }
    return lazyText.storeIfNil(Text(PreparedQuery.text(of: source, orderBy))).text
  }

  /// The place of a cursor of values in the order.
  ///
  /// - Throws: The rule that `cursor` breaks.
  package func position(
    of cursor: StructuredQuery.Cursor?
  ) throws(QueryError) -> CursorPosition? {
    guard let cursor else { return nil }
    return try CursorPosition(cursor, in: self)
  }

  /// Where the scans' keys are in `database`; nil for a scan whose index does not exist yet.
  func resolved(in catalog: IndexCatalog, of database: Database) -> ResolvedScans {
    if let resolved = resolved.load(), resolved.database === database { return resolved }
    let found = ResolvedScans(self, in: catalog, of: database)
    // An index once published keeps its number.
    return found.isComplete ? resolved.storeIfNil(found) : found
  }

  /// Source: https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredQuery
  private static func effectiveOrder(
    of query: StructuredQuery, _ form: DisjunctiveForm
  ) throws(QueryError) -> [StructuredQuery.Order] {
    var orders: [StructuredQuery.Order] = []
    orders.reserveCapacity(query.orderBy.count + 1)
    var isNameOrdered = false
    for order in query.orderBy {
      do { try order.field.validate() } catch { throw .field(error) }
      if orders.contains(where: { $0.field == order.field }) { throw .orderedTwice(order.field) }
      if isNameOrdered { throw .orderAfterName(order.field) }
      isNameOrdered = order.field.isDocumentName
      orders.append(order)
    }
    let direction = orders.last?.direction ?? .ascending
    if !form.inequalityFields.isEmpty {
      let implied = form.inequalityFields
        .filter { field in !field.isDocumentName && !orders.contains { $0.field == field } }
        .sorted { $0.precedes($1) }
      if let field = implied.first, isNameOrdered { throw .orderAfterName(field) }
      orders += implied.map { .init($0, direction) }
    }
    if !isNameOrdered { orders.append(.init(.documentName, direction)) }
    return orders
  }

  private static func checkSize(
    of query: StructuredQuery, _ form: DisjunctiveForm
  ) throws(QueryError) {
    var components = query.orderBy.count + form.disjuncts.reduce(0) { $0 + $1.count }
    if case .collection(let name) = query.from, name.isNested { components += 1 }
    if components > 100 { throw .tooManyComponents(components) }
  }

  /// Source: https://firebase.google.com/docs/firestore/pricing
  private static func rangeFields(of query: StructuredQuery, _ form: DisjunctiveForm) -> Int {
    if form.inequalityFields.isEmpty && !form.isNameFiltered { return 0 }
    var fields = Set(form.inequalityFields)
    if form.isNameFiltered { fields.insert(.documentName) }
    for order in query.orderBy where !order.field.isDocumentName { fields.insert(order.field) }
    return fields.count
  }
}

/// Where a prepared query's documents are in one database.
final class ResolvedScans: Sendable {
  struct Scan: Sendable {
    /// The number of the index and the equality part: what all keys of the scan start with.
    let prefix: [UInt8]
    /// The ranges of keys that the filters leave, in ascending order.
    let ranges: [ByteRange]
  }

  let database: Database
  /// One per scan of the query; nil where the index does not exist yet.
  let scans: [Scan?]
  /// Whether nothing has to be built before the query can run.
  let isComplete: Bool

  init(_ query: PreparedQuery, in catalog: IndexCatalog, of database: Database) {
    self.database = database
    scans = query.scans.map { scan in
      catalog.number(of: scan.index).map { number in
        var writer = ByteWriter(capacity: 64)
        writer.append(word: number.bigEndian)
        writer.append(scan.prefix)
        let prefix = writer.bytes
        return Scan(prefix: prefix, ranges: scan.ranges.ranges.map { $0.prefixed(by: prefix) })
      }
    }
    isComplete = scans.allSatisfy { $0 != nil }
  }
}
