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
  public var total: Int {
    var total = 0
    for count in counts { total += count }
    return total
  }

  /// The reads billed for one cause.
  public subscript(cause: ReadCause) -> Int {
    get { counts.isEmpty ? 0 : counts[cause.position] }
    set {
      if counts.isEmpty {
        if newValue == 0 { return }
        counts = Array(repeating: 0, count: ReadCause.allCases.count)
      }
      counts[cause.position] = newValue
      if newValue == 0 { normalise() }
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
    if left.counts.isEmpty {
      left.counts = right.counts
    } else if !right.counts.isEmpty {
      for index in left.counts.indices { left.counts[index] += right.counts[index] }
      left.normalise()
    }
  }

  /// Books a part of the bill under another cause; the total stays.
  mutating func rebook(_ part: BilledReads, as cause: ReadCause) {
    let moved = part.total
    for (old, reads) in part.byCause { self[old] -= reads }
    self[cause] += moved
  }

  /// Equal bills are equal in memory too, so that they can be compared and hashed.
  private mutating func normalise() {
    if counts.allSatisfy({ $0 == 0 }) { counts = [] }
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
    let causes = byCause.map { "\($0.reads.grouped) \($0.cause.rawValue)" }.joined(separator: ", ")
    return Self.text(of: total) + (causes.isEmpty ? "" : " (\(causes))")
  }

  static func text(of reads: Int) -> String {
    "\(reads.grouped) \(reads == 1 ? "read" : "reads")"
  }
}

extension Int {
  /// The number with a comma between thousands.
  var grouped: String {
    var digits = Array(String(magnitude))
    for place in stride(from: digits.count - 3, to: 0, by: -3) { digits.insert(",", at: place) }
    return (self < 0 ? "-" : "") + String(digits)
  }
}
