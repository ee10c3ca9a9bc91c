/// A page source over a query.
///
/// Every page is recorded by the read meter of the query's database, and says what it cost. The
/// query's own limit is replaced by that of the page, except where a source says otherwise.
public protocol QueryPageSource<Item>: PageSource {
  /// Makes a source from a query and a closure that makes an item of a document.
  ///
  /// - Parameters:
  ///   - query: The query whose results are paged.
  ///   - decode: Makes an item of a document; if it throws, so does the page.
  init(_ query: Query, decode: @escaping @Sendable (QueryDocumentSnapshot) throws -> Item)
}

extension QueryPageSource where Item: Decodable {
  /// Makes a source of decodable items.
  ///
  /// - Parameters:
  ///   - query: The query whose results are paged.
  ///   - type: The type to decode each document as.
  public init(_ query: Query, as type: Item.Type = Item.self) {
    self.init(query) { try $0.data(as: Item.self) }
  }
}

/// What all sources do: run a query, book it, decode what it returned.
struct QueryReader<Item: Sendable>: Sendable {
  let query: Query
  let decode: @Sendable (QueryDocumentSnapshot) throws -> Item

  /// What one query returned, not decoded yet.
  struct Rows {
    var documents: [QueryDocumentSnapshot]
    var cost: PageCost
  }

  /// Runs `query`, after queries of the same page that cost `spent`.
  ///
  /// - Throws: What the query throws, as a `BilledFailure` if something was spent before.
  func rows(of query: Query, spent: PageCost = PageCost()) async throws -> Rows {
    do {
      let snapshot = try await query.getDocuments()
      let cost = PageCost(queries: 1, reads: snapshot.billedReads)
      return Rows(documents: snapshot.documents, cost: spent + cost)
    } catch {
      guard spent.queries > 0 else { throw error }
      throw BilledFailure(underlying: error, cost: spent)
    }
  }

  /// Counts what the query returns.
  func count() async throws -> (total: Int, cost: PageCost) {
    let snapshot = try await query.count.getAggregation(source: .server)
    return (snapshot.count.intValue, PageCost(queries: 1, reads: snapshot.billedReads))
  }

  /// Makes items of `documents`, which were billed with `cost`.
  ///
  /// - Throws: A `BilledFailure` if a document does not decode.
  func items(
    _ documents: some Collection<QueryDocumentSnapshot>, cost: PageCost
  ) throws -> [Item] {
    do { return try documents.map(decode) } catch {
      throw BilledFailure(underlying: error, cost: cost)
    }
  }
}
