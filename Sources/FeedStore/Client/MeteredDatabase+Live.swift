import DocumentDatabase
import ReadBilling

// What is listened to is billed like a query when it starts, and then by what changes in its result.

extension MeteredDatabase {
  /// Runs the query that a listener starts with, and records what that is billed.
  func start(
    _ target: LiveTarget.Request
  ) throws(FirestoreErrorCode) -> (result: QueryResult, billed: BilledReads) {
    if target.document == nil { try indexGuard.check(try canonical(target.run)) }
    let result = try rerun(target.run)
    let stats = result.stats
    let operation: BillableOperation =
      target.document == nil
      ? BillableOperation(stats) : .get(found: stats.resultsReturned > 0)
    return (result, record(operation, of: target, indexEntriesScanned: stats.indexEntriesScanned))
  }

  /// Runs a query whose documents are recorded by other means.
  func rerun(_ query: StructuredQuery) throws(FirestoreErrorCode) -> QueryResult {
    do throws(DatabaseError) { return try database.run(query) } catch {
      throw FirestoreErrorCode(error)
    }
  }

  /// Records `operation` for what is listened to.
  @discardableResult
  func record(
    _ operation: BillableOperation, of target: LiveTarget.Request, indexEntriesScanned: Int = 0
  ) -> BilledReads {
    meter.record(
      operation, fingerprint: target.text.fingerprint, indexEntriesScanned: indexEntriesScanned,
      path: target.run.from.pattern, query: { target.text })
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
