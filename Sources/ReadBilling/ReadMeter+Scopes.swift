import Synchronization

extension ReadMeter {
  /// What the current task adds to the operations it causes: one value, so that recording looks up
  /// the task's storage once.
  struct Context: Sendable {
    var label: String?
    var scope: MeasuredScope?
  }

  @TaskLocal static var context: Context?

  /// Performs work whose operations are recorded under a label; the innermost label counts.
  ///
  /// - Parameters:
  ///   - label: what the reads are for, in the words of the application.
  ///   - body: the work; tasks started in it inherit the label, detached ones do not.
  /// - Returns: what the work returns.
  /// - Throws: what the work throws.
  public static func label<T>(_ label: String, _ body: () throws -> T) rethrows -> T {
    try $context.withValue(Context(label: label, scope: context?.scope), operation: body)
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
      Context(label: label, scope: context?.scope), operation: body, isolation: isolation)
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
    let scope = openScope()
    let value = try Self.$context.withValue(scope.context, operation: body)
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
    let scope = openScope()
    let value = try await Self.$context.withValue(
      scope.context, operation: body, isolation: isolation)
    return (value, scope.reads)
  }

  private func openScope() -> MeasuredScope {
    MeasuredScope(meter: self, outer: Self.context?.scope)
  }
}

/// The reads of one meter while a piece of work lasts, in a chain with the scopes around it.
final class MeasuredScope: Sendable {
  private let meter: ReadMeter
  private let outer: MeasuredScope?
  private let sum = Mutex(BilledReads())

  init(meter: ReadMeter, outer: MeasuredScope?) {
    self.meter = meter
    self.outer = outer
  }

  var reads: BilledReads { sum.withLock { $0 } }

  /// The task's context with this scope innermost and the label unchanged.
  var context: ReadMeter.Context {
    ReadMeter.Context(label: ReadMeter.context?.label, scope: self)
  }

  func add(_ reads: BilledReads, of meter: ReadMeter) {
    if meter === self.meter { sum.withLock { $0 += reads } }
    outer?.add(reads, of: meter)
  }
}
