package import DocumentDatabase
package import ReadBilling

/// The front door's only way to the database, so that no read goes unrecorded.
package struct MeteredDatabase: Sendable {
  let database: Database
  let meter: ReadMeter

  package init(_ database: Database, meter: ReadMeter) {
    self.database = database
    self.meter = meter
  }

  package var name: DatabaseName { database.name }

  /// Runs `query` and records what it is billed.
  package func run(
    _ query: StructuredQuery
  ) throws(FirestoreErrorCode) -> (result: QueryResult, receipt: ReadMeter.Receipt) {
    let result: QueryResult
    do throws(DatabaseError) { result = try database.run(query) } catch {
      throw FirestoreErrorCode(error)
    }
    let stats = result.stats
    let receipt = meter.book(
      stats.operation(isNamesOnly: query.select?.isEmpty ?? false),
      fingerprint: result.query.fingerprint, indexEntriesScanned: stats.indexEntriesScanned,
      path: query.from.pattern, query: { result.query.description },
      evidence: {
        var evidence = result.evidence(for: query, in: database)
        evidence.wasLookedAt = false
        return evidence
      })
    return (result, receipt)
  }

  /// Reads one document and records what it is billed, found or not.
  ///
  /// - Parameters:
  ///   - name: The document.
  ///   - isRetry: Whether it is read by a transaction that is run again.
  /// - Returns: The document; nil where there is none.
  package func get(_ name: DocumentName, isRetry: Bool = false) -> StoredDocument? {
    let document = database.get(name)
    let found = document != nil
    let pattern = name.parent.pattern + "/*"
    let text = "get \(pattern)"
    meter.record(
      isRetry ? .retriedGet(found: found) : .get(found: found), fingerprint: text.fingerprint,
      indexEntriesScanned: 0,
      path: pattern, query: { text },
      evidence: {
        document?.evidence ?? LedgerEntry.Evidence(answer: name.path.fingerprint)
      })
    return document
  }

  /// Computes `aggregations` over what `query` selects and records what that is billed.
  package func aggregate(
    _ query: StructuredQuery, _ aggregations: [Aggregation]
  ) throws(FirestoreErrorCode) -> (values: [String: Value], billed: BilledReads) {
    let result: AggregationResult
    do throws(DatabaseError) { result = try database.aggregate(query, aggregations) } catch {
      throw FirestoreErrorCode(error)
    }
    let canonical = try self.canonical(query)
    let operations = aggregations.map(\.alias).joined(separator: ", ")
    let entries = result.stats.indexEntriesScanned
    let billed = meter.record(
      .aggregation(indexEntries: entries),
      fingerprint: canonical.fingerprint ^ operations.fingerprint, indexEntriesScanned: entries,
      path: query.from.pattern, query: { "\(operations) of \(canonical.description)" })
    return (result.values, billed)
  }

  /// Applies all of `writes` or none. Writes are not reads, and are not recorded.
  package func commit(_ writes: [Write]) throws(FirestoreErrorCode) {
    do throws(DatabaseError) { try database.commit(writes) } catch {
      throw FirestoreErrorCode(error)
    }
  }

  /// What `query` means, its complete order above all.
  package func canonical(
    _ query: StructuredQuery
  ) throws(FirestoreErrorCode) -> CanonicalQuery {
    do throws(DatabaseError) { return try database.canonical(query) } catch {
      throw FirestoreErrorCode(error)
    }
  }
}

extension ExecutionStats {
  fileprivate func operation(isNamesOnly: Bool) -> BillableOperation {
    isNamesOnly
      ? .namesQuery(
        returned: resultsReturned, skipped: resultsSkipped, indexEntries: indexEntriesScanned,
        rangeFields: rangeFields)
      : .query(
        returned: resultsReturned, skipped: resultsSkipped, indexEntries: indexEntriesScanned,
        rangeFields: rangeFields)
  }
}

extension StructuredQuery.CollectionSelector {
  /// The path with `*` for each document id, so that all users' posts are one line of the ledger.
  var pattern: String {
    switch self {
    case .collection(let name): name.pattern
    case .collectionGroup(let id): "**/\(id)"
    }
  }
}

extension CollectionName {
  var pattern: String {
    guard let parent else { return path }
    return "\(parent.parent.pattern)/*/\(id)"
  }
}

extension String {
  /// FNV-1a over the bytes: the same in every run, which `Hasher` is not.
  var fingerprint: UInt64 {
    utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
