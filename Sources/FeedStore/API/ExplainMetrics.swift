public import ReadBilling

/// How a query is answered and what that takes, in the terms of Query Explain.
///
/// Source: https://firebase.google.com/docs/firestore/query-explain
public struct ExplainMetrics: Hashable, Sendable {
  /// How production answers the query.
  public var planSummary: PlanSummary
  /// What running the query took; nil unless it was run.
  public var executionStats: ExecutionStats?
  /// What the explanation itself was billed: one read for a plan, for an analysis the query's own.
  public var billedReads: BilledReads

  /// The indexes that answer a query.
  public struct PlanSummary: Hashable, Sendable {
    /// Those that production uses, the missing ones included. Here one index stands for several that
    /// production merges, which changes no bill but that of an aggregation.
    public var indexesUsed: [Index]
    /// Those of them that `Firestore.indexes` does not declare, as entries to paste.
    public var missingIndexes: FirestoreIndexes
    /// The most index entries that running the query now can read.
    public var indexEntriesAtMost: Int
  }

  /// One index.
  public struct Index: Hashable, Sendable {
    /// `Collection` or `Collection group`.
    public var queryScope: String
    /// Its parts, such as `(age ASC, __name__ ASC)`.
    public var properties: String
  }

  /// What running a query took.
  public struct ExecutionStats: Hashable, Sendable {
    /// The documents returned, or the one result of an aggregation.
    public var resultsReturned: Int
    /// How long it took here, which says nothing about production.
    public var executionDuration: Duration
    /// The reads billed.
    public var readOperations: Int
    /// The documents read to return them, or to test them against a filter.
    public var documentsScanned: Int
    /// The index entries read.
    public var indexEntriesScanned: Int
    /// What the reads are billed for.
    public var billingDetails: BillingDetails
  }

  /// What the reads of a query are billed for.
  public struct BillingDetails: Hashable, Sendable {
    /// The documents returned and those that an offset skipped.
    public var documentsBillable: Int
    /// The index entries that are billed, a thousand to a read.
    public var indexEntriesBillable: Int
    /// The one read that a query costs when nothing else of it is billed.
    public var minimumQueryCost: Int
  }
}

/// An explanation and, where the query was run for it, what it returned.
public struct ExplainResults<Snapshot: Sendable>: Sendable {
  /// The plan and the counts.
  public var metrics: ExplainMetrics
  /// The result of the query; nil unless it was run.
  public var snapshot: Snapshot?
}

extension ExplainMetrics.BillingDetails {
  init(_ operation: BillableOperation, _ reads: BilledReads) {
    documentsBillable = reads[.documentsReturned] + reads[.documentsSkipped]
    minimumQueryCost = reads[.minimum]
    switch operation {
    case .query(_, _, let entries, _): indexEntriesBillable = reads[.indexEntries] > 0 ? entries : 0
    case .aggregation(let entries): indexEntriesBillable = entries
    default: indexEntriesBillable = 0
    }
    if case .aggregation(0) = operation { minimumQueryCost = reads.total }
  }
}
