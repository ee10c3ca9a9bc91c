/// An aggregation over the results of a query.
package enum ModelAggregation: Hashable, Sendable {
  case count(upTo: Int?)
  case sum(ModelField)
  case average(ModelField)

  package var field: ModelField? {
    switch self {
    case .count: nil
    case .sum(let field), .average(let field): field
    }
  }
}

extension ModelDatabase {
  /// The values of `aggregations` over the results of `query`. A document that lacks any of the
  /// aggregated fields counts for none of them.
  package func aggregate(_ query: ModelQuery, _ aggregations: [ModelAggregation]) -> [ModelValue] {
    let fields = aggregations.compactMap(\.field)
    var complete = self
    complete.documents = documents.filter { path, document in
      let row = Result(path: path, document: document)
      return fields.allSatisfy { value(of: $0, in: row) != nil }
    }
    let rows = complete.run(query).results
    return aggregations.map { aggregation in
      let numbers = rows.compactMap { row in
        aggregation.field.flatMap { value(of: $0, in: row) }.flatMap(Number.init)
      }
      switch aggregation {
      case .count(let upTo): return .integer(Int64(min(rows.count, upTo ?? .max)))
      case .sum: return Number.sum(numbers)
      case .average:
        return numbers.isEmpty
          ? .null : .double(numbers.reduce(0) { $0 + $1.double } / Double(numbers.count))
      }
    }
  }

  /// How large the numbers of `field` are together, signs apart: to what the rounding errors of their sum
  /// are in proportion, however small the sum itself is.
  package func magnitude(of field: ModelField) -> Double {
    documents.reduce(0) { sum, entry in
      let row = Result(path: entry.key, document: entry.value)
      let number = value(of: field, in: row).flatMap(Number.init)?.double ?? 0
      return number.isFinite ? sum + abs(number) : sum
    }
  }

  private enum Number {
    case integer(Int64)
    case double(Double)

    init?(_ value: ModelValue) {
      switch value {
      case .integer(let integer): self = .integer(integer)
      case .double(let double): self = .double(double)
      default: return nil
      }
    }

    var double: Double {
      switch self {
      case .integer(let integer): Double(integer)
      case .double(let double): double
      }
    }

    /// An integer if all are integers and their sum is one, however large it was on the way.
    static func sum(_ numbers: [Number]) -> ModelValue {
      var exact: Int128 = 0
      for number in numbers {
        guard case .integer(let integer) = number else {
          return .double(numbers.reduce(0) { $0 + $1.double })
        }
        exact += Int128(integer)
      }
      return Int64(exactly: exact).map { .integer($0) } ?? .double(Double(exact))
    }
  }
}
