public import ReadBilling

/// The documents that a query returned.
public final class QuerySnapshot: Sendable {
  /// The query that was run.
  public let query: Query
  /// Where the documents come from.
  public let metadata: SnapshotMetadata
  /// The documents, in the query's order.
  public let documents: [QueryDocumentSnapshot]
  /// What this result was billed, and why.
  public let billedReads: BilledReads

  init(query: Query, documents: [QueryDocumentSnapshot], billedReads: BilledReads) {
    self.query = query
    self.documents = documents
    self.billedReads = billedReads
    metadata = .fromServer
  }

  /// What the client's cache has, which is nothing, and costs nothing.
  init(fromCache query: Query) {
    self.query = query
    documents = []
    billedReads = BilledReads()
    metadata = .fromCache
  }

  /// Whether no document was returned.
  public var isEmpty: Bool { documents.isEmpty }
  /// The number of documents.
  public var count: Int { documents.count }
}

extension QuerySnapshot: Hashable {
  /// Whether both have the same documents for the same query.
  public static func == (left: QuerySnapshot, right: QuerySnapshot) -> Bool {
    left.query == right.query && left.metadata == right.metadata
      && left.documents == right.documents
  }

  /// Feeds the query and its documents to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(query)
    hasher.combine(documents)
  }
}
