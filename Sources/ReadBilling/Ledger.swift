/// What a meter has recorded: sums, which it always keeps, and single entries, which it may.
public struct Ledger: Sendable {
  /// How much a meter remembers besides its sums.
  public enum Retention: Hashable, Sendable {
    /// Every operation, one entry each; the memory grows with them.
    case all
    /// The most recent operations, one entry each.
    case entries(last: Int)
    /// No single operation.
    case totals

    /// The most entries that are kept at once.
    var capacity: Int {
      switch self {
      case .all: .max
      case .entries(let last): max(0, last)
      case .totals: 0
      }
    }
  }

  /// The queries, and the labels, that are told apart; further ones share one row, so that a process
  /// that never stops asking new questions does not grow for ever.
  static let distinctQueries = 10_000
  static let furtherQueries = "further queries"
  static let furtherLabels = "further labels"

  /// The sums of all operations that asked the same question, page after page.
  struct QueryTotals: Sendable {
    var query: String?
    var note: String?
    var operations = 0
    var reads = BilledReads()
  }

  private let capacity: Int
  /// A ring: the entry numbered `n` is at `(n - 1) % capacity`.
  private var ring: [LedgerEntry] = []
  private(set) var operationCount = 0
  private(set) var reads = BilledReads()
  private(set) var byLabel: [String: BilledReads] = [:]
  private var queries: [UInt64: QueryTotals] = [:]
  private var further = QueryTotals(query: Ledger.furtherQueries)
  /// Which ledger this is since the meter was made: a receipt of an earlier one says nothing here.
  let epoch: Int

  init(keeping retention: Retention, epoch: Int = 0) {
    capacity = retention.capacity
    self.epoch = epoch
  }

  /// The entries kept, oldest first.
  var entries: [LedgerEntry] {
    guard ring.count == capacity, capacity > 0 else { return ring }
    let oldest = operationCount % capacity
    return Array(ring[oldest...] + ring[..<oldest])
  }

  /// The sums by query, the most expensive first.
  var byQuery: [QueryTotals] {
    (further.operations == 0 ? Array(queries.values) : queries.values + [further])
      .sorted { ($1.reads.total, $0.query ?? "") < ($0.reads.total, $1.query ?? "") }
  }

  /// Adds an operation to the sums.
  ///
  /// - Returns: whether the text of its query is known; if not, ``name(_:_:note:)`` must follow.
  mutating func add(_ bill: BilledReads, fingerprint: UInt64, label: String?) -> Bool {
    operationCount += 1
    reads += bill
    if let label { byLabel[row(of: label), default: BilledReads()] += bill }
    guard queries.count < Self.distinctQueries || queries[fingerprint] != nil else {
      further.operations += 1
      further.reads += bill
      return true
    }
    return queries[fingerprint, default: QueryTotals()].add(bill)
  }

  private func row(of label: String) -> String {
    byLabel.count < Self.distinctQueries || byLabel[label] != nil ? label : Self.furtherLabels
  }

  /// Remembers the text of a query that was seen for the first time.
  mutating func name(_ fingerprint: UInt64, _ query: String, note: String?) {
    queries[fingerprint]?.query = query
    queries[fingerprint]?.note = note
  }

  /// Keeps an entry, in the place of the oldest one when there is no room.
  ///
  /// - Returns: the entry that had to go.
  mutating func keep(_ entry: LedgerEntry) -> LedgerEntry? {
    if ring.count < capacity {
      ring.append(entry)
      return nil
    }
    guard capacity > 0 else { return entry }
    let place = (entry.number - 1) % capacity
    let oldest = ring[place]
    ring[place] = entry
    return oldest
  }

  /// Books what an operation was billed as wasted; its total stays.
  mutating func waste(_ receipt: ReadMeter.Receipt) {
    guard receipt.epoch == epoch, receipt.reads != BilledReads() else { return }
    reads.rebook(receipt.reads, as: .wasted)
    if let label = receipt.label { byLabel[row(of: label)]?.rebook(receipt.reads, as: .wasted) }
    if queries[receipt.fingerprint] != nil {
      queries[receipt.fingerprint]?.reads.rebook(receipt.reads, as: .wasted)
    } else {
      further.reads.rebook(receipt.reads, as: .wasted)
    }
    change(receipt.number) { $0.reads.rebook(receipt.reads, as: .wasted) }
  }

  /// Notes that somebody looked at what an operation returned.
  mutating func markAsLookedAt(_ receipt: ReadMeter.Receipt) {
    guard receipt.epoch == epoch else { return }
    change(receipt.number) { $0.evidence.wasLookedAt = true }
  }

  /// Changes an entry if it is still kept.
  private mutating func change(_ number: Int, _ body: (inout LedgerEntry) -> Void) {
    guard capacity > 0, number > 0 else { return }
    let place = (number - 1) % capacity
    guard place < ring.count, ring[place].number == number else { return }
    body(&ring[place])
  }
}

extension Ledger.QueryTotals {
  fileprivate mutating func add(_ bill: BilledReads) -> Bool {
    operations += 1
    reads += bill
    return query != nil
  }
}
