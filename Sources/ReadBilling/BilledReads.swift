/// Billed reads by cause; the causes always add up to the total.
public struct BilledReads: Hashable, Sendable {
  /// Most bills have one cause, and then need no memory of their own. Equal bills are equal here too,
  /// so that they can be compared and hashed: the first case that fits holds.
  private enum Counts: Hashable, Sendable {
    case none
    case one(ReadCause, Int)
    /// One count per cause in the order of their declaration.
    case several([Int])
  }

  private var counts = Counts.none

  /// A bill without a read.
  public init() {}

  /// Reads of one cause.
  init(_ cause: ReadCause, _ reads: Int) {
    if reads != 0 { counts = .one(cause, reads) }
  }

  /// All reads, whatever their cause.
  public var total: Int {
    switch counts {
    case .none: 0
    case .one(_, let reads): reads
    case .several(let counts): counts.reduce(0, +)
    }
  }

  /// The reads billed for one cause.
  public subscript(cause: ReadCause) -> Int {
    get {
      switch counts {
      case .none: 0
      case .one(let only, let reads): only == cause ? reads : 0
      case .several(let counts): counts[cause.position]
      }
    }
    set { add(newValue - self[cause], of: cause) }
  }

  /// The causes that have reads, in the order in which ``ReadCause`` declares them.
  public var byCause: [(cause: ReadCause, reads: Int)] {
    switch counts {
    case .none: []
    case .one(let cause, let reads): [(cause, reads)]
    case .several: ReadCause.allCases.compactMap { self[$0] == 0 ? nil : ($0, self[$0]) }
    }
  }

  /// The sum of two bills, cause by cause.
  public static func + (left: BilledReads, right: BilledReads) -> BilledReads {
    var sum = left
    sum += right
    return sum
  }

  /// Adds a bill to another, cause by cause.
  public static func += (left: inout BilledReads, right: BilledReads) {
    switch right.counts {
    case .none: break
    case .one(let cause, let reads): left.add(reads, of: cause)
    case .several: for (cause, reads) in right.byCause { left.add(reads, of: cause) }
    }
  }

  /// Books a part of the bill under another cause; the total stays.
  mutating func rebook(_ part: BilledReads, as cause: ReadCause) {
    let moved = part.total
    for (old, reads) in part.byCause { self[old] -= reads }
    self[cause] += moved
  }

  private mutating func add(_ reads: Int, of cause: ReadCause) {
    if reads == 0 { return }
    switch counts {
    case .none: counts = .one(cause, reads)
    case .one(cause, let present):
      counts = present + reads == 0 ? .none : .one(cause, present + reads)
    case .one(let other, let present):
      var all = Array(repeating: 0, count: ReadCause.allCases.count)
      all[other.position] = present
      all[cause.position] = reads
      counts = .several(all)
    case .several(var all):
      // Let go of the array first, so that it is not copied.
      counts = .none
      all[cause.position] += reads
      counts = BilledReads.normal(all)
    }
  }

  private static func normal(_ all: [Int]) -> Counts {
    guard all.count(where: { $0 != 0 }) <= 1 else { return .several(all) }
    guard let position = all.firstIndex(where: { $0 != 0 }) else { return .none }
    return .one(ReadCause.allCases[position], all[position])
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
