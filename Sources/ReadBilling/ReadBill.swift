/// What a piece of work was billed, line by line: one line for each question asked.
public struct ReadBill: Hashable, Sendable {
  /// All operations that asked the same question under the same label.
  public struct Line: Hashable, Sendable {
    /// The query in readable form, cursors and limit included.
    public var query: String
    /// The label under which it ran.
    public var label: String?
    /// How often it was asked.
    public var operations: Int
    /// What all of it was billed, by cause.
    public var reads: BilledReads
  }

  private struct Key: Hashable {
    var query: String
    var label: String?
  }

  /// The lines that are kept; what is asked after them is summed up in one line more.
  static let distinctLines = 1_000
  private static let furtherQueries = Key(query: Ledger.furtherQueries, label: nil)

  /// The lines, in the order in which the questions were first asked.
  public private(set) var lines: [Line] = []
  private var places: [Key: Int] = [:]

  /// A bill without a line.
  public init() {}

  /// Everything on the bill, by cause.
  public var reads: BilledReads { lines.reduce(into: BilledReads()) { $0 += $1.reads } }

  /// All reads on the bill.
  public var total: Int { reads.total }

  /// Adds an operation.
  ///
  /// - Parameters:
  ///   - query: the query in readable form.
  ///   - label: the label under which it ran.
  ///   - reads: what it was billed.
  public mutating func add(_ query: String, label: String? = nil, _ reads: BilledReads) {
    var key = Key(query: query, label: label)
    if places[key] == nil, lines.count >= Self.distinctLines { key = Self.furtherQueries }
    if let place = places[key] {
      lines[place].operations += 1
      lines[place].reads += reads
    } else {
      places[key] = lines.count
      lines.append(Line(query: key.query, label: key.label, operations: 1, reads: reads))
    }
  }
}

extension ReadBill: CustomStringConvertible {
  /// The bill as a person reads it: a line for each question, then the sum by cause.
  ///
  /// ```
  ///     15  posts order by createdAt desc, __name__ desc limit 15  [home]
  ///     80  2 × posts order by createdAt desc, __name__ desc  [badge]
  ///     95 reads (95 documents returned)
  /// ```
  public var description: String {
    let width = max(6, total.grouped.count + 2)
    let rows = lines.map { line in
      let times = line.operations == 1 ? "" : "\(line.operations.grouped) × "
      let label = line.label.map { "  [\($0)]" } ?? ""
      return line.reads.total.grouped.leftPadded(to: width) + "  \(times)\(line.query)\(label)"
    }
    let sum = String(repeating: " ", count: width - total.grouped.count) + "\(reads)"
    return (rows + [sum]).joined(separator: "\n")
  }
}

extension String {
  func leftPadded(to width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }

  func rightPadded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }
}
