package import DocumentDatabase
package import ReadBilling

/// The front door's only way to the database, so that no read goes unrecorded.
package struct MeteredDatabase: Sendable {
  package let database: Database
  let meter: ReadMeter
  let indexGuard: IndexGuard
  let assumptionGuard = AssumptionGuard()

  package init(_ database: Database, meter: ReadMeter, indexes: IndexPolicy = .noting) {
    self.database = database
    self.meter = meter
    indexGuard = IndexGuard(indexes)
  }

  package var name: DatabaseName { database.name }

  /// Runs `query` and records what it is billed.
  package func run(
    _ query: StructuredQuery
  ) throws(FirestoreErrorCode) -> (result: QueryResult, receipt: ReadMeter.Receipt) {
    try run(try canonical(query))
  }

  /// Runs `query` and records what it is billed.
  package func run(
    _ query: CanonicalQuery
  ) throws(FirestoreErrorCode) -> (result: QueryResult, receipt: ReadMeter.Receipt) {
    try indexGuard.check(query)
    let result: QueryResult
    do throws(DatabaseError) { result = try database.run(query) } catch {
      throw FirestoreErrorCode(error)
    }
    let stats = result.stats
    let receipt = meter.book(
      BillableOperation(stats, isNamesOnly: query.isNamesOnly),
      fingerprint: query.fingerprint, indexEntriesScanned: stats.indexEntriesScanned,
      path: query.from.pattern, query: { query.description },
      note: { indexNote(query) },
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
  /// - Throws: `FirestoreErrorCode` where the files are found to be damaged.
  package func get(
    _ name: DocumentName, isRetry: Bool = false
  ) throws(FirestoreErrorCode) -> StoredDocument? {
    let document: StoredDocument?
    do throws(DatabaseError) { document = try database.get(name) } catch {
      throw FirestoreErrorCode(error)
    }
    let found = document != nil
    let collection = name.parent
    meter.record(
      isRetry ? .retriedGet(found: found) : .get(found: found),
      fingerprint: MeteredDatabase.fingerprint(ofGetIn: collection), indexEntriesScanned: 0,
      path: collection.pattern + "/*", query: { "get \(collection.pattern)/*" },
      evidence: {
        document?.evidence ?? LedgerEntry.Evidence(answer: name.path.fingerprint)
      })
    return document
  }

  /// Computes `aggregations` over what `query` selects and records what that is billed.
  package func aggregate(
    _ query: StructuredQuery, _ aggregations: [Aggregation]
  ) throws(FirestoreErrorCode) -> (values: AggregateValues, billed: BilledReads) {
    let (result, billed) = try aggregate(try canonical(query), aggregations)
    return (result.values, billed)
  }

  func aggregate(
    _ query: CanonicalQuery, _ aggregations: [Aggregation]
  ) throws(FirestoreErrorCode) -> (result: AggregationResult, billed: BilledReads) {
    let fields = aggregations.compactMap(\.field)
    try indexGuard.check(query, aggregating: fields)
    let result: AggregationResult
    do throws(DatabaseError) { result = try database.aggregate(query, aggregations) } catch {
      throw FirestoreErrorCode(error)
    }
    var operations = aggregations[0].alias
    for aggregation in aggregations.dropFirst() { operations += ", " + aggregation.alias }
    let entries = result.stats.indexEntriesScanned
    let billed = meter.record(
      .aggregation(indexEntries: entries),
      fingerprint: query.fingerprint ^ operations.fingerprint, indexEntriesScanned: entries,
      path: query.from.pattern, query: { "\(operations) of \(query.description)" },
      note: { indexNote(query, aggregating: fields) })
    return (result, billed)
  }

  /// Applies all of `writes` or none. Writes are not reads, and are not recorded.
  package func commit(_ writes: [Write]) throws(FirestoreErrorCode) {
    try assumptionGuard.check(writes)
    do throws(DatabaseError) { try database.commit(writes) } catch {
      throw FirestoreErrorCode(error)
    }
  }

  /// Makes every commit durable that was made so far.
  func synchronize() throws(FirestoreErrorCode) {
    do throws(DatabaseError) { try database.synchronize() } catch {
      throw FirestoreErrorCode(error)
    }
  }

  /// Takes back the space of what was overwritten.
  func compact() throws(FirestoreErrorCode) {
    do throws(DatabaseError) { try database.compact() } catch { throw FirestoreErrorCode(error) }
  }

  /// Lets another owner have the files.
  func close() throws(FirestoreErrorCode) {
    do throws(DatabaseError) { try database.close() } catch { throw FirestoreErrorCode(error) }
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

extension MeteredDatabase {
  /// What all pages of `query` have in common, which `preparation` keeps.
  func prepared(
    _ query: StructuredQuery, _ preparation: QueryPreparation, withCompleteOrder: Bool
  ) throws(FirestoreErrorCode) -> PreparedQuery {
    do throws(DatabaseError) {
      let prepared = try preparation.prepared(query, in: database)
      guard withCompleteOrder else { return prepared }
      do { return try prepared.withCompleteOrder() } catch { throw .query(error) }
    } catch {
      throw FirestoreErrorCode(error)
    }
  }

  /// The part of the result of `prepared` between two places in its order.
  func canonical(
    _ prepared: PreparedQuery, from start: CursorPosition?, to end: CursorPosition?, offset: Int,
    limit: Int?
  ) throws(FirestoreErrorCode) -> CanonicalQuery {
    do throws(QueryError) {
      return try CanonicalQuery(prepared, from: start, to: end, offset: offset, limit: limit)
    } catch {
      throw FirestoreErrorCode(.query(error))
    }
  }

  /// What `query` needs beside the declared indexes.
  func missingIndexes(
    for query: CanonicalQuery, aggregating fields: [FieldReference]
  ) -> FirestoreIndexes {
    let declared = indexGuard.policy.indexes
    let requirement = IndexRequirement(
      of: query, in: declared.configuration, aggregating: fields)
    return declared.entries(adding: requirement.missing)
  }

  private func indexNote(
    _ query: CanonicalQuery, aggregating fields: [FieldReference] = []
  ) -> String? {
    let missing = IndexRequirement(
      of: query, in: indexGuard.policy.indexes.configuration, aggregating: fields
    ).missing
    return missing.isEmpty ? nil : "production needs the index \(missing.summary)"
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
    guard isNested, let parent else { return path }
    return "\(parent.parent.pattern)/*/\(id)"
  }
}

extension MeteredDatabase {
  /// The fingerprint of the text of a look-up.
  private static func fingerprint(ofGetIn collection: CollectionName) -> UInt64 {
    "/*".fingerprint(after: collection.pattern.fingerprint(after: "get ".fingerprint))
  }
}

extension String {
  /// FNV-1a over the bytes: the same in every run, which `Hasher` is not.
  var fingerprint: UInt64 { fingerprint(after: 0xcbf2_9ce4_8422_2325) }

  /// The fingerprint of this text behind one that has the fingerprint `start`.
  fileprivate func fingerprint(after start: UInt64) -> UInt64 {
    utf8.reduce(start) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}
