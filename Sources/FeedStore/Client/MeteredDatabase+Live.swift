import DocumentDatabase
import ReadBilling

// What is listened to is billed like a query when it starts, and then by what changes in its result.

extension MeteredDatabase {
  /// Runs the query that a listener starts with, or comes back to after so long, and records what that
  /// is billed.
  func start(
    _ target: inout LiveTarget, after lost: LostConnection? = nil
  ) throws(FirestoreErrorCode) -> (result: QueryResult, billed: BilledReads) {
    let run = target.request.run
    let query = try canonical(run)
    if target.request.document == nil { try indexGuard.check(query) }
    let result = try rerun(query)
    let stats = result.stats
    target.fingerprint = query.fingerprint
    let operation: BillableOperation =
      if let lost {
        .listenResume(
          ListenerResumption(
            offline: lost.duration, hasPersistentCache: lost.keptCache,
            returned: stats.resultsReturned, indexEntries: stats.indexEntriesScanned,
            rangeFields: stats.rangeFields))
      } else {
        .listenStart(
          returned: stats.resultsReturned, indexEntries: stats.indexEntriesScanned,
          rangeFields: stats.rangeFields)
      }
    let billed = record(
      operation, of: target, indexEntriesScanned: stats.indexEntriesScanned,
      evidence: { result.evidence(for: query, in: database) })
    return (result, billed)
  }

  /// Runs a query whose documents are recorded by other means.
  func rerun(_ query: StructuredQuery) throws(FirestoreErrorCode) -> QueryResult {
    try rerun(try canonical(query))
  }

  private func rerun(_ query: CanonicalQuery) throws(FirestoreErrorCode) -> QueryResult {
    do throws(DatabaseError) { return try database.run(query) } catch {
      throw FirestoreErrorCode(error)
    }
  }

  /// Records `operation` for what is listened to.
  @discardableResult
  func record(
    _ operation: BillableOperation, of target: LiveTarget, indexEntriesScanned: Int = 0,
    evidence: () -> LedgerEntry.Evidence = { LedgerEntry.Evidence() }
  ) -> BilledReads {
    // Whoever writes causes a change, but the listener pays for it: the label is the listener's.
    ReadMeter.relabel(target.label) {
      meter.record(
        operation, fingerprint: target.fingerprint, indexEntriesScanned: indexEntriesScanned,
        path: target.request.run.from.pattern, query: { target.request.text }, evidence: evidence)
    }
  }

  /// Records an answer from the cache, which is free.
  func recordCached(_ query: StructuredQuery, returned: Int) {
    meter.record(
      .cached(returned: returned), fingerprint: "cache".fingerprint, indexEntriesScanned: 0,
      path: query.from.pattern, query: { "\(query.from.pattern) from the cache" })
  }

  /// Records a document from the cache, which is free.
  func recordCached(_ name: DocumentName) {
    let pattern = name.parent.pattern + "/*"
    meter.record(
      .cached(returned: 1), fingerprint: "cache".fingerprint, indexEntriesScanned: 0,
      path: pattern, query: { "get \(pattern) from the cache" })
  }

  /// Applies all of `writes`, or none, unless one of the documents read has changed; records the check
  /// of those that are not written.
  func commit(
    _ writes: [Write], verifying reads: [DocumentVersion]
  ) throws(FirestoreErrorCode) {
    let written = Set(writes.map(\.document))
    let unwritten = reads.count { !written.contains($0.name) }
    if unwritten > 0 {
      let text = "verify in a transaction"
      meter.record(
        .verification(documents: unwritten), fingerprint: text.fingerprint, indexEntriesScanned: 0,
        path: "**", query: { text })
    }
    do throws(DatabaseError) { try database.commit(writes, verifying: reads) } catch {
      throw FirestoreErrorCode(error)
    }
  }
}

/// How a listener was without the network.
struct LostConnection {
  var duration: Duration
  /// Whether the result was kept in a cache that outlives the connection.
  var keptCache: Bool

  /// Whether the listener goes on where it was, instead of asking for the whole result again.
  var isResumable: Bool { keptCache && duration <= BillingRules.resumptionLimit }
}
