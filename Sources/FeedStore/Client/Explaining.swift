import DocumentDatabase
import ReadBilling

extension MeteredQuery {
  /// Explains how the query is answered, and with `analyze` runs it and counts what that takes.
  ///
  /// - Parameter analyze: Whether to run the query.
  /// - Returns: The explanation, with the documents where the query was run.
  /// - Throws: `FirestoreErrorCode` as the query itself.
  /// - Cost: One read for the plan; with `analyze` what the query costs, and nothing more.
  ///
  /// Source: https://firebase.google.com/docs/firestore/query-explain
  public func explain(analyze: Bool = false) async throws -> ExplainResults<QuerySnapshot> {
    let database = query.firestore.database
    let request = try query.request.get()
    let canonical = try query.canonical()
    let plan = try database.planSummary(of: canonical)
    guard analyze else {
      let billed = database.recordPlan(of: canonical)
      return ExplainResults(
        metrics: ExplainMetrics(planSummary: plan, executionStats: nil, billedReads: billed))
    }
    let clock = ContinuousClock()
    let start = clock.now
    let (result, receipt) = try database.run(canonical)
    let billed = receipt.reads
    let duration = clock.now - start
    let stats = ExplainMetrics.ExecutionStats(
      resultsReturned: result.stats.resultsReturned, executionDuration: duration,
      readOperations: billed.total, documentsScanned: result.stats.documentsScanned,
      indexEntriesScanned: result.stats.indexEntriesScanned,
      billingDetails: .init(BillableOperation(result.stats), billed))
    let metadata = SnapshotMetadata.fromServer(receipt, of: query.firestore.readMeter)
    var documents = result.snapshots(in: query.firestore, metadata)
    if request.takesLast { documents.reverse() }
    return ExplainResults(
      metrics: ExplainMetrics(planSummary: plan, executionStats: stats, billedReads: billed),
      snapshot: QuerySnapshot(
        query: query, documents: documents, metadata: metadata, billedReads: billed))
  }
}

extension AggregateQuery {
  /// What Firestore's server can do and Firebase's clients cannot.
  public var metered: MeteredAggregateQuery { MeteredAggregateQuery(query: self) }
}

/// The server's options of an aggregate query that Firebase's clients do not offer.
public struct MeteredAggregateQuery: Sendable {
  let query: AggregateQuery

  /// Explains how the aggregates are computed, and with `analyze` computes them and counts what that
  /// takes.
  ///
  /// - Parameter analyze: Whether to compute the aggregates.
  /// - Returns: The explanation, with the values where they were computed.
  /// - Throws: `FirestoreErrorCode` as the query itself.
  /// - Cost: One read for the plan; with `analyze` what the query costs, and nothing more.
  ///
  /// Source: https://firebase.google.com/docs/firestore/query-explain
  public func explain(
    analyze: Bool = false
  ) async throws -> ExplainResults<AggregateQuerySnapshot> {
    let database = query.query.firestore.database
    let canonical = try query.query.canonical(forAggregation: true)
    let aggregations = try query.aggregations()
    let plan = try database.planSummary(
      of: canonical, aggregating: aggregations.compactMap(\.field))
    guard analyze else {
      let billed = database.recordPlan(of: canonical)
      return ExplainResults(
        metrics: ExplainMetrics(planSummary: plan, executionStats: nil, billedReads: billed))
    }
    let clock = ContinuousClock()
    let start = clock.now
    let (result, billed) = try database.aggregate(canonical, aggregations)
    let duration = clock.now - start
    let entries = result.stats.indexEntriesScanned
    let stats = ExplainMetrics.ExecutionStats(
      resultsReturned: 1, executionDuration: duration, readOperations: billed.total,
      documentsScanned: result.stats.documentsScanned, indexEntriesScanned: entries,
      billingDetails: .init(.aggregation(indexEntries: entries), billed))
    return ExplainResults(
      metrics: ExplainMetrics(planSummary: plan, executionStats: stats, billedReads: billed),
      snapshot: AggregateQuerySnapshot(query: query, values: result.values, billedReads: billed))
  }
}

extension MeteredDatabase {
  /// How `query` is answered.
  ///
  /// - Throws: `.failedPrecondition` where a strict policy refuses it.
  fileprivate func planSummary(
    of query: CanonicalQuery, aggregating fields: [FieldReference] = []
  ) throws(FirestoreErrorCode) -> ExplainMetrics.PlanSummary {
    try indexGuard.check(query, aggregating: fields)
    let declared = indexGuard.policy.indexes
    let requirement = IndexRequirement(
      of: query, in: declared.configuration, aggregating: fields)
    // A limit does not end the scan early where documents without the aggregated fields drop out.
    let scanned =
      fields.isEmpty
      ? query
      : try canonical(
        query.prepared, from: query.start, to: query.end, offset: query.offset, limit: nil)
    let entries: Int
    do throws(DatabaseError) { entries = try database.indexEntriesAtMost(scanned) } catch {
      throw FirestoreErrorCode(error)
    }
    return ExplainMetrics.PlanSummary(
      indexesUsed: requirement.used.map { index in
        .init(
          queryScope: index.scope == .collection ? "Collection" : "Collection group",
          properties: index.description)
      },
      missingIndexes: declared.entries(adding: requirement.missing), indexEntriesAtMost: entries)
  }

  /// Records that `query` was explained without being run.
  fileprivate func recordPlan(of query: CanonicalQuery) -> BilledReads {
    let text = "explain \(query.description)"
    return meter.record(
      .explainPlan, fingerprint: text.fingerprint, indexEntriesScanned: 0, path: query.from.pattern,
      query: { text })
  }
}

extension BillableOperation {
  /// A query that took `stats`.
  init(_ stats: DocumentDatabase.ExecutionStats, isNamesOnly: Bool = false) {
    let (returned, skipped) = (stats.resultsReturned, stats.resultsSkipped)
    let (entries, fields) = (stats.indexEntriesScanned, stats.rangeFields)
    self =
      isNamesOnly
      ? .namesQuery(
        returned: returned, skipped: skipped, indexEntries: entries, rangeFields: fields)
      : .query(returned: returned, skipped: skipped, indexEntries: entries, rangeFields: fields)
  }
}
