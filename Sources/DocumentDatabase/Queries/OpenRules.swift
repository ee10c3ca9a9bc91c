// Rules on which Firestore's pages are silent or contradict each other, as the other way to take them.
// The engine itself takes one way; who wants the other changes or refuses a request before it runs.

extension StructuredQuery.Filter {
  /// The filter with every `==` of null or NaN, which matches nothing, replaced by the test for it,
  /// which clients send in its place.
  package var testingSpecialValues: StructuredQuery.Filter {
    switch self {
    case .and(let filters): .and(filters.map(\.testingSpecialValues))
    case .or(let filters): .or(filters.map(\.testingSpecialValues))
    case .field(let field, .equal, .null): .unary(field, .isNull)
    case .field(let field, .equal, .double(let value)) where value.isNaN: .unary(field, .isNaN)
    case .field, .unary: self
    }
  }

  /// A field that is compared with null or NaN by a range, which matches nothing.
  package var fieldWithSpecialRange: FieldReference? {
    switch self {
    case .and(let filters), .or(let filters):
      return filters.lazy.compactMap(\.fieldWithSpecialRange).first
    case .field(let field, .lessThan, let operand),
      .field(let field, .lessThanOrEqual, let operand),
      .field(let field, .greaterThan, let operand),
      .field(let field, .greaterThanOrEqual, let operand):
      return KeyEncoding.bracket(of: operand) == nil ? field : nil
    case .field, .unary: return nil
    }
  }
}

extension CanonicalQuery {
  /// The first order behind which a cursor lies outside the range that the filters leave to it.
  package var orderWithCursorOutside: FieldReference? {
    guard disjuncts.count == 1 else { return nil }
    for cursor in [start, end] {
      for (index, order) in orderBy.enumerated() {
        guard let bytes = cursor?.encodedValue(at: index, in: prepared) else { break }
        if isOutside(bytes, of: order.field) { return order.field }
      }
    }
    return nil
  }

  private func isOutside(_ bytes: [UInt8], of field: FieldReference) -> Bool {
    disjuncts[0].contains { predicate in
      guard predicate.field == field, case .within(let ranges) = predicate.test,
        ranges.ranges.count == 1, let range = ranges.ranges.first, let upper = range.upper
      else { return false }
      return CanonicalQuery.lies(bytes, outside: range.lower, upper)
    }
  }

  /// Whether a cursor's value lies outside a range; on a bound it is inside, strict or not.
  static func lies(_ bytes: [UInt8], outside lower: [UInt8], _ upper: [UInt8]) -> Bool {
    (KeyEncoding.successor(of: bytes) ?? bytes).lexicographicallyPrecedes(lower)
      || upper.lexicographicallyPrecedes(bytes)
  }
}

extension Fields {
  /// The name of a field with a text or bytes of which an index holds only the first 1,500 bytes.
  package var fieldCutInIndexes: String? {
    sorted.first { $0.value.isCutInIndexes }?.name
  }
}

extension Value {
  fileprivate var isCutInIndexes: Bool {
    switch self {
    case .string(let text): text.utf8.count > KeyEncoding.longestText
    case .bytes(let bytes): bytes.count > KeyEncoding.longestText
    case .array(let elements): elements.contains(where: \.isCutInIndexes)
    case .map(let fields): fields.fieldCutInIndexes != nil
    default: false
    }
  }
}
