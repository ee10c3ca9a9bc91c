import DocumentDatabase

/// Pages by tokens: document cursors as text that can be stored, sent to a client, and read again
/// after a restart.
///
/// A token holds the position itself, so it survives the deletion of its document, and a mark of the
/// query it belongs to.
public struct PageTokenSource<Item: Sendable>: QueryPageSource {
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

  /// Loads the page at a token.
  ///
  /// - Parameters:
  ///   - token: The token of the page before, or nil for the first page.
  ///   - limit: The number of items wanted.
  /// - Returns: The page; a page with fewer items than wanted is the last.
  /// - Throws: `PageTokenError.invalidCursor` for a token of another query or a damaged one, before
  ///   anything is read; `FirestoreErrorCode` of the query; a `BilledFailure` if a document does not
  ///   decode.
  /// - Cost: One read per document, at least one. A last page that is full is followed by an empty
  ///   one, for one read.
  public func page(after token: PageToken?, limit: Int) async throws -> Page<Item, PageToken> {
    let query = reader.query.limit(to: limit)
    let canonical = try query.canonical()
    let start = try token.map { try query.start(at: $0, in: canonical) } ?? query
    let rows = try await reader.rows(of: start)
    var next: PageToken?
    if rows.documents.count == limit, let last = rows.documents.last {
      let content = TokenContent(
        fingerprint: canonical.fingerprint, values: try query.position(after: last).values)
      next = PageToken(version: TokenContent.version, payload: content.payload)
    }
    return Page(
      items: try reader.items(rows.documents, cost: rows.cost), next: next, cost: rows.cost)
  }
}

extension Query {
  /// Starts where a token says.
  ///
  /// - Throws: `PageTokenError` if the token is not a position of this query.
  fileprivate func start(
    at token: PageToken, in canonical: CanonicalQuery
  ) throws(PageTokenError) -> Query {
    func invalid(_ reason: PageTokenError.Reason) -> PageTokenError {
      .invalidCursor(token, query: canonical.description, reason: reason)
    }
    guard token.version == TokenContent.version else {
      throw invalid(.unknownVersion(token.version))
    }
    guard let content = TokenContent(payload: token.payload) else { throw invalid(.damaged) }
    guard content.fingerprint == canonical.fingerprint else { throw invalid(.madeForAnotherQuery) }
    guard content.values.count == canonical.orderBy.count else { throw invalid(.damaged) }
    return changing { $0.structured.orderBy = canonical.orderBy }.starting(after: content.values)
  }
}
