/// What each transform makes of the value it finds.
///
/// Source: https://firebase.google.com/docs/firestore/reference/rest/v1/Write#FieldTransform
extension FieldTransform {
  /// The field's new value, from its present one.
  func apply(to current: Value?, commitTime: Int64) throws(WriteError) -> Value {
    switch operation {
    case .serverTimestamp: return .timestamp(microseconds: commitTime)
    case .increment(let amount):
      guard amount.isNumber else { throw .notANumber(field) }
      guard let current, current.isNumber else { return amount }
      return current.adding(amount)
    case .maximum(let operand): return try extreme(current, operand, isMaximum: true)
    case .minimum(let operand): return try extreme(current, operand, isMaximum: false)
    case .arrayUnion(let elements):
      var result = current.elements
      for element in elements where !result.contains(where: { $0.ties(with: element) }) {
        result.append(element)
      }
      return .array(result)
    case .arrayRemove(let elements):
      return .array(
        current.elements.filter { mine in !elements.contains { $0.ties(with: mine) } })
    }
  }

  /// Equal numbers leave the stored one, with its type; NaN always wins.
  private func extreme(
    _ current: Value?, _ operand: Value, isMaximum: Bool
  ) throws(WriteError) -> Value {
    guard operand.isNumber else { throw .notANumber(field) }
    guard let current, current.isNumber else { return operand }
    for value in [current, operand] {
      if case .double(let number) = value, number.isNaN { return value }
    }
    let (mine, theirs) = (KeyEncoding.bytes(of: current), KeyEncoding.bytes(of: operand))
    let isBelow = mine.lexicographicallyPrecedes(theirs)
    return mine == theirs || isBelow != isMaximum ? current : operand
  }
}

extension Value {
  fileprivate var isNumber: Bool {
    switch self {
    case .integer, .double: true
    default: false
    }
  }

  /// Integers saturate; a double on either side makes the sum a double.
  fileprivate func adding(_ other: Value) -> Value {
    switch (self, other) {
    case (.integer(let a), .integer(let b)):
      let (sum, overflow) = a.addingReportingOverflow(b)
      return .integer(overflow ? (b > 0 ? .max : .min) : sum)
    case (.integer(let a), .double(let b)): return .double(Double(a) + b)
    case (.double(let a), .integer(let b)): return .double(a + Double(b))
    case (.double(let a), .double(let b)): return .double(a + b)
    default: return other
    }
  }

  fileprivate func ties(with other: Value) -> Bool { KeyEncoding.areEqual(self, other) }
}

extension Value? {
  fileprivate var elements: [Value] {
    if case .array(let elements)? = self { elements } else { [] }
  }
}
