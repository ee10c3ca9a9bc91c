import StorageEngine

/// What a query means: the complete order, the filter as an OR of ANDs, cursors bound to the order.
/// It is made from a `StructuredQuery` only by validation, so a canonical query is a valid one.
package struct CanonicalQuery: Sendable {
  package let query: StructuredQuery
  /// The effective order: explicit orders, then the other fields with an inequality, then the name.
  package let orderBy: [StructuredQuery.Order]
  /// A document is in the result where it passes all predicates of at least one of these.
  package let disjuncts: [[Predicate]]
  package let scope: QueryScope
  let start: CursorPosition?
  let end: CursorPosition?
  /// How many fields count as range fields in Firestore's price list.
  package let rangeFieldCount: Int

  /// - Throws: The first rule that `query` breaks.
  package init(_ query: StructuredQuery, in database: DatabaseName) throws(QueryError) {
    if let limit = query.limit, limit < 0 { throw .negativeLimit(limit) }
    if query.offset < 0 { throw .negativeOffset(query.offset) }
    scope = QueryScope(query.from)
    let form = try DisjunctiveForm(query.where, in: scope, database: database)
    let orders = try CanonicalQuery.effectiveOrder(of: query, form)
    try CanonicalQuery.checkSize(of: query, form)
    start = try CursorPosition(query.startAt, query, orders, scope, database)
    end = try CursorPosition(query.endAt, query, orders, scope, database)
    try CanonicalQuery.checkRange(of: start, in: form, orders)
    try CanonicalQuery.checkRange(of: end, in: form, orders)
    self.query = query
    orderBy = orders
    disjuncts = form.disjuncts
    rangeFieldCount = CanonicalQuery.rangeFields(of: query, form)
  }

  /// Source: https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredQuery
  private static func effectiveOrder(
    of query: StructuredQuery, _ form: DisjunctiveForm
  ) throws(QueryError) -> [StructuredQuery.Order] {
    var orders: [StructuredQuery.Order] = []
    for order in query.orderBy {
      do { try order.field.validate() } catch { throw .field(error) }
      if orders.contains(where: { $0.field == order.field }) { throw .orderedTwice(order.field) }
      if orders.contains(where: \.field.isDocumentName) { throw .orderAfterName(order.field) }
      orders.append(order)
    }
    let direction = orders.last?.direction ?? .ascending
    let implied = form.inequalityFields
      .filter { field in !field.isDocumentName && !orders.contains { $0.field == field } }
      .sorted { $0.precedes($1) }
    if let field = implied.first, orders.contains(where: \.field.isDocumentName) {
      throw .orderAfterName(field)
    }
    orders += implied.map { .init($0, direction) }
    if !orders.contains(where: \.field.isDocumentName) {
      orders.append(.init(.documentName, direction))
    }
    return orders
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

  private static func checkSize(
    of query: StructuredQuery, _ form: DisjunctiveForm
  ) throws(QueryError) {
    var components = query.orderBy.count + form.disjuncts.reduce(0) { $0 + $1.count }
    if case .collection(let name) = query.from, name.isNested { components += 1 }
    if components > 100 { throw .tooManyComponents(components) }
  }

  /// A cursor must lie in the range that the filters leave to the first ordered field; on the bound
  /// itself it may.
  private static func checkRange(
    of cursor: CursorPosition?, in form: DisjunctiveForm, _ orders: [StructuredQuery.Order]
  ) throws(QueryError) {
    guard case .value(let bytes)? = cursor?.components.first, form.disjuncts.count == 1 else {
      return
    }
    for predicate in form.disjuncts[0] where predicate.field == orders[0].field {
      guard case .within(let ranges) = predicate.test, ranges.ranges.count == 1,
        let range = ranges.ranges.first, let upper = range.upper
      else { continue }
      // A strict bound leaves its own value out of the range, but a cursor may stand on it.
      if lies(bytes, outside: range.lower, upper) { throw .cursorOutsideRange(orders[0].field) }
    }
  }

  /// Source: https://firebase.google.com/docs/firestore/pricing
  private static func rangeFields(of query: StructuredQuery, _ form: DisjunctiveForm) -> Int {
    var fields = Set(form.inequalityFields)
    if form.isNameFiltered { fields.insert(.documentName) }
    guard !fields.isEmpty else { return 0 }
    for order in query.orderBy where !order.field.isDocumentName { fields.insert(order.field) }
    return fields.count
  }
}

/// A cursor's values in encoded form, one per leading order.
struct CursorPosition: Hashable, Sendable {
  enum Component: Hashable, Sendable {
    /// The encoding of a value, ascending.
    case value([UInt8])
    case name(NamePosition)
  }

  let components: [Component]
  let before: Bool

  init?(
    _ cursor: StructuredQuery.Cursor?, _ query: StructuredQuery, _ orders: [StructuredQuery.Order],
    _ scope: QueryScope, _ database: DatabaseName
  ) throws(QueryError) {
    guard let cursor else { return nil }
    if cursor.values.isEmpty { throw .cursorWithoutValues }
    if cursor.values.count > query.orderBy.count {
      throw .tooManyCursorValues(given: cursor.values.count, orders: query.orderBy.count)
    }
    var components: [Component] = []
    for (order, value) in zip(orders, cursor.values) {
      guard order.field.isDocumentName else {
        components.append(.value(KeyEncoding.bytes(of: value)))
        continue
      }
      guard case .reference(let name) = value, name.database == database else {
        throw .cursorNameNotAReference(value)
      }
      components.append(.name(scope.position(of: name.document)))
    }
    self.components = components
    before = cursor.before
  }

  /// The key parts from which, and up to which, documents equal this position in an index whose
  /// parts have these directions.
  func bounds(_ directions: [StructuredQuery.Direction]) -> (lower: [UInt8], upper: [UInt8]) {
    var prefix: [UInt8] = []
    for (component, direction) in zip(components, directions) {
      switch component {
      case .value(let bytes): prefix += direction == .ascending ? bytes : bytes.map { ~$0 }
      case .name(let position):
        let (lower, upper) = position.bounds(direction)
        return (prefix + lower, prefix + upper)
      }
    }
    return (prefix, KeyEncoding.successor(of: prefix) ?? [0xFF])
  }
}
