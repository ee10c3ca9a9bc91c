import DocumentDatabase

/// A request that the client SDK refuses before the database sees it. The runner's stand-in for the
/// client must refuse it too, but that proves nothing about the product.
struct ClientRefusal: Error {
  var rule: String
}

/// A query as a client builds it: a `StructuredQuery` and the parts that only a client knows.
struct ClientQuery {
  var query: StructuredQuery
  var limitToLast: Int?
  var startSnapshot: SnapshotCursor?
  var endSnapshot: SnapshotCursor?

  init(_ query: StructuredQuery) { self.query = query }

  /// A place given by a document as it was when it was read.
  struct SnapshotCursor {
    var name: DocumentName
    /// Nil where there was no such document.
    var fields: Fields?
    var before: Bool
  }

  /// What is sent. With a snapshot cursor all effective orders are sent as explicit ones, because
  /// only explicit orders take cursor values; `limitToLast` is sent reversed.
  func request(in database: DatabaseName, aggregating: Bool = false) throws -> Request {
    var sent = query
    if startSnapshot != nil || endSnapshot != nil {
      sent.orderBy = try CanonicalQuery(query, in: database).orderBy
      if let startSnapshot {
        sent.startAt = try cursor(startSnapshot, along: sent.orderBy, in: database)
      }
      if let endSnapshot { sent.endAt = try cursor(endSnapshot, along: sent.orderBy, in: database) }
    }
    guard let limitToLast else { return Request(query: sent, isReversed: false) }
    if query.orderBy.isEmpty && !aggregating {
      throw ClientRefusal(rule: "limitToLast needs an order")
    }
    for index in sent.orderBy.indices {
      sent.orderBy[index].direction = sent.orderBy[index].direction.reversed
    }
    (sent.startAt, sent.endAt) = (swapped(sent.endAt), swapped(sent.startAt))
    sent.limit = limitToLast
    return Request(query: sent, isReversed: true)
  }

  struct Request {
    var query: StructuredQuery
    /// Whether the rows arrive in the opposite order.
    var isReversed: Bool
  }

  private func swapped(_ cursor: StructuredQuery.Cursor?) -> StructuredQuery.Cursor? {
    cursor.map { .init(values: $0.values, before: !$0.before) }
  }

  private func cursor(
    _ snapshot: SnapshotCursor, along orders: [StructuredQuery.Order], in database: DatabaseName
  ) throws -> StructuredQuery.Cursor {
    guard let fields = snapshot.fields else {
      throw ClientRefusal(rule: "a snapshot cursor needs an existing document")
    }
    let values = try orders.map { order -> Value in
      if order.field.isDocumentName {
        return .reference(ResourceName(database: database, document: snapshot.name))
      }
      guard let value = fields[order.field] else {
        throw ClientRefusal(rule: "a snapshot cursor needs every ordered field")
      }
      return value
    }
    return .init(values: values, before: snapshot.before)
  }
}
