/// Pages that start after the last document of the page before: exact, also among ties, and billed
/// once per document.
///
/// The position is that of the document when it was read. Deleting it or changing it between two
/// pages moves nothing.
public struct DocumentCursorSource<Item: Sendable>: QueryPageSource {
  private let reader: QueryReader<Item>

  /// Makes a source from a query and a closure that makes an item of a document.
  ///
  /// - Parameters:
  ///   - query: The query whose results are paged.
  ///   - decode: Makes an item of a document; if it throws, so does the page.
  public init(
    _ query: Query, decode: @escaping @Sendable (QueryDocumentSnapshot) throws -> Item
  ) {
    reader = QueryReader(query: query, decode: decode)
  }

  /// Loads the page after a document.
  ///
  /// - Parameters:
  ///   - cursor: The last document of the page before, or nil for the first page.
  ///   - limit: The number of items wanted.
  /// - Returns: The page; a page with fewer items than wanted is the last.
  /// - Throws: `FirestoreErrorCode` of the query; a `BilledFailure` if a document does not decode.
  /// - Cost: One read per document, at least one. A last page that is full is followed by an empty
  ///   one, for one read.
  public func page(
    after cursor: QueryDocumentSnapshot?, limit: Int
  ) async throws -> Page<Item, QueryDocumentSnapshot> {
    let query = cursor.map(reader.query.start(afterDocument:)) ?? reader.query
    let rows = try await reader.rows(of: query.limit(to: limit))
    return Page(
      items: try reader.items(rows.documents, cost: rows.cost),
      next: rows.documents.count < limit ? nil : rows.documents.last, cost: rows.cost)
  }
}
