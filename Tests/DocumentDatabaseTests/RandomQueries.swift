import ReferenceModel
import TestSupport

/// Makes small collections in which documents tie, lack fields and hold every type, and queries over
/// them that Firestore would accept.
struct RandomQueries {
  static let fields: [ModelField] =
    ["a", "b", "c"].map { [Bytes($0.utf8)] } + [
      [Bytes("m".utf8), Bytes("x".utf8)], [Bytes("m".utf8), Bytes("y.z".utf8)],
    ]
  static let tags: ModelField = [Bytes("t".utf8)]
  static let collection = ModelPath(text: "c")

  /// Fields in which few values recur, unless `wild` asks for many.
  static func document(_ generator: inout SeededGenerator, wild: Double) -> ModelFields {
    var result: ModelFields = [:]
    for field in fields where generator.chance(0.8) {
      let value =
        generator.chance(wild) ? RandomValues.any(&generator) : generator.pick(RandomValues.common)
      setValue(value, at: field, in: &result)
    }
    if generator.chance(0.7) {
      let elements = (0..<generator.number(0...4)).map { _ in element(&generator) }
      setValue(.array(elements), at: tags, in: &result)
    }
    return result
  }

  private static func element(_ generator: inout SeededGenerator) -> ModelValue {
    generator.pick(RandomValues.scalars)
  }

  static func path(_ generator: inout SeededGenerator) -> ModelPath {
    let ids = [
      "a", "b", "aa", "A", "é", "e\u{301}", "__id7__", "__id12__", "__id-2__", "7", "12", "🐵",
      "\u{ff30}", "a\0", "z",
    ]
    let parents = ["c", "c", "c", "c", "d", "c/a/c", "d/é/c", "c/a/d", "cc"]
    let id = generator.chance(0.5) ? generator.pick(ids) : "n\(generator.number(0...40))"
    return ModelPath(text: generator.pick(parents)) + [Bytes(id.utf8)]
  }

  /// A query that breaks no rule of Firestore's.
  static func query(_ generator: inout SeededGenerator, over model: ModelDatabase) -> ModelQuery {
    var query = ModelQuery(
      generator.chance(0.75) ? .collection(collection) : .collectionGroup(Bytes("c".utf8)))
    var rules = FilterRules()
    if generator.chance(0.75) {
      query.filter = filter(&generator, over: model, rules: &rules, depth: 2)
    }
    addOrders(to: &query, using: &generator)
    if generator.chance(0.3) { addCursors(to: &query, over: model, using: &generator) }
    if generator.chance(0.3) { query.offset = generator.number(0...6) }
    if generator.chance(0.6) { query.limit = generator.number(1...8) }
    if query.limit != nil && !query.orders.isEmpty && query.offset == 0 {
      query.isLimitToLast = generator.chance(0.3)
    }
    return query
  }

  /// What a query has used up of what it may contain once.
  struct FilterRules {
    var hasNegation = false
    var hasNotIn = false
    var hasDisjunction = false
    var hasArrayFilter = false
    var hasNameEquality = false
    var hasFieldInequality = false
    var disjuncts = 1
  }

  private static func filter(
    _ generator: inout SeededGenerator, over model: ModelDatabase, rules: inout FilterRules,
    depth: Int
  ) -> ModelQuery.Filter {
    guard depth > 0, generator.chance(0.55) else {
      return leaf(&generator, over: model, rules: &rules)
    }
    let isOr = generator.chance(0.4) && !rules.hasNotIn && rules.disjuncts <= 3
    if isOr {
      rules.hasDisjunction = true
      rules.disjuncts *= 3
    }
    let parts = (0..<generator.number(1...3)).map { _ in
      filter(&generator, over: model, rules: &rules, depth: depth - 1)
    }
    return isOr ? .or(parts) : .and(parts)
  }

