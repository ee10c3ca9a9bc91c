/// Pages after the last document, each read with one document more than it shows, to learn whether
/// another page follows.
///
/// The end is known without an empty query, for the price of reading one document of every page but
/// the last twice.
public struct ExtraRowSource<Item: Sendable>: QueryPageSource {
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
  ///   - cursor: The last document shown, or nil for the first page.
  ///   - limit: The number of items wanted.
  /// - Returns: The page; it has a next one exactly if a further document was there.
  /// - Throws: `FirestoreErrorCode` of the query; a `BilledFailure` if a document does not decode.
  /// - Cost: One read per document and one for the document that is read ahead, at least one.
  public func page(
    after cursor: QueryDocumentSnapshot?, limit: Int
  ) async throws -> Page<Item, QueryDocumentSnapshot> {
    let query = cursor.map(reader.query.start(afterDocument:)) ?? reader.query
    let rows = try await reader.rows(of: query.limit(to: limit + 1))
    let shown = rows.documents.prefix(limit)
    return Page(
      items: try reader.items(shown, cost: rows.cost),
      next: rows.documents.count > limit ? shown.last : nil, cost: rows.cost)
  }
}
