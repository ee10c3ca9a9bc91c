/// Numbered pages: which one this is, which is the last, whether one follows. Counts once before the
/// first page, then skips the pages before.
///
/// Billed like `OffsetSource`, and as inexact while documents come and go; the number of the last
/// page is that of the first count.
public struct PageNumberSource<Item: Sendable>: QueryPageSource {
  private let reader: QueryReader<Item>

  /// Which page to load.
  public struct Cursor: Hashable, Sendable {
    /// The number of the page, from 1.
    public let page: Int
    /// The number of documents in all, as counted before the first page.
    public let total: Int
  }

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

  /// Loads a page by its number.
  ///
  /// - Parameters:
  ///   - cursor: The page, or nil for the first.
  ///   - limit: The number of items on a page, the same for all pages.
  /// - Returns: The page with its number, the number of the last page and the total.
  /// - Throws: `FirestoreErrorCode` of a query; a `BilledFailure` if something was billed before.
  /// - Cost: One read per document, returned or skipped, at least one; for the count, one read per
  ///   1,000 documents, at least one. Nothing but the count where it finds none.
  public func page(after cursor: Cursor?, limit: Int) async throws -> Page<Item, Cursor> {
    let number = cursor?.page ?? 1
    let counted = cursor == nil ? try await reader.count() : nil
    let total = cursor?.total ?? counted?.total ?? 0
    var rows = QueryReader<Item>.Rows(documents: [], cost: counted?.cost ?? PageCost())
    if total > 0 {
      let query = reader.query.metered.offset((number - 1) * limit).limit(to: limit)
      rows = try await reader.rows(of: query, spent: rows.cost)
    }
    let lastPage = total > 0 ? (total - 1) / max(1, limit) + 1 : 1
    let isLast = rows.documents.count < limit || number >= lastPage
    return Page(
      items: try reader.items(rows.documents, cost: rows.cost),
      next: isLast ? nil : Cursor(page: number + 1, total: total), cost: rows.cost,
      totalItems: total, pageNumber: number, lastPageNumber: lastPage)
  }
}
