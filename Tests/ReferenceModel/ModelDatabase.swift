/// A database without indexes, plans or versions: a dictionary, and for every question a look at
/// each document in it. It is slow so that it can be seen to be right.
package struct ModelDatabase: Sendable {
  package struct Document: Hashable, Sendable {
    package var fields: ModelFields
    package var createTime: Int64
    package var updateTime: Int64

    package init(fields: ModelFields, createTime: Int64 = 0, updateTime: Int64 = 0) {
      self.fields = fields
      self.createTime = createTime
      self.updateTime = updateTime
    }
  }

  /// A document together with its path.
  package struct Result: Hashable, Sendable {
    package var path: ModelPath
    package var document: Document

    package init(path: ModelPath, document: Document) {
      self.path = path
      self.document = document
    }
  }

  /// What a query returns, and what it is billed for.
  package struct Answer: Hashable, Sendable {
    package var results: [Result]
    package var skipped: Int
  }

  package var documents: [ModelPath: Document] = [:]
  package let project: Bytes
  package let database: Bytes

  package init(project: String, database: String = "(default)") {
    self.project = Bytes(project.utf8)
    self.database = Bytes(database.utf8)
  }

  /// The value of `field` in a document; the name reads as a reference.
  package func value(of field: ModelField, in result: Result) -> ModelValue? {
    if field == documentNameField {
      return .reference(ModelReference(project: project, database: database, path: result.path))
    }
    return ReferenceModel.value(at: field, in: result.document.fields)
  }

  /// Evaluates `query` step by step in the documented order: candidates, existence of every ordered
  /// field, filter, order, cursors, offset, limit.
  package func run(_ query: ModelQuery) -> Answer {
    let orders = query.effectiveOrders
    var rows = documents.map { Result(path: $0.key, document: $0.value) }
      .filter { isCandidate($0.path, of: query.source) }
      .filter { row in orders.allSatisfy { value(of: $0.field, in: row) != nil } }
      .filter { row in query.filter?.accepts { value(of: $0, in: row) } ?? true }
      .map { (row: $0, position: position(of: $0, in: orders)) }
      .sorted { compare($0.position, $1.position, orders) < 0 }
      .filter { isInside(query, $0.position, orders) }
      .map(\.row)
    if query.isLimitToLast { rows.reverse() }
    let skipped = min(query.offset, rows.count)
    rows = Array(rows.dropFirst(query.offset).prefix(query.limit ?? .max))
    if query.isLimitToLast { rows.reverse() }
    return Answer(results: rows, skipped: skipped)
  }

  /// The reads of a query's documents, those skipped included, and never none.
  package func documentReads(_ answer: Answer) -> Int {
    max(1, answer.results.count + answer.skipped)
  }

  /// The place of a row: its value for each order.
  package func position(of row: Result, in orders: [ModelQuery.Order]) -> [ModelValue] {
    orders.map { value(of: $0.field, in: row) ?? .null }
  }

  func isCandidate(_ path: ModelPath, of source: ModelQuery.Source) -> Bool {
    switch source {
    case .collection(let collection): Array(path.dropLast()) == collection
    case .collectionGroup(let id): path.dropLast().last == id
    }
  }

  func isInside(
    _ query: ModelQuery, _ position: [ModelValue], _ orders: [ModelQuery.Order]
  ) -> Bool {
    if let start = query.start {
      let order = compare(position, start.values, orders)
      if order < 0 || (order == 0 && !start.isBefore) { return false }
    }
    if let end = query.end {
      let order = compare(position, end.values, orders)
      if order > 0 || (order == 0 && end.isBefore) { return false }
    }
    return true
  }

  /// Compares as many values as both positions have.
  func compare(
    _ a: [ModelValue], _ b: [ModelValue], _ orders: [ModelQuery.Order]
  ) -> Int {
    for (order, (x, y)) in zip(orders, zip(a, b)) {
      let values = ModelOrder.compare(x, y)
      if values != 0 { return order.descending ? -values : values }
    }
    return 0
  }
}
