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

  package var field: FieldReference? {
    switch operation {
    case .count: nil
    case .sum(let field), .average(let field): field
    }
  }
}

package struct AggregationResult: Sendable {
  package var values: AggregateValues
  package var stats: ExecutionStats
}

/// What was computed, by alias: at most five values.
package struct AggregateValues: Hashable, Sendable {
  private struct Entry: Hashable {
    let alias: String
    let value: Value
  }

  private var entries: [Entry] = []

  package subscript(alias: String) -> Value? { entries.first { $0.alias == alias }?.value }

  mutating func append(_ value: Value, as alias: String) {
    entries.append(Entry(alias: alias, value: value))
  }
}

/// The running totals of one numeric field. Integers are added in 128 bits: a sum that passes beyond 64
/// on the way and comes back stays an integer.
struct NumberSummary {
  private var integers: Int128 = 0
  private var doubles = 0.0
  private var hasDouble = false
  private var count = 0

  mutating func add(_ value: EncodedValue) {
    switch value {
    case .integer(let number):
      count += 1
      integers += Int128(number)
    case .double(let number):
      count += 1
      hasDouble = true
      doubles += number
    default: break
    }
  }

  var sum: Value {
    if !hasDouble, let exact = Int64(exactly: integers) { return .integer(exact) }
    return .double(doubles + Double(integers))
  }

  var average: Value {
    count > 0 ? .double((doubles + Double(integers)) / Double(count)) : .null
  }
}
