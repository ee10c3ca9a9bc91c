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
}

/// Billed reads by cause; the causes always add up to the total.
public struct BilledReads: Hashable, Sendable {
  /// One lane for each cause, so that adding two bills is one instruction and allocates nothing.
  private var lanes = SIMD8<Int>.zero

  /// A bill without a read.
  public init() {}

  /// Reads of one cause, made without the array behind a literal.
  init(_ cause: ReadCause, _ reads: Int) {
    self[cause] = reads
  }

  /// All reads, whatever their cause.
  public var total: Int { lanes.wrappedSum() }

  /// The reads billed for one cause.
  public subscript(cause: ReadCause) -> Int {
    get { lanes[cause.lane] }
    set { lanes[cause.lane] = newValue }
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
    left.lanes &+= right.lanes
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
  fileprivate var lane: Int {
    switch self {
    case .documentsReturned: 0
    case .documentsSkipped: 1
    case .indexEntries: 2
    case .minimum: 3
    case .documentFound: 4
    case .documentMissing: 5
    case .aggregation: 6
    }
  }
}
