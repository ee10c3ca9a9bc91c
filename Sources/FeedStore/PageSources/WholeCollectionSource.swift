/// Everything the query returns, as one page.
///
/// This is the one source that keeps the query's own limit and ignores that of the page.
public struct WholeCollectionSource<Item: Sendable>: QueryPageSource {
  private let reader: QueryReader<Item>

  /// Makes a source from a query and a closure that makes an item of a document.
  ///
  /// - Parameters:
  ///   - query: The query whose results are read.
  ///   - decode: Makes an item of a document; if it throws, so does the page.
  public init(
    _ query: Query, decode: @escaping @Sendable (QueryDocumentSnapshot) throws -> Item
  ) {
    reader = QueryReader(query: query, decode: decode)
  }

  /// Loads all items.
  ///
  /// - Parameters:
  ///   - cursor: Nil: no page follows the first.
  ///   - limit: Ignored.
  /// - Returns: The only page.
  /// - Throws: `FirestoreErrorCode` of the query; a `BilledFailure` if a document does not decode.
  /// - Cost: One read per document, at least one.
  public func page(after cursor: Never?, limit: Int) async throws -> Page<Item, Never> {
    let rows = try await reader.rows(of: reader.query)
    let items = try reader.items(rows.documents, cost: rows.cost)
    return Page(items: items, next: nil, cost: rows.cost, totalItems: items.count)
  }
}
