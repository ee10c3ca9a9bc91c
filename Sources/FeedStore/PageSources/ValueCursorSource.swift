package import DocumentDatabase

/// Pages that start after the values of the last document in the query's orders: what `start(after:)`
/// with field values gives.
///
/// Documents that tie with the last one of a page in all orders are passed over and never shown. Use
/// `DocumentCursorSource`, or an order that no two documents tie in.
public struct ValueCursorSource<Item: Sendable>: QueryPageSource {
  private let reader: QueryReader<Item>

  /// A position among the values of the query's orders.
  public struct Cursor: Hashable, Sendable {
    /// One value for each `order(by:)` of the query.
    package let values: [Value]
  }

  /// Makes a source from a query and a closure that makes an item of a document.
  ///
  /// - Parameters:
  ///   - query: The query whose results are paged; it needs at least one `order(by:)`.
  ///   - decode: Makes an item of a document; if it throws, so does the page.
  public init(
    _ query: Query, decode: @escaping @Sendable (QueryDocumentSnapshot) throws -> Item
  ) {
    reader = QueryReader(query: query, decode: decode)
  }

  /// Loads the page after some values.
  ///
  /// - Parameters:
  ///   - cursor: The values of the last document of the page before, or nil for the first page.
  ///   - limit: The number of items wanted.
  /// - Returns: The page; a page with fewer items than wanted is the last.
  /// - Throws: `FirestoreErrorCode` of the query, also if it has no order; a `BilledFailure` if a
  ///   document does not decode.
  /// - Cost: One read per document, at least one. A last page that is full is followed by an empty
  ///   one, for one read.
  public func page(after cursor: Cursor?, limit: Int) async throws -> Page<Item, Cursor> {
    let query = reader.query.limit(to: limit)
    let orderCount = try query.request.get().structured.orderBy.count
    guard orderCount > 0 else {
      throw FirestoreErrorCode.invalid(
        "A cursor of values needs at least one order(by:) in the query.")
    }
    let rows = try await reader.rows(of: cursor.map { query.starting(after: $0.values) } ?? query)
    var next: Cursor?
    if rows.documents.count == limit, let last = rows.documents.last {
      next = Cursor(values: Array(try query.position(after: last).values.prefix(orderCount)))
    }
    return Page(
      items: try reader.items(rows.documents, cost: rows.cost), next: next, cost: rows.cost)
  }
}

extension Query {
  /// Starts after a position in the orders there are.
  func starting(after values: [Value]) -> Query {
    windowed { $0.start = QueryRequest.Bound(position: .values(values), before: false) }
  }

  /// The position after a document in this query's results.
  ///
  /// - Returns: The complete order, with the document's name last, and the document's value for each.
  func position(
    after document: QueryDocumentSnapshot
  ) throws(FirestoreErrorCode) -> (order: [StructuredQuery.Order], values: [Value]) {
    let query = try start(afterDocument: document).structured()
    return (query.orderBy, query.startAt?.values ?? [])
  }
}
