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
  /// How rules are taken that Google's pages leave open.
  public let assumptions: BillingAssumptions
  /// The different documents that security rules look up for one request, as declared.
  public let ruleLookupsPerRequest: Int

  private let ledger: Mutex<Ledger>
  private let retention: Ledger.Retention
  private let now: (@Sendable () -> Duration)?
  private let spill: (@Sendable (LedgerEntry) -> Void)?

  /// A meter that has recorded nothing.
  ///
  /// - Parameters:
  ///   - retention: how many single operations are remembered; the sums are always kept.
  ///   - assumptions: how rules are taken that Google's pages leave open.
  ///   - ruleLookupsPerRequest: the different documents that your security rules look up, with
  ///     `get()` and `exists()`, for one request; each is one read more.
  ///   - now: the time since the start of 1970, asked for once for each entry that is kept.
  ///   - spill: hears of each entry when it has to make room for another, in the order of their
  ///     numbers unless several threads record at once, and of the rest at ``flush()``.
  public init(
    keeping retention: Ledger.Retention = .entries(last: 10_000),
    assuming assumptions: BillingAssumptions = .documented, ruleLookupsPerRequest: Int = 0,
    now: (@Sendable () -> Duration)? = nil, spill: (@Sendable (LedgerEntry) -> Void)? = nil
  ) {
    self.retention = retention
    self.assumptions = assumptions
    self.ruleLookupsPerRequest = max(0, ruleLookupsPerRequest)
    self.now = now
    self.spill = spill
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
  ///   - query: the query in readable form; asked for only when an entry is kept, a bill is drawn
  ///     up, or the fingerprint is new.
  ///   - note: what else is to be known of the query; asked for only when the fingerprint is new.
  ///   - evidence: what findings need to know; asked for only when an entry is kept.
  /// - Returns: what the operation is billed.
  @discardableResult
  public func record(
    _ operation: BillableOperation, fingerprint: UInt64, indexEntriesScanned: Int,
    path: @autoclosure () -> String, query: () -> String, note: () -> String? = { nil },
    evidence: () -> LedgerEntry.Evidence = { LedgerEntry.Evidence() }
  ) -> BilledReads {
    book(
      operation, fingerprint: fingerprint, indexEntriesScanned: indexEntriesScanned, path: path(),
      query: query, note: note, evidence: evidence
    ).reads
  }

  /// Records an operation as ``record(_:fingerprint:indexEntriesScanned:path:query:note:evidence:)`` does
  /// and returns a receipt, with which it can be referred to later.
  @discardableResult
  public func book(
    _ operation: BillableOperation, fingerprint: UInt64, indexEntriesScanned: Int,
    path: @autoclosure () -> String, query: () -> String, note: () -> String? = { nil },
    evidence: () -> LedgerEntry.Evidence = { LedgerEntry.Evidence() }
  ) -> Receipt {
    var reads = BillingRules.reads(for: operation, assuming: assumptions)
    if ruleLookupsPerRequest > 0, operation.isSubjectToRules {
      reads += BillingRules.ruleLookups(documents: ruleLookupsPerRequest)
    }
    let context = Self.context
    var receipt = Receipt(
      number: 0, epoch: 0, fingerprint: fingerprint, label: context?.label, reads: reads)
    // The texts are the caller's code and are made before the lock is taken: they may be slow, or
    // use this meter themselves.
    var text: String?
    let isNamed: Bool
    if retention.capacity > 0 {
      let written = query()
      text = written
      var entry = LedgerEntry(
        number: 0, time: now?(), operation: operation, fingerprint: fingerprint, query: written,
        path: path(), label: context?.label, pageNumber: context?.pageNumber,
        indexEntriesScanned: indexEntriesScanned, reads: reads, evidence: evidence())
      let spilled: LedgerEntry?
      (isNamed, spilled) = ledger.withLock { ledger in
        let isNamed = ledger.add(reads, fingerprint: fingerprint, label: context?.label)
        entry.number = ledger.operationCount
        receipt.number = entry.number
        receipt.epoch = ledger.epoch
        return (isNamed, ledger.keep(entry))
      }
      if let spilled { spill?(spilled) }
    } else {
      isNamed = ledger.withLock { ledger in
        let isNamed = ledger.add(reads, fingerprint: fingerprint, label: context?.label)
        receipt.number = ledger.operationCount
        receipt.epoch = ledger.epoch
        return isNamed
      }
    }
    if !isNamed {
      let written = text ?? query()
      text = written
      let note = note()
      ledger.withLock { $0.name(fingerprint, written, note: note) }
    }
    context?.scope?.add(receipt, of: self) { text ?? query() }
    return receipt
  }

  /// Whether single operations are remembered.
  package var keepsEntries: Bool { retention.capacity > 0 }

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
  ///
  /// After 10,000 different labels, all others are summed up in one row, `further labels`.
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
    ledger.withLock { $0 = Ledger(keeping: retention, epoch: $0.epoch + 1) }
  }

  /// Hands the entries that are still remembered to the closure that hears of those that had to go,
  /// and forgets everything.
  public func flush() {
    let entries = ledger.withLock { ledger in
      defer { ledger = Ledger(keeping: retention, epoch: ledger.epoch + 1) }
      return ledger.entries
    }
    if let spill { for entry in entries { spill(entry) } }
  }
}

// MARK: - What is known later

extension ReadMeter {
  /// What a meter gives for an operation it recorded.
  public struct Receipt: Hashable, Sendable {
    /// The number of the entry.
    public internal(set) var number: Int
    var epoch: Int
    let fingerprint: UInt64
    let label: String?
    /// What the operation is billed.
    public let reads: BilledReads
  }

  /// Books an operation as wasted: nobody will see its answer. Its total stays as it was.
  ///
  /// An operation can be wasted once. An entry that has been spilled stays as it was written.
  public func waste(_ receipt: Receipt) {
    ledger.withLock { $0.waste(receipt) }
  }

  /// Notes that somebody looked at a document that the operation returned.
  public func markAsLookedAt(_ receipt: Receipt) {
    ledger.withLock { $0.markAsLookedAt(receipt) }
  }
}
