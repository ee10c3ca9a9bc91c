/// One operation that Firestore bills, described by the counts its price depends on.
///
/// How the counts came about is not this module's business: an embedded store, the real SDK or a
/// calculation on paper may all fill them in. A count below zero is taken as zero.
public enum BillableOperation: Hashable, Sendable {
  /// A query that returned `returned` documents after an offset dropped `skipped` others, reading
  /// `indexEntries` index entries under filters and orders on `rangeFields` range fields.
  case query(returned: Int, skipped: Int, indexEntries: Int, rangeFields: Int)
  /// A query that selected no field, so that it returned the names of its documents alone.
  case namesQuery(returned: Int, skipped: Int, indexEntries: Int, rangeFields: Int)
  /// A search for the nearest vectors.
  case nearest(returned: Int, vectorIndexEntries: Int)
  /// A look-up of one document by its name.
  case get(found: Bool)
  /// A look-up by a transaction that is being run again.
  case retriedGet(found: Bool)
  /// The check, when a transaction of a mobile client commits, of documents it read and did not
  /// write.
  case verification(documents: Int)
  /// A count, sum or average (or several in one request) that read `indexEntries` index entries.
  case aggregation(indexEntries: Int)
  /// The first result of a listener.
  case listenStart(returned: Int, indexEntries: Int, rangeFields: Int)
  /// A listener on a query to which another listener of the same client is listening already.
  case listenShared(returned: Int)
  /// What a listener was told after its first result, in one snapshot.
  case listenChange(ListenerChanges)
  /// A listener that came back after its connection was lost.
  case listenResume(ListenerResumption)
  /// An answer from the client's own cache, without a request.
  case cached(returned: Int)
  /// The different documents that security rules looked up for one request.
  case ruleLookups(documents: Int)
  /// The answer to one request for the ids of collections.
  case listCollectionIDs(ids: Int)
  /// A list of the documents of a collection; `missing` are those that exist only as parents.
  case listDocuments(returned: Int, missing: Int)
  /// A request that divides a query into parts.
  case partitionQuery
  /// A query that was explained and not run; an analysed query is billed as the query itself.
  case explainPlan
  /// An export of documents.
  case export(documents: Int)
  /// A bulk delete, of which the deletes themselves are no reads.
  case bulkDelete(documents: Int)
}

/// What one snapshot told a listener, by what it is billed for.
public struct ListenerChanges: Hashable, Sendable {
  /// Documents that entered the result because they were created or changed.
  public var added: Int
  /// Documents that changed and stayed in the result.
  public var modified: Int
  /// Documents that left the result because they changed.
  public var removedByChange: Int
  /// Documents that left the result because they were deleted.
  public var removedByDeletion: Int
  /// Documents that did not change and took the place of another in a limited result.
  public var refilled: Int
  /// Documents that did not change and were pushed out of a limited result.
  public var pushedOut: Int
  /// Of the documents added, modified or removed by a change, those that this client wrote itself.
  public var ownWrites: Int
  /// Documents of which only the metadata changed.
  public var metadataOnly: Int

  /// What one snapshot told a listener.
  public init(
    added: Int = 0, modified: Int = 0, removedByChange: Int = 0, removedByDeletion: Int = 0,
    refilled: Int = 0, pushedOut: Int = 0, ownWrites: Int = 0, metadataOnly: Int = 0
  ) {
    self.added = added
    self.modified = modified
    self.removedByChange = removedByChange
    self.removedByDeletion = removedByDeletion
    self.refilled = refilled
    self.pushedOut = pushedOut
    self.ownWrites = ownWrites
    self.metadataOnly = metadataOnly
  }
}

/// How a listener came back, and to what.
public struct ListenerResumption: Hashable, Sendable {
  /// How long the connection was lost.
  public var offline: Duration
  /// Whether the client had kept the result in a cache that outlives the connection.
  public var hasPersistentCache: Bool
  /// The documents of the whole result now.
  public var returned: Int
  /// The index entries that reading the whole result takes.
  public var indexEntries: Int
  /// The query's range fields.
  public var rangeFields: Int
  /// What changed meanwhile.
  public var changes: ListenerChanges

  /// How a listener came back, and to what.
  public init(
    offline: Duration, hasPersistentCache: Bool, returned: Int, indexEntries: Int = 0,
    rangeFields: Int = 0, changes: ListenerChanges = ListenerChanges()
  ) {
    self.offline = offline
    self.hasPersistentCache = hasPersistentCache
    self.returned = returned
    self.indexEntries = indexEntries
    self.rangeFields = rangeFields
    self.changes = changes
  }
}

extension BillableOperation {
  /// What kind of operation it is, in a word or two.
  public var name: String {
    switch self {
    case .query: "query"
    case .namesQuery: "query for names"
    case .nearest: "nearest vectors"
    case .get: "get"
    case .retriedGet: "get, retried"
    case .verification: "verification"
    case .aggregation: "aggregation"
    case .listenStart: "listener"
    case .listenShared: "listener, shared"
    case .listenChange: "listener, changes"
    case .listenResume: "listener, resumed"
    case .cached: "cache"
    case .ruleLookups: "rule look-ups"
    case .listCollectionIDs: "collection ids"
    case .listDocuments: "list of documents"
    case .partitionQuery: "partition query"
    case .explainPlan: "explain"
    case .export: "export"
    case .bulkDelete: "bulk delete"
    }
  }

  /// The documents that the operation handed to its caller.
  public var returned: Int {
    switch self {
    case .query(let returned, _, _, _), .namesQuery(let returned, _, _, _),
      .nearest(let returned, _), .listenStart(let returned, _, _), .listenShared(let returned),
      .cached(let returned), .listDocuments(let returned, _):
      returned
    case .get(let found), .retriedGet(let found): found ? 1 : 0
    case .listenChange(let changes): changes.delivered
    case .listenResume(let resumption): resumption.changes.delivered
    case .aggregation, .verification, .ruleLookups, .listCollectionIDs, .partitionQuery,
      .explainPlan, .export, .bulkDelete:
      0
    }
  }

  /// The documents that an offset dropped before the first one returned.
  public var skipped: Int {
    switch self {
    case .query(_, let skipped, _, _), .namesQuery(_, let skipped, _, _): skipped
    default: 0
    }
  }

  /// Whether the operation asks the server something, so that security rules are evaluated.
  ///
  /// They are when a listener starts, comes back or hears of something, and not for another one on
  /// the same query, nor for what never leaves the client.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing>
  var isSubjectToRules: Bool {
    switch self {
    case .query, .namesQuery, .nearest, .get, .retriedGet, .aggregation, .listenStart,
      .listenResume, .listDocuments:
      true
    case .listenChange(let changes): changes.delivered + changes.removedByChange > 0
    case .verification, .listenShared, .cached, .ruleLookups, .listCollectionIDs,
      .partitionQuery, .explainPlan, .export, .bulkDelete:
      false
    }
  }
}

extension ListenerChanges {
  /// The documents that were sent with their content.
  var delivered: Int { max(0, added) + max(0, modified) + max(0, refilled) }
}
