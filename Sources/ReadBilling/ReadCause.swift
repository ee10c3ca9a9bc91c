/// Why a read is on the bill.
public enum ReadCause: String, CaseIterable, Codable, Hashable, Sendable {
  /// A document that a query returned, or that was in a listener's first result.
  case documentsReturned = "documents returned"
  /// A document that an offset dropped.
  case documentsSkipped = "documents skipped"
  /// A batch of up to 1,000 index entries, read by a query with several range fields.
  case indexEntries = "index entries"
  /// A batch of up to 100 entries of a vector index, read by a search for the nearest vectors.
  case vectorIndexEntries = "vector index entries"
  /// The one read that a query costs when nothing else of it is billed.
  case minimum = "minimum"
  /// A look-up by name that found its document.
  case documentFound = "document found"
  /// A look-up by name that found nothing.
  case documentMissing = "document missing"
  /// A batch of up to 1,000 index entries, read by a count, sum or average.
  case aggregation = "aggregation"
  /// A document that entered a listener's result, changed in it, or left it because it changed.
  case liveChange = "live change"
  /// A document that a listener was sent, or charged for, when its connection came back.
  case resumed = "resumed"
  /// A look-up by a transaction that was run again because somebody else wrote.
  case transactionRetry = "transaction retry"
  /// A document that a transaction read, did not write, and had verified when it committed.
  case verification = "verification"
  /// A document that security rules looked up.
  case ruleLookup = "rule look-up"
  /// A request that lists something other than documents.
  case listing = "listing"
  /// A query that was explained and not run.
  case explainedPlan = "explained plan"
  /// A document that was exported.
  case documentsExported = "documents exported"
  /// A batch of up to 1,000 documents, deleted in bulk.
  case bulkDelete = "bulk delete"
  /// Whatever was read for a load whose answer came too late, was cancelled or failed.
  case wasted = "wasted by a stale load"
}

extension ReadCause {
  /// The place among all causes, in the order of their declaration.
  var position: Int {
    switch self {
    case .documentsReturned: 0
    case .documentsSkipped: 1
    case .indexEntries: 2
    case .vectorIndexEntries: 3
    case .minimum: 4
    case .documentFound: 5
    case .documentMissing: 6
    case .aggregation: 7
    case .liveChange: 8
    case .resumed: 9
    case .transactionRetry: 10
    case .verification: 11
    case .ruleLookup: 12
    case .listing: 13
    case .explainedPlan: 14
    case .documentsExported: 15
    case .bulkDelete: 16
    case .wasted: 17
    }
  }
}