  private static func leaf(
    _ generator: inout SeededGenerator, over model: ModelDatabase, rules: inout FilterRules
  ) -> ModelQuery.Filter {
    if generator.chance(0.08) { return nameFilter(&generator, over: model, rules: &rules) }
    let field = generator.pick(fields)
    let operand = operand(&generator, for: field, in: model)
    switch generator.number(0...11) {
    case 0 where !rules.hasArrayFilter:
      rules.hasArrayFilter = true
      return .field(tags, .arrayContains, element(&generator))
    case 1 where !rules.hasArrayFilter && rules.disjuncts <= 3 && !rules.hasNotIn:
      rules.hasArrayFilter = true
      rules.hasDisjunction = true
      rules.disjuncts *= 3
      return .field(tags, .arrayContainsAny, .array((0..<3).map { _ in element(&generator) }))
    case 2 where rules.disjuncts <= 3 && !rules.hasNotIn:
      rules.hasDisjunction = true
      rules.disjuncts *= 3
      return .field(field, .in, operands(&generator, for: field, in: model))
    case 3 where !rules.hasNegation && !rules.hasNameEquality:
      rules.hasNegation = true
      rules.hasFieldInequality = true
      switch generator.number(0...3) {
      case 0: return .unary(field, .isNotNull)
      case 1: return .unary(field, .isNotNaN)
      case 2 where !rules.hasDisjunction:
        rules.hasNotIn = true
        return .field(field, .notIn, operands(&generator, for: field, in: model))
      default: return .field(field, .notEqual, notSpecial(operand))
      }
    case 4: return .unary(field, generator.pick([.isNull, .isNaN]))
    case 5...8 where !rules.hasNameEquality:
      rules.hasFieldInequality = true
      let comparison: ModelQuery.FieldOperator = generator.pick([
        .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
      ])
      return .field(field, comparison, notSpecial(operand))
    default: return .field(field, .equal, notSpecial(operand))
    }
  }

  private static func nameFilter(
    _ generator: inout SeededGenerator, over model: ModelDatabase, rules: inout FilterRules
  ) -> ModelQuery.Filter {
    func name() -> ModelValue {
      let paths = model.documents.keys.filter { $0.dropLast() == collection[...] }.sorted {
        ModelOrder.comparePaths($0, $1) < 0
      }
      let path = paths.isEmpty ? ModelPath(text: "c/none") : generator.pick(paths)
      return .reference(RandomValues.reference(pathText(path)))
    }
    if !rules.hasFieldInequality && generator.chance(0.4) {
      rules.hasNameEquality = true
      return .field(documentNameField, .equal, name())
    }
    return .field(documentNameField, generator.pick([.lessThan, .greaterThanOrEqual]), name())
  }

  /// Often a value that some document has there.
  private static func operand(
    _ generator: inout SeededGenerator, for field: ModelField, in model: ModelDatabase
  ) -> ModelValue {
    let present = model.documents.sorted { ModelOrder.comparePaths($0.key, $1.key) < 0 }
      .compactMap { value(at: field, in: $0.value.fields) }
    if !present.isEmpty && generator.chance(0.7) { return generator.pick(present) }
    return generator.pick(RandomValues.common)
  }

  private static func operands(
    _ generator: inout SeededGenerator, for field: ModelField, in model: ModelDatabase
  ) -> ModelValue {
    .array(
      (0..<3).map { _ in
        let operand = operand(&generator, for: field, in: model)
        if case .array = operand { return .integer(1) }
        return operand
      })
  }

  /// A filter with null or NaN is a unary one.
  private static func notSpecial(_ operand: ModelValue) -> ModelValue {
    ModelOrder.bracket(of: operand) == 0 || ModelOrder.bracket(of: operand) == 2
      ? .integer(1) : operand
  }
}

extension RandomQueries {
  /// Nothing may be ordered after the name, and no inequality field be left for after it.
  private static func addOrders(
    to query: inout ModelQuery, using generator: inout SeededGenerator
  ) {
    var fields = RandomQueries.fields.shuffled(using: &generator)
    if generator.chance(0.15) { fields.append(tags) }
    for field in fields.prefix(generator.pick([0, 0, 1, 1, 1, 2, 2, 3])) {
      query.orders.append(.init(field, descending: generator.chance(0.5)))
    }
    let ordered = Set(query.orders.map(\.field))
    if query.inequalityFields.subtracting([documentNameField]).isSubset(of: ordered),
      generator.chance(0.25)
    {
      query.orders.append(.init(documentNameField, descending: generator.chance(0.5)))
    }
  }

  /// Cursors from rows of the result stay inside any range; others are made only without ranges.
  private static func addCursors(
    to query: inout ModelQuery, over model: ModelDatabase, using generator: inout SeededGenerator
  ) {
    guard !query.orders.isEmpty else { return }
    let rows = model.run(query).results
    let hasRange = query.effectiveOrders.first.map { query.inequalityFields.contains($0.field) }
    func cursor() -> ModelQuery.Cursor? {
      var values: [ModelValue]
      if !rows.isEmpty && (hasRange ?? false || generator.chance(0.7)) {
        values = model.position(of: generator.pick(rows), in: query.orders)
      } else if hasRange ?? false {
        return nil
      } else {
        values = query.orders.map { order in
          order.field == documentNameField
            ? .reference(RandomValues.reference("c/n\(generator.number(0...40))"))
            : generator.pick(RandomValues.common)
        }
      }
      values = Array(values.prefix(generator.number(1...values.count)))
      return .init(values, isBefore: generator.chance(0.5))
    }
    if generator.chance(0.7) { query.start = cursor() }
    if generator.chance(0.5) { query.end = cursor() }
  }
}
