import Synchronization

extension ReadMeter {
  /// What the current task adds to the operations it causes: one value, so that recording looks up
  /// the task's storage once.
  struct Context: Sendable {
    var label: String?
    var pageNumber: Int?
    var scope: MeasuredScope?
  }

  @TaskLocal static var context: Context?

  private static func changing(_ change: (inout Context) -> Void) -> Context {
    var context = context ?? Context()
    change(&context)
    return context
  }

  /// Performs work whose operations are recorded under a label; the innermost label counts.
  ///
  /// - Parameters:
  ///   - label: what the reads are for, in the words of the application.
  ///   - body: the work; tasks started in it inherit the label, detached ones do not.
  /// - Returns: what the work returns.
  /// - Throws: what the work throws.
  public static func label<T>(_ label: String, _ body: () throws -> T) rethrows -> T {
    try $context.withValue(changing { $0.label = label }, operation: body)
  }

  /// Performs asynchronous work whose operations are recorded under a label; the innermost label
  /// counts.
  ///
  /// - Parameters:
  ///   - label: what the reads are for, in the words of the application.
  ///   - isolation: the actor of the caller, on which the work runs.
  ///   - body: the work; tasks started in it inherit the label, detached ones do not.
  /// - Returns: what the work returns.
  /// - Throws: what the work throws.
  public static func label<T>(
    _ label: String, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
  ) async rethrows -> T {
    try await $context.withValue(
      changing { $0.label = label }, operation: body, isolation: isolation)
  }

  /// The label of the current task.
  package static var currentLabel: String? { context?.label }

  /// Performs work under a label that was the current one earlier, or under none.
  package static func relabel<T>(_ label: String?, _ body: () throws -> T) rethrows -> T {
    if label == context?.label { return try body() }
    return try $context.withValue(changing { $0.label = label }, operation: body)
  }

  /// Performs asynchronous work whose operations are recorded as those of one page of a feed.
  ///
  /// A pager does this by itself.
  ///
  /// - Parameters:
  ///   - number: the number of the page, from 1.
  ///   - isolation: the actor of the caller, on which the work runs.
  ///   - body: the work; tasks started in it inherit the number, detached ones do not.
  /// - Returns: what the work returns.
  /// - Throws: what the work throws.
  public static func page<T>(
    _ number: Int, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
  ) async rethrows -> T {
    try await $context.withValue(
      changing { $0.pageNumber = number }, operation: body, isolation: isolation)
  }

  /// Performs work and returns with its value the reads that this meter recorded for it.
  ///
  /// Scopes may be nested; an operation counts in each that is open.
  ///
  /// - Parameter body: the work; tasks started in it are counted while it lasts, detached ones
  ///   are not.
  /// - Returns: what the work returns, and its reads.
  /// - Throws: what the work throws.
  public func measure<T>(_ body: () throws -> T) rethrows -> (value: T, reads: BilledReads) {
    let scope = MeasuredScope(.sum, meter: self)
    let value = try scope.run(body)
    return (value, scope.reads)
  }

  /// Performs asynchronous work and returns with its value the reads that this meter recorded for
  /// it, in its own task and in those started in it.
  ///
  /// Scopes may be nested; an operation counts in each that is open.
  ///
  /// - Parameters:
  ///   - isolation: the actor of the caller, on which the work runs.
  ///   - body: the work; tasks started in it are counted while it lasts, detached ones are not.
  /// - Returns: what the work returns, and its reads.
  /// - Throws: what the work throws.
  public func measure<T>(
    isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
  ) async rethrows -> (value: T, reads: BilledReads) {
    let scope = MeasuredScope(.sum, meter: self)
    let value = try await scope.run(isolation: isolation, body)
    return (value, scope.reads)
  }
}

/// The reads of one load of a page, which may turn out to be for nothing.
package struct PageLoadReads: Sendable {
  private let scope = MeasuredScope(.receipts)

  package init() {}

  /// Performs the load, as that of one page.
  package func collect<T>(
    page number: Int, isolation: isolated (any Actor)? = #isolation, _ body: () async throws -> T
  ) async rethrows -> T {
    try await scope.run(pageNumber: number, isolation: isolation, body)
  }

  /// Books the reads as wasted, in the meters that recorded them; those that are still to come, too.
  package func waste() { scope.waste() }
}

/// The reads recorded while a piece of work lasts, in a chain with the scopes around it.
final class MeasuredScope: Sendable {
  /// What a scope keeps of the operations recorded in it.
  enum Purpose: Hashable, Sendable {
    case sum, receipts, bill
  }

  private struct State {
    var reads = BilledReads()
    var receipts: [(meter: ReadMeter, receipt: ReadMeter.Receipt)] = []
    var bill = ReadBill()
    var isWasted = false
  }

  private let purpose: Purpose
  /// Whose operations count; nil for those of every meter.
  private let meter: ReadMeter?
  /// Under which label they must have run; nil for any and none.
  private let label: String?
  private let outer: MeasuredScope?
  private let state = Mutex(State())

  init(_ purpose: Purpose, meter: ReadMeter? = nil, label: String? = nil) {
    self.purpose = purpose
    self.meter = meter
    self.label = label
    outer = ReadMeter.context?.scope
  }

  var reads: BilledReads { state.withLock { $0.reads } }
  var bill: ReadBill { state.withLock { $0.bill } }

  func run<T>(_ body: () throws -> T) rethrows -> T {
    try ReadMeter.$context.withValue(context(nil), operation: body)
  }

  func run<T>(
    pageNumber: Int? = nil, isolation: isolated (any Actor)? = #isolation,
    _ body: () async throws -> T
  ) async rethrows -> T {
    try await ReadMeter.$context.withValue(
      context(pageNumber), operation: body, isolation: isolation)
  }

  /// The task's context with this scope innermost.
  private func context(_ pageNumber: Int?) -> ReadMeter.Context {
    var context = ReadMeter.context ?? ReadMeter.Context()
    context.scope = self
    if let pageNumber { context.pageNumber = pageNumber }
    return context
  }

  func add(_ receipt: ReadMeter.Receipt, of meter: ReadMeter, query: () -> String) {
    if self.meter == nil || self.meter === meter, label == nil || label == receipt.label {
      keep(receipt, of: meter, query: query)
    }
    outer?.add(receipt, of: meter, query: query)
  }

  private func keep(_ receipt: ReadMeter.Receipt, of meter: ReadMeter, query: () -> String) {
    switch purpose {
    case .sum: state.withLock { $0.reads += receipt.reads }
    case .receipts:
      let isWasted = state.withLock { state in
        if !state.isWasted { state.receipts.append((meter, receipt)) }
        return state.isWasted
      }
      if isWasted { meter.waste(receipt) }
    case .bill:
      let text = query()
      state.withLock { $0.bill.add(text, label: receipt.label, receipt.reads) }
    }
  }

  func waste() {
    let receipts = state.withLock { state in
      defer { state.receipts = [] }
      state.isWasted = true
      return state.receipts
    }
    for (meter, receipt) in receipts { meter.waste(receipt) }
  }
}
