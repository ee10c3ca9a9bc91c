/// Pages by a number of documents to skip, with the total from one count before the first page.
///
/// Skipped documents are billed like returned ones. Documents that arrive at the top make the next
/// page repeat some, documents that leave make it miss some. Firebase's clients have no offset:
/// this source is for comparing and for servers.
public struct OffsetSource<Item: Sendable>: QueryPageSource {
  private let reader: QueryReader<Item>
  private let countsTotal: Bool

  /// Where a page starts.
  public struct Cursor: Hashable, Sendable {
    /// The number of documents before the page.
    public let offset: Int
    /// The number of documents in all, as counted before the first page.
    public let total: Int?
  }

  /// Makes a source that counts before the first page.
  ///
  /// - Parameters:
  ///   - query: The query whose results are paged.
  ///   - decode: Makes an item of a document; if it throws, so does the page.
  public init(
    _ query: Query, decode: @escaping @Sendable (QueryDocumentSnapshot) throws -> Item
  ) {
    self.init(query, countsTotal: true, decode: decode)
  }

  /// Makes a source that may do without a total.
  ///
  /// - Parameters:
  ///   - query: The query whose results are paged.
  ///   - countsTotal: Whether to count before the first page. Without, a page that is not full is
  ///     the last.
  ///   - decode: Makes an item of a document; if it throws, so does the page.
  public init(
    _ query: Query, countsTotal: Bool,
    decode: @escaping @Sendable (QueryDocumentSnapshot) throws -> Item
  ) {
    reader = QueryReader(query: query, decode: decode)
    self.countsTotal = countsTotal
  }

  /// Loads the page after a number of documents.
  ///
  /// - Parameters:
  ///   - cursor: Where the page starts, or nil for the first page.
  ///   - limit: The number of items wanted.
  /// - Returns: The page, with the total if it is counted. The last page is the one that reaches the
  ///   total, or has fewer items than wanted.
  /// - Throws: `FirestoreErrorCode` of a query; a `BilledFailure` if something was billed before.
  /// - Cost: One read per document, returned or skipped, at least one; for the count, one read per
  ///   1,000 documents, at least one. Nothing but the count where it finds none.
  public func page(after cursor: Cursor?, limit: Int) async throws -> Page<Item, Cursor> {
    let offset = cursor?.offset ?? 0
    let counted = cursor == nil && countsTotal ? try await reader.count() : nil
    let total = cursor?.total ?? counted?.total
    let spent = counted?.cost ?? PageCost()
    if total == 0 { return Page(items: [], next: nil, cost: spent, totalItems: 0) }
    let query = reader.query.metered.offset(offset).limit(to: limit)
    let rows = try await reader.rows(of: query, spent: spent)
    let end = offset + rows.documents.count
    let isLast = rows.documents.count < limit || end >= total ?? .max
    return Page(
      items: try reader.items(rows.documents, cost: rows.cost),
      next: isLast ? nil : Cursor(offset: end, total: total), cost: rows.cost, totalItems: total)
  }
}

extension OffsetSource where Item: Decodable {
  /// Makes a source of decodable items that may do without a total.
  ///
  /// - Parameters:
  ///   - query: The query whose results are paged.
  ///   - type: The type to decode each document as.
  ///   - countsTotal: Whether to count before the first page.
  public init(_ query: Query, as type: Item.Type = Item.self, countsTotal: Bool) {
    self.init(query, countsTotal: countsTotal) { try $0.data(as: Item.self) }
  }
}
