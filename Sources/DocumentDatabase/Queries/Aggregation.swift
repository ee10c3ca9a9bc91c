/// One number computed over the result of a query.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/aggregation-queries
package struct Aggregation: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    /// How many documents; counting stops at `upTo`.
    case count(upTo: Int? = nil)
    /// The sum of the numbers of a field; an integer while all of them are and it fits.
    case sum(FieldReference)
    /// The mean of the numbers of a field, a double; null where there are none.
    case average(FieldReference)
  }

  package let alias: String
  package let operation: Operation

  package init(alias: String, _ operation: Operation) {
    self.alias = alias
    self.operation = operation
  }

  var field: FieldReference? {
    switch operation {
    case .count: nil
    case .sum(let field), .average(let field): field
    }
  }
}

package struct AggregationResult: Sendable {
  /// By alias.
  package var values: [String: Value]
  package var stats: ExecutionStats
}

/// The running totals of one numeric field.
struct NumberSummary {
  private var integers: Int64 = 0
  private var hasOverflowed = false
  private var hasDouble = false
  private var doubles = 0.0
  private var count = 0

  mutating func add(_ value: EncodedValue) {
    switch value {
    case .integer(let number):
      count += 1
      doubles += Double(number)
      let (sum, overflow) = integers.addingReportingOverflow(number)
      integers = sum
      hasOverflowed = hasOverflowed || overflow
    case .double(let number):
      count += 1
      hasDouble = true
      doubles += number
    default: break
    }
  }

  var sum: Value { hasDouble || hasOverflowed ? .double(doubles) : .integer(integers) }

  var average: Value {
    guard count > 0 else { return .null }
    let total = hasDouble || hasOverflowed ? doubles : Double(integers)
    return .double(total / Double(count))
  }
}
