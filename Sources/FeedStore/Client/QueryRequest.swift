package import DocumentDatabase

/// What a `Query` has been told so far: the database's query, and the two things the database does not
/// know, which are "the last n" and cursors made of documents.
package struct QueryRequest: Hashable, Sendable {
  package var structured: StructuredQuery
  package var takesLast = false
  package var start: Bound?
  package var end: Bound?

  /// A cursor. A document's position is only known when the query is complete, since filters added
  /// later can extend the order.
  package struct Bound: Hashable, Sendable {
    package enum Position: Hashable, Sendable {
      case values([Value])
      case document(DocumentSnapshot)
    }

    package var position: Position
    package var before: Bool
  }

  package init(from: StructuredQuery.CollectionSelector) {
    structured = StructuredQuery(from: from)
  }

  /// The query to run. Of a query for the last n, all orders are reversed and the cursors change
  /// places: its rows come last one first. An aggregate may take the last n by name, documents may not.
  package func query(
    in database: MeteredDatabase, forAggregation: Bool = false
  ) throws(FirestoreErrorCode) -> StructuredQuery {
    var query = structured
    if takesLast && query.orderBy.isEmpty {
      guard forAggregation else {
        throw .invalid("limit(toLast:) needs at least one order(by:).")
      }
      query.orderBy = try database.canonical(query).orderBy
    }
    if needsCompleteOrder { query.orderBy = try database.canonical(query).orderBy }
    query.startAt = try start?.cursor(for: query.orderBy)
    query.endAt = try end?.cursor(for: query.orderBy)
    if takesLast {
      for index in query.orderBy.indices { query.orderBy[index].direction.reverse() }
      (query.startAt, query.endAt) = (query.endAt?.reversed, query.startAt?.reversed)
    }
    return try database.assumptionGuard.query(query, in: database)
  }

  /// What the query means; `preparation` is that of a query with the same filters, orders and fields.
  func canonical(
    in database: MeteredDatabase, _ preparation: QueryPreparation, forAggregation: Bool = false
  ) throws(FirestoreErrorCode) -> CanonicalQuery {
    // What is rewritten before it runs has other filters or orders than it was asked with.
    guard !takesLast, database.assumptionGuard.areAllUsual else {
      return try database.canonical(query(in: database, forAggregation: forAggregation))
    }
    let prepared = try database.prepared(
      structured, preparation, withCompleteOrder: needsCompleteOrder)
    return try database.canonical(
      prepared, from: start?.position(in: prepared), to: end?.position(in: prepared),
      offset: structured.offset, limit: structured.limit)
  }

  /// The query as it is listened to, in the order in which its documents are shown.
  func live(in database: MeteredDatabase) throws(FirestoreErrorCode) -> LiveQuery {
    var forward = self
    forward.takesLast = false
    forward.structured.offset = 0
    let canonical = try database.canonical(try forward.query(in: database))
    return LiveQuery(canonical, takesLast: takesLast)
  }

  private var needsCompleteOrder: Bool {
    (start?.isDocument ?? false) || (end?.isDocument ?? false)
  }
}

extension QueryRequest.Bound {
  fileprivate var isDocument: Bool { if case .document = position { true } else { false } }
}

extension QueryRequest.Bound {
  fileprivate func position(
    in query: PreparedQuery
  ) throws(FirestoreErrorCode) -> CursorPosition? {
    // Whatever stands in the way of a document's position is named by its values.
    if case .document(let document) = position, !document.metadata.hasPendingWrites,
      let position = document.stored.flatMap({
        CursorPosition(of: $0, before: before, in: query)
      })
    {
      return position
    }
    let cursor = try cursor(for: query.orderBy)
    do throws(QueryError) { return try query.position(of: cursor) } catch {
      throw FirestoreErrorCode(.query(error))
    }
  }

  fileprivate func cursor(
    for order: [StructuredQuery.Order]
  ) throws(FirestoreErrorCode) -> StructuredQuery.Cursor {
    switch position {
    case .values(let values): return StructuredQuery.Cursor(values: values, before: before)
    case .document(let document):
      var values: [Value] = []
      for order in order { values.append(try document.cursorValue(of: order.field)) }
      return StructuredQuery.Cursor(values: values, before: before)
    }
  }
}

extension DocumentSnapshot {
  fileprivate func cursorValue(of field: FieldReference) throws(FirestoreErrorCode) -> Value {
    if field.isDocumentName { return .reference(try reference.resourceName) }
    if let value = stored?[field] {
      guard !metadata.hasPendingWrites || PendingTimestamp(value) == nil else {
        throw .invalid(
          "The cursor document \(reference.path) has in \(field), by which the query orders, a server "
            + "timestamp that the server has not set. Take the cursor once the write is through.")
      }
      return value
    }
    throw .invalid(
      "The cursor document \(reference.path) has no field \(field), by which the query orders: such a "
        + "document is in no result of the query.")
  }
}

extension StructuredQuery.Cursor {
  /// The same position seen from the other end.
  fileprivate var reversed: StructuredQuery.Cursor {
    StructuredQuery.Cursor(values: values, before: !before)
  }
}

extension StructuredQuery.Direction {
  fileprivate mutating func reverse() { self = reversed }
}
