/// One test of a disjunct: the form that planning and matching share.
package struct Predicate: Hashable, Sendable {
  package enum Test: Hashable, Sendable {
    /// The field's value ties with this one.
    case equals(Value)
    /// The field's value has its encoding in these ranges; for the document's name, the encoding of
    /// the name within the query's scope.
    case within(ByteRangeSet)
    /// The field is an array with an element that ties with this value.
    case contains(Value)
  }

  package let field: FieldReference
  package let test: Test

  /// The encoded name that this predicate alone lets through; nil where it lets through others.
  var singleName: [UInt8]? {
    guard field.isDocumentName, case .within(let ranges) = test, ranges.ranges.count == 1,
      let name = ranges.ranges.first?.lower, !name.isEmpty,
      ranges.ranges.first == .starting(with: name)
    else { return nil }
    return name
  }

  /// Whether `document` passes.
  func matches(_ document: StoredDocument, in scope: QueryScope) -> Bool {
    if field.isDocumentName {
      guard case .within(let ranges) = test else { return false }
      return ranges.contains(scope.encodedName(document.name))
    }
    guard let value = document.map[field] else { return false }
    switch test {
    case .equals(let operand):
      return KeyEncoding.bytes(of: value.decoded) == KeyEncoding.bytes(of: operand)
    case .within(let ranges):
      return ranges.contains(KeyEncoding.bytes(of: value.decoded))
    case .contains(let operand):
      guard case .array(let elements) = value else { return false }
      let bytes = KeyEncoding.bytes(of: operand)
      return (0..<elements.count).contains { KeyEncoding.bytes(of: elements[$0].decoded) == bytes }
    }
  }
}

/// Which values each operator lets through, as ranges of encodings.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/queries
extension ByteRangeSet {
  /// The values that `operation` with `operand` matches. Ranges stay in the operand's type; nothing
  /// matches a range whose operand is null or NaN, and no inequality matches null.
  init(_ operation: StructuredQuery.FieldOperator, _ operand: Value) {
    let exact = ByteRange.starting(with: KeyEncoding.bytes(of: operand))
    let bracket = KeyEncoding.bracket(of: operand)
    switch operation {
    case .lessThan:
      self.init(bracket.map { [ByteRange(lower: $0.lower, upper: exact.lower)] } ?? [])
    case .lessThanOrEqual:
      self.init(bracket.map { [ByteRange(lower: $0.lower, upper: exact.upper)] } ?? [])
    case .greaterThan:
      let lower = exact.upper ?? [0xFF]
      self.init(bracket.map { [ByteRange(lower: lower, upper: $0.upper)] } ?? [])
    case .greaterThanOrEqual:
      self.init(bracket.map { [ByteRange(lower: exact.lower, upper: $0.upper)] } ?? [])
    case .notEqual:
      self.init(notNullBut: [operand])
    case .notIn:
      guard case .array(let values) = operand, !values.contains(.null) else {
        self = .none
        return
      }
      self.init(notNullBut: values)
    case .equal, .in, .arrayContains, .arrayContainsAny:
      self.init([exact])
    }
  }

  /// Every value but null and `values`.
  init(notNullBut values: [Value]) {
    let excluded = Set(values.map { KeyEncoding.bytes(of: $0) } + [KeyEncoding.bytes(of: .null)])
    self.init(
      allBut: excluded.sorted { $0.lexicographicallyPrecedes($1) }
        .map { ByteRange.starting(with: $0) })
  }
}
