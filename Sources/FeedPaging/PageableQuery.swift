/// A query of Firebase's shape: what paging needs of it, under Firebase's own names, so that the SDK's
/// `Query` conforms as it is. An app that links the SDK writes one line:
///
/// ```swift
/// extension FirebaseFirestore.Query: @retroactive PageableQuery {}
/// ```
///
/// A query that only knows completion closures conforms to ``CompletionPageableQuery``.
public protocol PageableQuery: Sendable {
  /// The query with a limit or a start: the same class as a rule, not that of a collection.
  associatedtype Narrowed: PageableQuery
  where
    Narrowed.Narrowed == Narrowed, Narrowed.Document == Document, Narrowed.Results == Results
  /// A document, which is its own cursor.
  associatedtype Document: Sendable
  /// What running the query returns.
  associatedtype Results: Sendable

  /// The query for at most the first `limit` documents.
  func limit(to limit: Int) -> Narrowed
  /// The query for the documents after this one.
  func start(afterDocument document: Document) -> Narrowed
  /// Runs the query.
  func getDocuments() async throws -> Results
}

/// A query of Firebase's shape that answers through completion closures.
public protocol CompletionPageableQuery: PageableQuery {
  /// What running the query returns.
  associatedtype Results
  /// Runs the query; `completion` receives its results or an error.
  func getDocuments(completion: @escaping (Results?, (any Error)?) -> Void)
}

extension CompletionPageableQuery {
  /// Runs the query, and waits for its completion closure.
  ///
  /// - Returns: What the closure received.
  /// - Throws: The error that it received; ``NeitherResultsNorError`` where it received nothing.
  public func getDocuments() async throws -> Results {
    try await withCheckedThrowingContinuation { continuation in
      getDocuments { results, error in
        switch (results, error) {
        case (_, let error?): continuation.resume(throwing: error)
        case (let results?, nil): continuation.resume(returning: results)
        case (nil, nil): continuation.resume(throwing: NeitherResultsNorError())
        }
      }
    }
  }
}

/// A completion closure was called with neither results nor an error.
public struct NeitherResultsNorError: Error, Hashable, CustomStringConvertible {
  /// What happened.
  public var description: String {
    "The query called its completion closure with neither results nor an error."
  }
}

/// The pages of a query of Firebase's shape: each starts after the last document of the page before.
///
/// ```swift
/// let query = Firestore.firestore().collection("posts").order(by: "createdAt", descending: true)
/// let source = PageableQuerySource(query) { $0.documents } item: { try $0.data(as: Post.self) }
/// let feed = FeedViewModel(source: source)
/// ```
///
/// The same lines make the same feed of this package's queries and, with one line that adopts
/// ``PageableQuery``, of the SDK's.
public struct PageableQuerySource<Query: PageableQuery, Item: Sendable>: PageSource {
  private let source: CursorSource<Item, Query.Document>

  /// A source of the pages of a query.
  ///
  /// - Parameters:
  ///   - query: the query whose results are paged; its own limit is replaced by that of the page.
  ///   - documents: takes the documents out of results.
  ///   - cost: what it costs to load so many documents; by default, one query that returns them.
  ///   - item: makes an item of a document; nil leaves the document out.
  public init(
    _ query: Query, documents: @escaping @Sendable (Query.Results) -> [Query.Document],
    cost: @escaping @Sendable (_ documents: Int) -> PageCost = PageCost.ofQuery(returning:),
    item: @escaping @Sendable (Query.Document) throws -> Item?
  ) {
    source = CursorSource(
      cost: cost,
      documents: { last, limit in
        let page =
          last.map { query.start(afterDocument: $0).limit(to: limit) } ?? query.limit(to: limit)
        return documents(try await page.getDocuments())
      }, item: item)
  }

  /// Loads one page.
  ///
  /// - Parameters:
  ///   - cursor: the last document of the page before, or nil for the first page.
  ///   - limit: the number of documents wanted.
  /// - Returns: the items; the page is the last if there were fewer documents than wanted.
  /// - Throws: what the query throws; a ``BilledFailure`` if a document becomes no item.
  /// - Cost: one query, unless the source was made with another cost.
  public func page(
    after cursor: Query.Document?, limit: Int
  ) async throws -> Page<Item, Query.Document> {
    try await source.page(after: cursor, limit: limit)
  }
}
