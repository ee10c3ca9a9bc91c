import StorageEngine

/// Documents in collections, with their indexes, behind five doors: run, get, aggregate, commit and
/// what a query means.
///
/// `published` guards the one pair of a version and the catalog that describes it, and is held only to
/// copy or replace it; the store's writer lock lets one commit or index build run at a time. A reader
/// works on the pair it took and waits for nobody, except that a query which needs an index that does
/// not exist yet builds it first.
package final class Database: Sendable {
  /// An object, so that a reader takes it with one reference.
  final class Snapshot: Sendable {
    let version: Version
    let catalog: IndexCatalog

    init(version: Version, catalog: IndexCatalog) {
      self.version = version
      self.catalog = catalog
    }
  }

  package let name: DatabaseName
  let store: OrderedStore
  let published: Guarded<Snapshot>
  /// What the next commit builds on, published or not yet; nil in memory, where it always is.
  private let newest: Guarded<Snapshot?>
  private let now: @Sendable () -> Int64
  private let lastCommit = Guarded(Int64.min)
  private let changes = ChangeFeed()

  /// An empty database in memory. `nodeCapacity` is the most entries of a tree node, small for tests;
  /// `now` answers microseconds since 1970. Commit times never go back, whatever it answers.
  package init(
    name: DatabaseName = DatabaseName(project: "feedstore"), nodeCapacity: Int = 64,
    now: @escaping @Sendable () -> Int64
  ) {
    self.name = name
    self.now = now
    store = OrderedStore(nodeCapacity: nodeCapacity)
    published = Guarded(Snapshot(version: store.version, catalog: IndexCatalog()))
    newest = Guarded(nil)
  }

  /// A database whose documents `store` holds already, `catalog` among them.
  init(
    name: DatabaseName, store: OrderedStore, catalog: IndexCatalog, lastCommit: Int64,
    now: @escaping @Sendable () -> Int64
  ) {
    self.name = name
    self.now = now
    self.store = store
    let snapshot = Snapshot(version: store.version, catalog: catalog)
    published = Guarded(snapshot)
    newest = Guarded(store.isDurable ? snapshot : nil)
    self.lastCommit.withLock { $0 = lastCommit }
  }

  // MARK: Reading

  /// The result of a query on the newest version.
  ///
  /// - Throws: `DatabaseError.query` where the query breaks a rule.
  /// - Complexity: As for a canonical query.
  package func run(_ query: StructuredQuery) throws(DatabaseError) -> QueryResult {
    try run(try canonical(query))
  }

  /// The result of a query on the newest version.
  ///
  /// - Throws: `DatabaseError.storage` where it cannot be read.
  /// - Complexity: O(log n) to find the first row, then O(1) per index entry; an offset is O(log n)
  ///   unless documents must be tested against filters.
  package func run(_ query: CanonicalQuery) throws(DatabaseError) -> QueryResult {
    let (snapshot, scans) = try snapshot(for: query.prepared)
    var scan = IndexScan(query, scans, version: snapshot.version)
    var stats = ExecutionStats()
    stats.rangeFields = query.rangeFieldCount
    stats.resultsSkipped = skip(query.offset, in: &scan)
    let page = snapshot.version.page(of: scan.records(limit: query.limit ?? .max))
    stats.resultsReturned = page.count
    stats.indexEntriesScanned = scan.indexEntriesScanned
    stats.documentsScanned = scan.documentsScanned + page.count
    try snapshot.version.verify()
    var documents = StoredDocuments(page)
    if let fields = query.prepared.source.select { documents = documents.selecting(fields) }
    return QueryResult(
      documents: documents, stats: stats, query: query, version: snapshot.version.number)
  }

  /// The newest state of a document; nil where it does not exist.
  ///
  /// - Throws: `DatabaseError.storage` where the files are found to be damaged.
  /// - Complexity: O(log n).
  package func get(_ name: DocumentName) throws(DatabaseError) -> StoredDocument? {
    let snapshot = published.withLock { $0 }
    guard let collection = snapshot.catalog.number(of: name.parent) else { return nil }
    var key = ByteWriter(capacity: 64)
    key.append(word: collection.bigEndian)
    KeyEncoding.append(id: name.id, to: &key)
    let record = snapshot.version.value(for: key).flatMap { snapshot.version.record($0) }
    try snapshot.version.verify()
    return record.map { StoredDocument($0) }
  }

  /// Numbers computed over the result of a query, as for a canonical one.
  package func aggregate(
    _ query: StructuredQuery, _ aggregations: [Aggregation]
  ) throws(DatabaseError) -> AggregationResult {
    try aggregate(try canonical(query), aggregations)
  }

  /// Numbers computed over the result of a query, without returning documents.
  ///
  /// Where fields are aggregated, only documents that have all of them count, for every aggregation
  /// of the request.
  ///
  /// - Throws: `DatabaseError.query` where the query or an aggregation breaks a rule.
  /// - Complexity: O(log n) for a count whose documents need no test, else O(n) in the documents.
  package func aggregate(
    _ query: CanonicalQuery, _ aggregations: [Aggregation]
  ) throws(DatabaseError) -> AggregationResult {
    do { try Database.check(aggregations, query) } catch { throw .query(error) }
    let (snapshot, scans) = try snapshot(for: query.prepared)
    var scan = IndexScan(query, scans, version: snapshot.version)
    var stats = ExecutionStats()
    stats.rangeFields = query.rangeFieldCount
    stats.resultsSkipped = skip(query.offset, in: &scan)
    let limit = min(query.limit ?? .max, Database.countLimit(of: aggregations) ?? .max)
    let fields = aggregations.compactMap(\.field)
    var count = 0
    var summaries = fields.map { _ in NumberSummary() }
    if fields.isEmpty, let counted = scan.skip(limit) {
      count = counted
    } else {
      while count < limit, let record = scan.next() {
        if fields.isEmpty {
          count += 1
          continue
        }
        guard let bytes = snapshot.version.record(record) else { continue }
        let map = StoredDocument(bytes).map
        let values = fields.compactMap { map[$0] }
        guard values.count == fields.count else { continue }
        count += 1
        for index in values.indices { summaries[index].add(values[index]) }
      }
    }
    try snapshot.version.verify()
    stats.indexEntriesScanned = scan.indexEntriesScanned
    stats.documentsScanned = scan.documentsScanned
    return AggregationResult(
      values: Database.values(aggregations, count: count, summaries), stats: stats)
  }

  /// What all pages of `query` have in common, whatever its cursors, offset and limit.
  ///
  /// - Throws: `DatabaseError.query` where it breaks a rule.
  package func prepare(_ query: StructuredQuery) throws(DatabaseError) -> PreparedQuery {
    do { return try PreparedQuery(query, in: name) } catch { throw .query(error) }
  }

  /// What `query` means, without running it.
  ///
  /// - Throws: `DatabaseError.query` where it breaks a rule.
  package func canonical(_ query: StructuredQuery) throws(DatabaseError) -> CanonicalQuery {
    do { return try CanonicalQuery(query, in: name) } catch { throw .query(error) }
  }

  /// The most index entries that running `query` now can read: those in the ranges of its plan, and
  /// of them no more for each range than results it wants where no document is left to test.
  ///
  /// - Throws: As `run(_:)`.
  /// - Complexity: O(log n).
  package func indexEntriesAtMost(_ query: CanonicalQuery) throws(DatabaseError) -> Int {
    let (snapshot, scans) = try snapshot(for: query.prepared)
    let scan = IndexScan(query, scans, version: snapshot.version)
    let (wanted, overflow) = query.offset.addingReportingOverflow(query.limit ?? .max)
    let entries = scan.entriesAtMost(wanted: overflow ? .max : wanted)
    try snapshot.version.verify()
    return entries
  }

  private func skip(_ offset: Int, in scan: inout IndexScan) -> Int {
    if offset == 0 { return 0 }
    if let skipped = scan.skip(offset) { return skipped }
    var skipped = 0
    while skipped < offset, scan.next() != nil { skipped += 1 }
    return skipped
  }

  // MARK: Indexes

  /// The newest state that has all indexes of `query`, which are built now where they are missing, and
  /// where its scans are in it.
  private func snapshot(
    for query: PreparedQuery
  ) throws(DatabaseError) -> (snapshot: Snapshot, scans: ResolvedScans) {
    let snapshot = published.withLock { $0 }
    let scans = query.resolved(in: snapshot.catalog, of: self)
    if scans.isComplete { return (snapshot, scans) }
    let missing = zip(query.scans, scans.scans).filter { $1 == nil && !$0.index.isPrimary }
    // A collection that never had a document has no order of its own either.
    if missing.isEmpty { return (snapshot, scans) }
    let built = try build(missing.map(\.0.index))
    return (built, query.resolved(in: built.catalog, of: self))
  }

  private func build(
    _ definitions: [IndexDefinition]
  ) throws(DatabaseError) -> Snapshot {
    while true {
      do {
        try transact { base, transaction, _ throws(DatabaseError) in
          var commit = Commit(catalog: base.catalog, time: 0)
          for definition in definitions {
            try commit.build(definition, from: base.version, in: &transaction)
          }
          return commit.catalog
        }
        break
      } catch .storage {
        // The state it was built on is not to be seen: the disk failed. The next attempt builds on the
        // published one, which needs no disk.
        try published.withLock { $0 }.version.verify()
      }
    }
    let snapshot = published.withLock { $0 }
    try snapshot.version.verify()
    return snapshot
  }

  // MARK: Writing

  /// Applies all of `writes` in order, or none of them.
  ///
  /// - Parameters:
  ///   - writes: What to do.
  ///   - reads: Documents that must be as they were read.
  /// - Returns: When it was committed.
  /// - Throws: The first refusal, `.contention` where a document is not as it was read; nothing is
  ///   changed then.
  /// - Complexity: O(log n) per index entry that changes.
  @discardableResult
  package func commit(
    _ writes: [Write], verifying reads: [DocumentVersion] = []
  ) throws(DatabaseError) -> CommitResult {
    var time: Int64 = 0
    try transact { base, transaction, changed throws(DatabaseError) in
      time = nextCommitTime()
      transaction.stamp = time
      var commit = Commit(
        catalog: base.catalog, time: time, writeCount: writes.count,
        notesChanges: changes.isObserved)
      for read in reads { try commit.verify(read, in: transaction) }
      for write in writes { try commit.apply(write, to: &transaction) }
      changed = commit.changes.documents
      return commit.catalog
    }
    return CommitResult(commitTime: time)
  }

  /// Opens a queue of what commits change from now on. A version read afterwards has all commits before
  /// those in the queue.
  package func observe() -> ChangeQueue {
    let queue = changes.open()
    // A commit that began unobserved must be published or refused, so that none falls in between.
    store.finishCommits()
    return queue
  }

  /// Puts no further commit into `queue`.
  package func stopObserving(_ queue: ChangeQueue) { changes.close(queue) }

  /// Runs `body` on the newest state, and publishes what it changed with the catalog that it answers.
  private func transact(
    _ body: (Snapshot, inout WriteTransaction, inout [ChangedDocument]) throws(DatabaseError) ->
      IndexCatalog
  ) throws(DatabaseError) {
    var catalog = IndexCatalog()
    var changed: [ChangedDocument] = []
    let run = { (transaction: inout WriteTransaction) throws(DatabaseError) in
      let base = self.base(ofTransaction: transaction.number)
      catalog = try body(base, &transaction, &changed)
    }
    guard store.isDurable else {
      return try store.write(run) { version in
        if !changed.isEmpty { changes.append(changed, version: version.number) }
        published.withLock { $0 = Snapshot(version: version, catalog: catalog) }
      }
    }
    try store.write(
      run,
      accepted: { version in
        let snapshot = Snapshot(version: version, catalog: catalog)
        newest.withLock { $0 = snapshot }
        return { [self, changed] in
          if !changed.isEmpty { changes.append(changed, version: version.number) }
          published.withLock { $0 = snapshot }
        }
      }, refusal: DatabaseError.storage)
  }

  /// The newest state; after a failure of the disk, which may not have it, the published one.
  private func base(ofTransaction number: UInt64) -> Snapshot {
    if let newest = newest.withLock({ $0 }), newest.version.number + 1 == number { return newest }
    return published.withLock { $0 }
  }

  /// Each commit is later than the one before.
  private func nextCommitTime() -> Int64 {
    let now = now()
    return lastCommit.withLock { last in
      last = max(now, last == .min ? now : last + 1)
      return last
    }
  }
}

