/// A filter tree as an OR of ANDs, checked against the rules of filters on the way.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/queries#query_limitations
struct DisjunctiveForm {
  private(set) var disjuncts: [[Predicate]] = [[]]
  /// Fields with a range or inequality filter, each once, in order of appearance.
  private(set) var inequalityFields: [FieldReference] = []
  private(set) var isNameFiltered = false
  private(set) var filterCount = 0
  private var hasNameEquality = false
  private var notEqualCount = 0
  private var hasNotIn = false
  private var hasListDisjunction = false
  private let scope: QueryScope
  private let database: DatabaseName

  static let mostDisjuncts = 30

  init(
    _ filter: StructuredQuery.Filter?, in scope: QueryScope, database: DatabaseName
  ) throws(QueryError) {
    self.scope = scope
    self.database = database
    guard let filter else { return }
    disjuncts = try expand(filter)
    try check()
  }

  private func check() throws(QueryError) {
    if notEqualCount > 1 { throw .severalNotEquals }
    if hasNotIn && hasListDisjunction { throw .notInWithListDisjunction }
    if inequalityFields.count > 10 { throw .tooManyRangeFields(inequalityFields.count) }
    if hasNameEquality, let field = inequalityFields.first(where: { !$0.isDocumentName }) {
      throw .rangeWithNameEquality(field)
    }
    for disjunct in disjuncts {
      let contains = disjunct.count { predicate in
        if case .contains = predicate.test { true } else { false }
      }
      if contains > 1 { throw .tooManyArrayContains }
    }
  }

  private mutating func expand(
    _ filter: StructuredQuery.Filter
  ) throws(QueryError) -> [[Predicate]] {
    switch filter {
    case .and(let filters):
      var product: [[Predicate]] = [[]]
      for filter in filters {
        let factor = try expand(filter)
        if product.count * factor.count > DisjunctiveForm.mostDisjuncts {
          throw .tooManyDisjunctions(product.count * factor.count)
        }
        product = product.flatMap { left in factor.map { left + $0 } }
      }
      return product
    case .or(let filters):
      if filters.isEmpty { throw .emptyOr }
      var sum: [[Predicate]] = []
      for filter in filters { sum += try expand(filter) }
      if sum.count > DisjunctiveForm.mostDisjuncts { throw .tooManyDisjunctions(sum.count) }
      return sum
    case .field(let field, let operation, let operand):
      filterCount += 1
      try check(field)
      return try expand(field, operation, operand)
    case .unary(let field, let operation):
      filterCount += 1
      try check(field)
      return [[expand(field, operation)]]
    }
  }

  private func check(_ field: FieldReference) throws(QueryError) {
    do { try field.validate() } catch { throw .field(error) }
  }

  private mutating func noteInequality(on field: FieldReference) {
    if !inequalityFields.contains(field) { inequalityFields.append(field) }
  }

  private mutating func expand(
    _ field: FieldReference, _ operation: StructuredQuery.UnaryOperator
  ) -> Predicate {
    switch operation {
    case .isNull: return Predicate(field: field, test: .equals(.null))
    case .isNaN: return Predicate(field: field, test: .equals(.double(.nan)))
    case .isNotNull, .isNotNaN:
      notEqualCount += 1
      noteInequality(on: field)
      let excluded: [Value] = operation == .isNotNaN ? [.double(.nan)] : []
      return Predicate(field: field, test: .within(ByteRangeSet(notNullBut: excluded)))
    }
  }

  private mutating func expand(
    _ field: FieldReference, _ operation: StructuredQuery.FieldOperator, _ operand: Value
  ) throws(QueryError) -> [[Predicate]] {
    switch operation {
    case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: noteInequality(on: field)
    case .notEqual, .notIn:
      notEqualCount += 1
      hasNotIn = hasNotIn || operation == .notIn
      noteInequality(on: field)
    case .in, .arrayContainsAny: hasListDisjunction = true
    case .equal, .arrayContains: break
    }
    let elements = try elements(of: operand, for: operation)
    if field.isDocumentName { return try expandName(operation, operand, elements) }
    switch operation {
    case .equal:
      return operand.isNullOrNaN ? [] : [[Predicate(field: field, test: .equals(operand))]]
    case .in:
      return elements.filter { !$0.isNullOrNaN }
        .map { [Predicate(field: field, test: .equals($0))] }
    case .arrayContains:
      return operand.isNullOrNaN ? [] : [[Predicate(field: field, test: .contains(operand))]]
    case .arrayContainsAny:
      return elements.filter { !$0.isNullOrNaN }
        .map { [Predicate(field: field, test: .contains($0))] }
    default:
      return [[Predicate(field: field, test: .within(ByteRangeSet(operation, operand)))]]
    }
  }

  /// The elements of a list operand, in the number that the operator allows.
  private func elements(
    of operand: Value, for operation: StructuredQuery.FieldOperator
  ) throws(QueryError) -> [Value] {
    let most: Int
    switch operation {
    case .in, .arrayContainsAny: most = 30
    case .notIn: most = 10
    default: return []
    }
    guard case .array(let elements) = operand else { throw .operandNotAnArray(operation) }
    guard 1...most ~= elements.count else {
      throw .wrongElementCount(operation, count: elements.count, most: most)
    }
    return elements
  }

  private mutating func expandName(
    _ operation: StructuredQuery.FieldOperator, _ operand: Value, _ elements: [Value]
  ) throws(QueryError) -> [[Predicate]] {
    isNameFiltered = true
    switch operation {
    case .arrayContains, .arrayContainsAny: throw .arrayOperatorOnName(operation)
    case .in:
      hasNameEquality = true
      return try elements.map { element throws(QueryError) in
        [try namePredicate(.equal, element)]
      }
    case .notIn:
      var ranges = ByteRangeSet.all
      for element in elements {
        ranges = ranges.intersection(try position(of: element).ranges(.notEqual))
      }
      return [[Predicate(field: .documentName, test: .within(ranges))]]
    case .equal:
      hasNameEquality = true
      return [[try namePredicate(operation, operand)]]
    default:
      return [[try namePredicate(operation, operand)]]
    }
  }

  private func namePredicate(
    _ operation: StructuredQuery.FieldOperator, _ operand: Value
  ) throws(QueryError) -> Predicate {
    Predicate(field: .documentName, test: .within(try position(of: operand).ranges(operation)))
  }

  private func position(of operand: Value) throws(QueryError) -> NamePosition {
    guard case .reference(let name) = operand, name.database == database else {
      throw .nameNotComparedWithReference(operand)
    }
    return scope.position(of: name.document)
  }
}

extension Value {
  fileprivate var isNullOrNaN: Bool {
    switch self {
    case .null: true
    case .double(let value): value.isNaN
    default: false
    }
  }
}
