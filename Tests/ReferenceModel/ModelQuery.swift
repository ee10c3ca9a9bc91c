/// A query, with the client's `limitToLast` beside what the server knows.
package struct ModelQuery: Hashable, Sendable {
  package var source: Source
  package var filter: Filter?
  package var orders: [Order] = []
  package var start: Cursor?
  package var end: Cursor?
  package var offset = 0
  package var limit: Int?
  /// Keeps the last `limit` results instead of the first.
  package var isLimitToLast = false

  package init(_ source: Source) { self.source = source }

  package enum Source: Hashable, Sendable {
    case collection(ModelPath)
    case collectionGroup(Bytes)
  }

  package indirect enum Filter: Hashable, Sendable {
    case and([Filter])
    case or([Filter])
    case field(ModelField, FieldOperator, ModelValue)
    case unary(ModelField, UnaryOperator)
  }

  package enum FieldOperator: String, CaseIterable, Sendable {
    case equal = "=="
    case notEqual = "!="
    case lessThan = "<"
    case lessThanOrEqual = "<="
    case greaterThan = ">"
    case greaterThanOrEqual = ">="
    case arrayContains = "array-contains"
    case arrayContainsAny = "array-contains-any"
    case `in` = "in"
    case notIn = "not-in"

    package var isInequality: Bool {
      switch self {
      case .notEqual, .notIn, .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual: true
      case .equal, .in, .arrayContains, .arrayContainsAny: false
      }
    }
  }

  package enum UnaryOperator: String, CaseIterable, Sendable {
    case isNull = "is null"
    case isNaN = "is NaN"
    case isNotNull = "is not null"
    case isNotNaN = "is not NaN"

    package var isInequality: Bool { self == .isNotNull || self == .isNotNaN }
  }

  package struct Order: Hashable, Sendable {
    package var field: ModelField
    package var descending: Bool

    package init(_ field: ModelField, descending: Bool = false) {
      self.field = field
      self.descending = descending
    }
  }

  /// A place between the results: before or after all that equals `values`.
  package struct Cursor: Hashable, Sendable {
    package var values: [ModelValue]
    package var isBefore: Bool

    package init(_ values: [ModelValue], isBefore: Bool) {
      self.values = values
      self.isBefore = isBefore
    }
  }
}

extension ModelQuery {
  /// The given orders, then every other field with an inequality by name, then `__name__`, the
  /// added ones in the direction of the last given one.
  package var effectiveOrders: [Order] {
    var result = orders
    let descending = orders.last?.descending ?? false
    let implied = inequalityFields.subtracting([documentNameField])
      .sorted { ModelOrder.compareFields($0, $1) < 0 }
    for field in implied + [documentNameField] where !result.contains(where: { $0.field == field })
    {
      result.append(Order(field, descending: descending))
    }
    return result
  }

  package var inequalityFields: Set<ModelField> {
    Set(
      filter?.leaves.compactMap { leaf in
        switch leaf {
        case .field(let field, let comparison, _): comparison.isInequality ? field : nil
        case .unary(let field, let test): test.isInequality ? field : nil
        case .and, .or: nil
        }
      } ?? [])
  }

  /// How many range fields the price list counts: those with an inequality, the name if it is
  /// filtered at all, and, beside at least one of these, every given order but the name.
  package var rangeFieldCount: Int {
    var fields = inequalityFields
    if filter?.leaves.contains(where: { $0.fieldOfLeaf == documentNameField }) ?? false {
      fields.insert(documentNameField)
    }
    if !fields.isEmpty {
      fields.formUnion(orders.map(\.field).filter { $0 != documentNameField })
    }
    return fields.count
  }
}

extension ModelQuery.Filter {
  package var leaves: [ModelQuery.Filter] {
    switch self {
    case .and(let parts), .or(let parts): parts.flatMap(\.leaves)
    case .field, .unary: [self]
    }
  }

  package var fieldOfLeaf: ModelField? {
    switch self {
    case .and, .or: nil
    case .field(let field, _, _), .unary(let field, _): field
    }
  }

  /// Whether a document whose fields are read through `read` passes.
  func accepts(_ read: (ModelField) -> ModelValue?) -> Bool {
    switch self {
    case .and(let parts): return parts.allSatisfy { $0.accepts(read) }
    case .or(let parts): return parts.contains { $0.accepts(read) }
    case .field(let field, let comparison, let operand):
      guard let value = read(field) else { return false }
      return comparison.accepts(value, operand)
    case .unary(let field, let test):
      guard let value = read(field) else { return false }
      return test.accepts(value)
    }
  }
}

extension ModelQuery.UnaryOperator {
  func accepts(_ value: ModelValue) -> Bool {
    switch self {
    case .isNull: value == .null
    case .isNaN: value.isNaN
    case .isNotNull: value != .null
    case .isNotNaN: value != .null && !value.isNaN
    }
  }
}

extension ModelQuery.FieldOperator {
  func accepts(_ value: ModelValue, _ operand: ModelValue) -> Bool {
    let order = ModelOrder.compare(value, operand)
    let comparable =
      ModelOrder.bracket(of: value) == ModelOrder.bracket(of: operand)
      && operand != .null && !operand.isNaN
    switch self {
    case .equal: return comparable && order == 0
    case .lessThan: return comparable && order < 0
    case .lessThanOrEqual: return comparable && order <= 0
    case .greaterThan: return comparable && order > 0
    case .greaterThanOrEqual: return comparable && order >= 0
    case .notEqual: return value != .null && order != 0
    case .in:
      return operand.elements.contains { ModelQuery.FieldOperator.equal.accepts(value, $0) }
    case .notIn:
      return value != .null && !operand.elements.contains(.null)
        && !operand.elements.contains { ModelOrder.compare(value, $0) == 0 }
    case .arrayContains:
      guard case .array(let elements) = value else { return false }
      return elements.contains { ModelQuery.FieldOperator.equal.accepts($0, operand) }
    case .arrayContainsAny:
      return operand.elements.contains {
        ModelQuery.FieldOperator.arrayContains.accepts(value, $0)
      }
    }
  }
}

extension ModelValue {
  var isNaN: Bool {
    if case .double(let number) = self { return number.isNaN }
    return false
  }

  fileprivate var elements: [ModelValue] {
    if case .array(let elements) = self { return elements }
    return []
  }
}
