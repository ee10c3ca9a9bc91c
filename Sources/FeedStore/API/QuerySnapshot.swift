import DocumentDatabase
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

  /// Nil for a first snapshot, in which all documents are added.
  private let changes: [DocumentChange]?

  init(
    query: Query, documents: [QueryDocumentSnapshot], metadata: SnapshotMetadata = .fromServer,
    changes: [DocumentChange]? = nil, billedReads: BilledReads
  ) {
    self.query = query
    self.documents = documents
    self.metadata = metadata
    self.changes = changes
    self.billedReads = billedReads
  }

  /// What changed since the snapshot before, in the order in which to apply it. In a first snapshot, and
  /// in the result of `getDocuments()`, all documents are added.
  public var documentChanges: [DocumentChange] { documentChanges(includeMetadataChanges: false) }

  /// What changed since the snapshot before, with or without documents of which only the metadata
  /// changed.
  ///
  /// - Parameter includeMetadataChanges: Whether to list those documents too, as modified; a listener
  ///   that did not ask for metadata changes can miss some, and in Firebase may not ask for them here.
  /// - Returns: The changes, in the order in which to apply them.
  public func documentChanges(includeMetadataChanges: Bool) -> [DocumentChange] {
    guard let changes else {
      return documents.enumerated().map { DocumentChange(.added, $1, from: nil, to: $0) }
    }
    return includeMetadataChanges ? changes : changes.filter { !$0.isMetadataOnly }
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