extension Version {
  /// - Throws: `DatabaseError.storage` where something is damaged that may have been read.
  func verify() throws(DatabaseError) {
    do { try checkUndamaged() } catch { throw .storage(error) }
  }
}

/// The rows of a query and what it took to find them.
package struct QueryResult: Sendable {
  package var documents: StoredDocuments
  package var stats: ExecutionStats
  package var query: CanonicalQuery
  /// The number of the version that was read: it contains all commits up to this number.
  package var version: UInt64
}

/// What a commit did.
package struct CommitResult: Hashable, Sendable {
  /// Microseconds since 1970: the update time of everything that the commit changed.
  package var commitTime: Int64
}

extension Database {
  fileprivate static func check(
    _ aggregations: [Aggregation], _ canonical: CanonicalQuery
  ) throws(QueryError) {
    guard 1...5 ~= aggregations.count else { throw .aggregationCount(aggregations.count) }
    for (index, aggregation) in aggregations.enumerated() {
      let alias = aggregation.alias
      if aggregations[..<index].contains(where: { $0.alias == alias }) {
        throw .duplicateAlias(alias)
      }
      if case .count(let limit?) = aggregation.operation, limit < 1 { throw .countLimit(limit) }
      guard let field = aggregation.field else { continue }
      do { try field.validate() } catch { throw .field(error) }
      let isNameOrdered = canonical.prepared.source.orderBy.contains(
        where: \.field.isDocumentName)
      if isNameOrdered && !canonical.indexes(field) { throw .aggregationAfterName(field) }
    }
  }

  /// Where every aggregation is a limited count, counting may stop at the largest limit.
  fileprivate static func countLimit(of aggregations: [Aggregation]) -> Int? {
    var largest = 0
    for aggregation in aggregations {
      guard case .count(let limit?) = aggregation.operation else { return nil }
      largest = max(largest, limit)
    }
    return largest
  }

  fileprivate static func values(
    _ aggregations: [Aggregation], count: Int, _ summaries: [NumberSummary]
  ) -> AggregateValues {
    var values = AggregateValues()
    var fields = 0
    for aggregation in aggregations {
      switch aggregation.operation {
      case .count(let limit):
        values.append(.integer(Int64(min(count, limit ?? count))), as: aggregation.alias)
      case .sum:
        values.append(summaries[fields].sum, as: aggregation.alias)
        fields += 1
      case .average:
        values.append(summaries[fields].average, as: aggregation.alias)
        fields += 1
      }
    }
    return values
  }
}
