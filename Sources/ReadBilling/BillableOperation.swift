/// One operation that Firestore bills, described by the counts its price depends on.
///
/// How the counts came about is not this module's business: an embedded store, the real SDK or a
/// calculation on paper may all fill them in. A count below zero is taken as zero.
public enum BillableOperation: Hashable, Sendable {
  /// A query that returned `returned` documents after an offset dropped `skipped` others, reading
  /// `indexEntries` index entries under filters and orders on `rangeFields` range fields.
  case query(returned: Int, skipped: Int, indexEntries: Int, rangeFields: Int)
  /// A look-up of one document by its name.
  case get(found: Bool)
  /// A count, sum or average (or several in one request) that read `indexEntries` index entries.
  case aggregation(indexEntries: Int)
  /// A change of a result that is listened to: documents that came in, that changed in it, and that
  /// left it because they changed. A document that was deleted, or that others pushed out of a limit,
  /// is not among them.
  case resultChange(added: Int, modified: Int, removed: Int)
  /// The check, when a transaction commits, of documents that it read and did not write.
  case verification(documents: Int)
  /// A query that was explained without being run.
  case explainPlan
}

extension BillableOperation {
  /// The documents that the operation handed to its caller.
  public var returned: Int {
    switch self {
    case .query(let returned, _, _, _): returned
    case .get(let found): found ? 1 : 0
    case .resultChange(let added, let modified, _): added + modified
    case .aggregation, .explainPlan, .verification: 0
    }
  }

  /// The documents that an offset dropped before the first one returned.
  public var skipped: Int {
    switch self {
    case .query(_, let skipped, _, _): skipped
    case .get, .aggregation, .explainPlan, .resultChange, .verification: 0
    }
  }
}
