package import FeedStore

/// A way to ask for the next page of a feed.
package enum PagingStrategy: String, CaseIterable, Sendable {
  case documentCursor = "document-cursor"
  case pageToken = "page-token"
  case valueCursor = "value-cursor"
  case extraRow = "extra-row"
  case offset
  case pageNumber = "page-number"
  case growingLimit = "growing-limit"
  case wholeCollection = "whole-collection"

  /// How it asks, in a few words.
  package var summary: String {
    switch self {
    case .documentCursor: "start after the last document shown"
    case .pageToken: "a document cursor as opaque text, as a server hands out"
    case .valueCursor: "start after the last document's value; ties at a page's edge are skipped"
    case .extraRow:
      "a document cursor that reads one row more to learn whether another page follows"
    case .offset: "skip the rows shown so far; every skipped row is billed"
    case .pageNumber: "an offset by page number, with a count to know the last page"
    case .growingLimit: "ask for all rows so far and one page more, and replace the list"
    case .wholeCollection: "read everything at once"
    }
  }

  /// Pages of document ids by this strategy.
  package func source(for query: Query) -> AnyPageSource<String> {
    source(for: query) { $0.documentID }
  }

  /// Pages of what `decode` makes of documents by this strategy.
  func source<Item: Sendable>(
    for query: Query, decode: @escaping @Sendable (QueryDocumentSnapshot) throws -> Item
  ) -> AnyPageSource<Item> {
    switch self {
    case .documentCursor: AnyPageSource(DocumentCursorSource(query, decode: decode))
    case .pageToken: AnyPageSource(PageTokenSource(query, decode: decode))
    case .valueCursor: AnyPageSource(ValueCursorSource(query, decode: decode))
    case .extraRow: AnyPageSource(ExtraRowSource(query, decode: decode))
    case .offset: AnyPageSource(OffsetSource(query, countsTotal: false, decode: decode))
    case .pageNumber: AnyPageSource(PageNumberSource(query, decode: decode))
    case .growingLimit: AnyPageSource(GrowingLimitSource(query, decode: decode))
    case .wholeCollection: AnyPageSource(WholeCollectionSource(query, decode: decode))
    }
  }
}
