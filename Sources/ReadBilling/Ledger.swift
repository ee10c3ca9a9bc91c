/// What a meter has recorded: sums, which it always keeps, and single entries, which it may.
public struct Ledger: Sendable {
  /// How much a meter remembers besides its sums.
  public enum Retention: Hashable, Sendable {
    /// The most recent operations, one entry each.
    case entries(last: Int)
    /// No single operation.
    case totals

    /// The most entries that are kept at once.
    var capacity: Int {
      switch self {
      case .entries(let last): max(0, last)
      case .totals: 0
      }
    }
  }

  /// The queries that are told apart; the operations of further ones share one row, so that a
  /// process that never stops asking new questions does not grow for ever.
  static let distinctQueries = 10_000
  static let furtherQueries = "further queries"

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

  init(keeping retention: Retention) {
    capacity = retention.capacity
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
    if let label { byLabel[label, default: BilledReads()] += bill }
    guard queries.count < Self.distinctQueries || queries[fingerprint] != nil else {
      further.operations += 1
      further.reads += bill
      return true
    }
    return queries[fingerprint, default: QueryTotals()].add(bill)
  }

  /// Remembers the text of a query that was seen for the first time.
  mutating func name(_ fingerprint: UInt64, _ query: String, note: String?) {
    queries[fingerprint]?.query = query
    queries[fingerprint]?.note = note
  }

  /// Keeps an entry, in the place of the oldest one when there is no room.
  mutating func keep(_ entry: LedgerEntry) {
    if ring.count < capacity {
      ring.append(entry)
    } else if capacity > 0 {
      ring[(entry.number - 1) % capacity] = entry
    }
  }
}

extension Ledger.QueryTotals {
  fileprivate mutating func add(_ bill: BilledReads) -> Bool {
    operations += 1
    reads += bill
    return query != nil
  }
}

/// One recorded operation and its price.
public struct LedgerEntry: Hashable, Sendable, Identifiable {
  /// The place of the operation among all that its meter recorded, from 1.
  public var number: Int
  /// What happened, as counts.
  public var operation: BillableOperation
  /// The query in readable form, cursors and limit included.
  public var query: String
  /// The pattern of the paths that were read, such as `posts` or `users/*/posts`.
  public var path: String
  /// The label under which the operation ran.
  public var label: String?
  /// The index entries that were read, billed or not.
  public var indexEntriesScanned: Int
  /// What it was billed, by cause.
  public var reads: BilledReads

  /// The number of the entry, which is unique in its meter.
  public var id: Int { number }
  /// The documents that the operation returned.
  public var returned: Int { operation.returned }
  /// The documents that an offset dropped.
  public var skipped: Int { operation.skipped }
}
