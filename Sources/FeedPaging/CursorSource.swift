/// A source made from one closure: the last cursor and a limit in, documents out.
///
/// This is how a database plugs in that this module does not name. With the Firebase SDK the
/// document is its own cursor:
///
/// ```swift
/// let query = Firestore.firestore().collection("posts").order(by: "createdAt", descending: true)
/// let source = CursorSource { (last: QueryDocumentSnapshot?, limit) in
///   try await (last.map(query.start(afterDocument:)) ?? query)
///     .limit(to: limit).getDocuments().documents
/// } item: {
///   try $0.data(as: Post.self)
/// }
/// let feed = FeedViewModel(source: source)
/// ```
///
/// A closure that returns fewer documents than the limit has reached the end, and is not asked
/// again. Documents that become no item still count, so a filter in the closure `item` does not end
/// the feed.
public struct CursorSource<Item: Sendable, Cursor: Sendable>: PageSource {
  private let load: @Sendable (Cursor?, Int) async throws -> Page<Item, Cursor>

  /// A source of documents that are their own cursors.
  ///
  /// - Parameters:
  ///   - cost: what it costs to load so many documents; by default, one query that returns them.
  ///   - documents: loads the documents after the last one, or the first ones, up to the limit.
  ///   - item: makes an item of a document; nil leaves the document out. If it throws, the page
  ///     fails, and its reads are booked as wasted.
  public init(
    cost: @escaping @Sendable (_ documents: Int) -> PageCost = PageCost.ofQuery(returning:),
    documents: @escaping @Sendable (_ last: Cursor?, _ limit: Int) async throws -> [Cursor],
    item: @escaping @Sendable (Cursor) throws -> Item?
  ) {
    load = { last, limit in
      let documents = try await documents(last, limit)
      let cost = cost(documents.count)
      do {
        return Page(
          items: try documents.compactMap(item),
          next: documents.count < limit ? nil : documents.last, cost: cost)
      } catch {
        throw BilledFailure(underlying: error, cost: cost)
      }
    }
  }

  /// A source of items, each with the cursor at which the feed goes on after it.
  ///
  /// - Parameters:
  ///   - cost: what it costs to load so many rows; by default, one query that returns them.
  ///   - rows: loads the rows after the last cursor, or the first ones, up to the limit; a row
  ///     without an item is left out of the page.
  public init(
    cost: @escaping @Sendable (_ rows: Int) -> PageCost = PageCost.ofQuery(returning:),
    rows:
      @escaping @Sendable (_ last: Cursor?, _ limit: Int) async throws -> [(
        item: Item?, cursor: Cursor
      )]
  ) {
    load = { last, limit in
      let rows = try await rows(last, limit)
      return Page(
        items: rows.compactMap(\.item), next: rows.count < limit ? nil : rows.last?.cursor,
        cost: cost(rows.count))
    }
  }

  /// Loads one page through the closure.
  ///
  /// - Parameters:
  ///   - cursor: the cursor of the last row of the page before, or nil for the first page.
  ///   - limit: the number of rows wanted.
  /// - Returns: the items; the page is the last if there were fewer rows than wanted.
  /// - Throws: what the closure throws, in a ``BilledFailure`` if the rows had been read by then.
  /// - Cost: one query, unless the source was made with another cost.
  public func page(after cursor: Cursor?, limit: Int) async throws -> Page<Item, Cursor> {
    try await load(cursor, limit)
  }
}
