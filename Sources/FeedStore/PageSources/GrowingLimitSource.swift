/// Pages by asking for the whole list again with a larger limit: what listening to a growing query
/// comes to.
///
/// Page k reads k pages. Documents that arrive at the top push the last ones shown onto the next
/// page, where they appear again.
public struct GrowingLimitSource<Item: Sendable>: QueryPageSource {
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

  /// Loads all items so far and one page more, and returns what is beyond those so far.
  ///
  /// - Parameters:
  ///   - cursor: The number of items so far, or nil for the first page.
  ///   - limit: The number of items wanted beyond them.
  /// - Returns: The page; if fewer documents came than were asked for, it is the last.
  /// - Throws: `FirestoreErrorCode` of the query; a `BilledFailure` if a document does not decode.
  /// - Cost: One read per document, those of all pages before included, at least one.
  public func page(after cursor: Int?, limit: Int) async throws -> Page<Item, Int> {
    let shown = cursor ?? 0
    let rows = try await reader.rows(of: reader.query.limit(to: shown + limit))
    return Page(
      items: try reader.items(rows.documents.dropFirst(shown), cost: rows.cost),
      next: rows.documents.count < shown + limit ? nil : shown + limit, cost: rows.cost)
  }
}
