/// Why a read is on the bill.
public enum ReadCause: String, CaseIterable, Codable, Hashable, Sendable {
  /// A document that a query returned.
  case documentsReturned = "documents returned"
  /// A document that an offset dropped.
  case documentsSkipped = "documents skipped"
  /// A batch of up to 1,000 index entries, read by a query with several range fields.
  case indexEntries = "index entries"
  /// The one read that a query costs when nothing else of it is billed.
  case minimum = "minimum"
  /// A look-up by name that found its document.
  case documentFound = "document found"
  /// A look-up by name that found nothing.
  case documentMissing = "document missing"
  /// A batch of up to 1,000 index entries, read by a count, sum or average.
  case aggregation = "aggregation"
  /// A document that came into a result that is listened to.
  case documentsAdded = "documents added"
  /// A document that changed in a result that is listened to.
  case documentsModified = "documents modified"
  /// A document that a change took out of a result that is listened to.
  case documentsRemoved = "documents removed by a change"
  /// A document that a transaction read, did not write, and had checked at its commit.
  case documentsVerified = "documents verified"
  /// A query that was explained without being run.
  case explainedPlan = "explained plan"
}

/// Billed reads by cause; the causes always add up to the total.
public struct BilledReads: Hashable, Sendable {
  /// One count per cause in the order of their declaration; empty for a bill without a read.
  private var counts: [Int] = []

  /// A bill without a read.
  public init() {}

  /// Reads of one cause.
  init(_ cause: ReadCause, _ reads: Int) {
    self[cause] = reads
  }

  /// All reads, whatever their cause.
  public var total: Int { counts.reduce(0, +) }

  /// The reads billed for one cause.
  public subscript(cause: ReadCause) -> Int {
    get { counts.isEmpty ? 0 : counts[cause.position] }
    set {
      if counts.isEmpty {
        if newValue == 0 { return }
        counts = Array(repeating: 0, count: ReadCause.allCases.count)
      }
      counts[cause.position] = newValue
      if newValue == 0 && counts.allSatisfy({ $0 == 0 }) { counts = [] }
    }
  }

  /// The causes that have reads, in the order in which ``ReadCause`` declares them.
  public var byCause: [(cause: ReadCause, reads: Int)] {
    ReadCause.allCases.compactMap { self[$0] == 0 ? nil : ($0, self[$0]) }
  }

  /// The sum of two bills, cause by cause.
  public static func + (left: BilledReads, right: BilledReads) -> BilledReads {
    var sum = left
    sum += right
    return sum
  }

  /// Adds a bill to another, cause by cause.
  public static func += (left: inout BilledReads, right: BilledReads) {
    for (cause, reads) in right.byCause { left[cause] += reads }
  }
}

extension BilledReads: ExpressibleByDictionaryLiteral {
  /// A bill written down cause by cause; reads of a cause named twice are added.
  public init(dictionaryLiteral elements: (ReadCause, Int)...) {
    for (cause, reads) in elements { self[cause] += reads }
  }
}

extension BilledReads: CustomStringConvertible {
  /// The total and, in brackets, its causes: `25 reads (15 documents returned, 10 documents skipped)`.
  public var description: String {
    let causes = byCause.map { "\($0.reads) \($0.cause.rawValue)" }.joined(separator: ", ")
    return "\(total) \(total == 1 ? "read" : "reads")" + (causes.isEmpty ? "" : " (\(causes))")
  }
}

extension ReadCause {
  fileprivate var position: Int {
    switch self {
    case .documentsReturned: 0
    case .documentsSkipped: 1
    case .indexEntries: 2
    case .minimum: 3
    case .documentFound: 4
    case .documentMissing: 5
    case .aggregation: 6
    case .documentsAdded: 7
    case .documentsModified: 8
    case .documentsRemoved: 9
    case .documentsVerified: 10
    case .explainedPlan: 11
    }
  }
}
