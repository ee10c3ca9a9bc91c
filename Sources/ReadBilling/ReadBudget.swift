/// The most reads that a piece of work may be billed; a test fails when it costs more.
///
/// ```swift
/// try await ReadBudget(atMost: 15, label: "home").check {
///   try await HomeScreen(db).load()
/// }
/// ```
///
/// It depends on no test framework: it throws, and what it throws reads as the bill.
public struct ReadBudget: Sendable {
  /// The reads that are allowed.
  public var allowed: ClosedRange<Int>
  /// Only operations under this label count; nil for all.
  public var label: String?
  /// Only operations that this meter records count; nil for those of every meter.
  public var meter: ReadMeter?

  /// A budget of at most so many reads.
  ///
  /// - Parameters:
  ///   - reads: the most reads that are allowed.
  ///   - label: only operations under this label count; nil for all.
  ///   - meter: only operations that this meter records count; nil for those of every meter.
  public init(atMost reads: Int, label: String? = nil, of meter: ReadMeter? = nil) {
    self.init(allowing: 0...max(0, reads), label: label, of: meter)
  }

  /// A budget of exactly so many reads.
  ///
  /// - Parameters:
  ///   - reads: the reads that are expected, no more and no less.
  ///   - label: only operations under this label count; nil for all.
  ///   - meter: only operations that this meter records count; nil for those of every meter.
  public init(exactly reads: Int, label: String? = nil, of meter: ReadMeter? = nil) {
    self.init(allowing: reads...reads, label: label, of: meter)
  }

  private init(allowing allowed: ClosedRange<Int>, label: String?, of meter: ReadMeter?) {
    self.allowed = allowed
    self.label = label
    self.meter = meter
  }

  /// Performs work and compares what it was billed.
  ///
  /// - Parameters:
  ///   - isolation: the actor of the caller, on which the work runs.
  ///   - body: the work; tasks started in it are counted while it lasts, detached ones are not.
  /// - Returns: what the work returns.
  /// - Throws: what the work throws; a ``ReadBudgetError`` if it was not within the budget.
  @discardableResult
  public func check<T>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
  ) async throws -> T {
    let scope = MeasuredScope(.bill, meter: meter, label: label)
    let value = try await scope.run(isolation: isolation, body)
    try check(scope.bill)
    return value
  }

  /// Performs work and compares what it was billed.
  ///
  /// - Parameter body: the work.
  /// - Returns: what the work returns.
  /// - Throws: what the work throws; a ``ReadBudgetError`` if it was not within the budget.
  @discardableResult
  public func check<T>(_ body: () throws -> T) throws -> T {
    let scope = MeasuredScope(.bill, meter: meter, label: label)
    let value = try scope.run(body)
    try check(scope.bill)
    return value
  }

  /// Compares a bill.
  ///
  /// - Throws: a ``ReadBudgetError`` if it is not within the budget.
  public func check(_ bill: ReadBill) throws(ReadBudgetError) {
    guard !allowed.contains(bill.total) else { return }
    throw ReadBudgetError(allowed: allowed, label: label, bill: bill)
  }
}

/// What a ``ReadBudget`` throws: the bill that is not within it.
public struct ReadBudgetError: Error, Hashable, CustomStringConvertible {
  /// The reads that were allowed.
  public var allowed: ClosedRange<Int>
  /// The label that was looked at; nil for all.
  public var label: String?
  /// What was billed.
  public var bill: ReadBill

  /// The difference and the bill, line by line.
  public var description: String {
    let place = label.map { " under “\($0)”" } ?? ""
    let wanted =
      allowed.lowerBound == allowed.upperBound
      ? "Expected \(BilledReads.text(of: allowed.upperBound))\(place)"
      : "Expected at most \(BilledReads.text(of: allowed.upperBound))\(place)"
    let difference = bill.total - allowed.upperBound
    let comparison = difference > 0 ? "more" : "fewer"
    return """
      \(wanted), billed \(bill.total.grouped): \(difference.magnitude) \(comparison).
      \(bill)
      """
  }
}

/// Performs work that must be billed exactly so many reads.
///
/// ```swift
/// try await expectReads(15) { await feed.loadFirstPage() }
/// ```
///
/// - Parameters:
///   - reads: the reads that are expected, no more and no less.
///   - label: only operations under this label count; nil for all.
///   - meter: only operations that this meter records count; nil for those of every meter.
///   - isolation: the actor of the caller, on which the work runs.
///   - body: the work; tasks started in it are counted while it lasts, detached ones are not.
/// - Returns: what the work returns.
/// - Throws: what the work throws; a ``ReadBudgetError``, which reads as the bill, if it was billed
///   more or less.
@discardableResult
public func expectReads<T>(
  _ reads: Int, label: String? = nil, of meter: ReadMeter? = nil,
  isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
) async throws -> T {
  try await ReadBudget(exactly: reads, label: label, of: meter).check(body)
}
