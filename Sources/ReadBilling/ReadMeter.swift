import Synchronization

/// Counts what operations are billed, by cause, by query and by label.
///
/// A meter may be used from any thread or task; one lock guards its ledger. Operations are recorded
/// by whoever performs them; labels and measured scopes travel with the task that asks:
///
/// ```swift
/// let (page, reads) = try await ReadMeter.label("home") {
///   try await meter.measure { try await source.page(after: nil, limit: 15) }
/// }
/// print(reads)  // 15 reads (15 documents returned)
/// ```
public final class ReadMeter: Sendable {
  private let ledger: Mutex<Ledger>
  private let retention: Ledger.Retention

  /// A meter that has recorded nothing.
  ///
  /// - Parameter retention: how many single operations are remembered; the sums are always kept.
  public init(keeping retention: Ledger.Retention = .entries(last: 10_000)) {
    self.retention = retention
    ledger = Mutex(Ledger(keeping: retention))
  }

  /// Records an operation under the label and in the measured scopes of the current task.
  ///
  /// - Parameters:
  ///   - operation: what happened, as counts.
  ///   - fingerprint: identifies the query without its cursors, offset and limit, so that the
  ///     pages of one feed are added up in one row of ``byQuery``.
  ///   - indexEntriesScanned: the index entries that were read, billed or not.
  ///   - path: the pattern of the paths that were read; asked for only when an entry is kept.
  ///   - query: the query in readable form; asked for only when an entry is kept or the
  ///     fingerprint is new.
  ///   - note: what else is to be known of the query; asked for only when the fingerprint is new.
  /// - Returns: what the operation is billed.
  @discardableResult
  public func record(
    _ operation: BillableOperation, fingerprint: UInt64, indexEntriesScanned: Int,
    path: @autoclosure () -> String, query: () -> String, note: () -> String? = { nil }
  ) -> BilledReads {
    let reads = BillingRules.reads(for: operation)
    let context = Self.context
    context?.scope?.add(reads, of: self)
    // The texts are the caller's code and are made before the lock is taken: they may be slow, or
    // use this meter themselves.
    if retention.capacity > 0 {
      var entry = LedgerEntry(
        number: 0, operation: operation, query: query(), path: path(), label: context?.label,
        indexEntriesScanned: indexEntriesScanned, reads: reads)
      let isNamed = ledger.withLock { ledger in
        let isNamed = ledger.add(reads, fingerprint: fingerprint, label: entry.label)
        entry.number = ledger.operationCount
        ledger.keep(entry)
        return isNamed
      }
      if !isNamed {
        let note = note()
        ledger.withLock { $0.name(fingerprint, entry.query, note: note) }
      }
    } else {
      let isNamed = ledger.withLock {
        $0.add(reads, fingerprint: fingerprint, label: context?.label)
      }
      if !isNamed {
        let (text, note) = (query(), note())
        ledger.withLock { $0.name(fingerprint, text, note: note) }
      }
    }
    return reads
  }

  /// All reads recorded.
  public var total: Int { reads.total }

  /// All reads recorded, by cause.
  public var reads: BilledReads { ledger.withLock { $0.reads } }

  /// The number of operations recorded.
  public var operationCount: Int { ledger.withLock { $0.operationCount } }

  /// The sums for each query, whatever its cursors, offset and limit; the most expensive first.
  ///
  /// After 10,000 different queries, all others are summed up in one row, `further queries`.
  public var byQuery: [(query: String, operations: Int, reads: BilledReads)] {
    ledger.withLock { $0.byQuery }.map { ($0.query ?? "", $0.operations, $0.reads) }
  }

  /// What is to be known of the queries recorded, such as the index that production will need for
  /// one; queries without a note are left out.
  public var notes: [(query: String, note: String)] {
    ledger.withLock { $0.byQuery }.compactMap { totals in
      totals.note.map { (totals.query ?? "", $0) }
    }
  }

  /// The sums for each label; operations without a label are in none.
  public var byLabel: [String: BilledReads] { ledger.withLock { $0.byLabel } }

  /// The reads recorded under a label.
  public func reads(labelled label: String) -> BilledReads {
    ledger.withLock { $0.byLabel[label] ?? BilledReads() }
  }

  /// The single operations that are still remembered, oldest first.
  public var entries: [LedgerEntry] { ledger.withLock { $0.entries } }

  /// Forgets everything recorded; the next entry is number 1 again.
  ///
  /// Scopes that are being measured keep what they have counted.
  public func reset() {
    ledger.withLock { $0 = Ledger(keeping: retention) }
  }
}
