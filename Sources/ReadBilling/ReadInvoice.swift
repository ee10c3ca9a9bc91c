/// A meter's sums as an invoice: a line for each query, the causes, the total, and what was assumed.
///
/// It is drawn up from the sums, so it is whole however few entries the meter keeps.
public struct ReadInvoice: Sendable {
  /// The sums of one query.
  public struct Line: Hashable, Sendable {
    /// The query as it was first asked.
    public var query: String
    /// How often it ran.
    public var operations: Int
    /// What all of it was billed, by cause.
    public var reads: BilledReads
  }

  /// The lines, the most expensive first.
  public var lines: [Line]
  /// How the open rules were taken.
  public var assumptions: BillingAssumptions

  /// The invoice of everything that a meter has recorded.
  public init(_ meter: ReadMeter) {
    lines = meter.byQuery.map { Line(query: $0.query, operations: $0.operations, reads: $0.reads) }
    assumptions = meter.assumptions
  }

  /// Everything on the invoice, by cause.
  public var reads: BilledReads { lines.reduce(into: BilledReads()) { $0 += $1.reads } }
  /// The operations on the invoice.
  public var operations: Int { lines.reduce(0) { $0 + $1.operations } }
}

extension ReadInvoice: CustomStringConvertible {
  /// The invoice as a person reads it.
  public var description: String {
    (table + ["", "By cause"] + causes + ["", "Assumed, where Google's pages leave it open"]
      + assumptions.statements.map { "  - \($0)" }).joined(separator: "\n") + "\n"
  }

  private var table: [String] {
    func row(_ number: String, _ operations: String, _ reads: String, _ query: String) -> String {
      number.leftPadded(to: 4) + operations.leftPadded(to: 14) + reads.leftPadded(to: 14) + "  "
        + query
    }
    let rows = lines.enumerated().flatMap { index, line in
      let first = row(
        "\(index + 1)", line.operations.grouped, line.reads.total.grouped, line.query)
      let causes = line.reads.byCause.map {
        String(repeating: " ", count: 34) + "\($0.reads.grouped) \($0.cause.rawValue)"
      }
      return [first] + causes
    }
    let rule = String(repeating: "-", count: 78)
    return [row("No.", "Operations", "Reads", "Query"), rule] + rows
      + [rule, row("", operations.grouped, reads.total.grouped, "Total")]
  }

  private var causes: [String] {
    reads.byCause.map { $0.reads.grouped.leftPadded(to: 32) + "  " + $0.cause.rawValue }
  }
}
