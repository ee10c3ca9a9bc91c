import DocumentDatabase
import Testing

/// The rules that Firestore's server holds a query to, each right up to it and one beyond.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/queries#query_limitations
@Suite struct QueryRuleTests {
  private typealias Filter = StructuredQuery.Filter
  private let database = Database { 1_000_000 }
  private let collection: CollectionName
  private let a = FieldReference(segments: ["a"])
  private let b = FieldReference(segments: ["b"])
  private let name = FieldReference.documentName

  init() throws { collection = try CollectionName(path: "c") }

  private func refusal(_ change: (inout StructuredQuery) throws -> Void) throws -> QueryError? {
    var query = StructuredQuery(from: .collection(collection))
    try change(&query)
    do throws(DatabaseError) {
      _ = try database.run(query)
      return nil
    } catch {
      guard case .query(let problem) = error else { throw error }
      return problem
    }
  }

  private func refusal(where filter: StructuredQuery.Filter) throws -> QueryError? {
    try refusal { $0.where = filter }
  }

  private func field(_ number: Int) -> FieldReference { FieldReference(segments: ["f\(number)"]) }

  private func list(_ count: Int) -> Value { .array((0..<count).map { .integer(Int64($0)) }) }

  private func reference(_ path: String) throws -> Value {
    .reference(ResourceName(database: database.name, document: try DocumentName(path: path)))
  }

  @Test func `at most 30 disjunctions after lists and ORs are multiplied out`() throws {
    func product(_ left: Int, _ right: Int) throws -> QueryError? {
      try refusal(where: .and([.field(a, .in, list(left)), .field(b, .in, list(right))]))
    }
    #expect(try product(5, 6) == nil)
    #expect(try product(4, 8) == .tooManyDisjunctions(32))
    func sum(_ count: Int) throws -> QueryError? {
      try refusal(where: .or((0..<count).map { .field(field($0), .equal, .integer(1)) }))
    }
    #expect(try sum(30) == nil)
    #expect(try sum(31) == .tooManyDisjunctions(31))
    let lists = Filter.or([
      .field(a, .in, list(10)), .field(b, .arrayContainsAny, list(21)),
    ])
    #expect(try refusal(where: lists) == .tooManyDisjunctions(31))
  }

  @Test(arguments: [
    (StructuredQuery.FieldOperator.in, 30), (.arrayContainsAny, 30), (.notIn, 10),
  ])
  func `a list has 1 to as many values as its operator takes`(
    operation: StructuredQuery.FieldOperator, most: Int
  ) throws {
    #expect(try refusal(where: .field(a, operation, list(most))) == nil)
    for count in [0, most + 1] {
      #expect(
        try refusal(where: .field(a, operation, list(count)))
          == .wrongElementCount(operation, count: count, most: most))
    }
    #expect(
      try refusal(where: .field(a, operation, .integer(1))) == .operandNotAnArray(operation))
  }

  @Test func `one array filter in each disjunction`() throws {
    let one = Filter.field(a, .arrayContains, .integer(1))
    let other = Filter.field(b, .arrayContains, .integer(1))
    let any = Filter.field(b, .arrayContainsAny, list(2))
    #expect(try refusal(where: .or([one, other, any])) == nil)
    #expect(try refusal(where: .and([one, other])) == .tooManyArrayContains)
    #expect(try refusal(where: .and([one, any])) == .tooManyArrayContains)
  }

  @Test func `one negation in a query`() throws {
    let negations: [Filter] = [
      .field(a, .notEqual, .integer(1)), .field(a, .notIn, list(2)), .unary(a, .isNotNull),
      .unary(a, .isNotNaN),
    ]
    for first in negations {
      #expect(try refusal(where: first) == nil)
      for second in negations {
        #expect(try refusal(where: .and([first, second])) == .severalNotEquals)
        if case .field(_, .notIn, _) = first { continue }
        #expect(try refusal(where: .or([first, second])) == .severalNotEquals)
      }
    }
  }

  @Test func `not-in stands beside no other list`() throws {
    let notIn = Filter.field(a, .notIn, list(2))
    for operation in [StructuredQuery.FieldOperator.in, .arrayContainsAny] {
      #expect(
        try refusal(where: .and([notIn, .field(b, operation, list(2))]))
          == .notInWithListDisjunction)
    }
  }

  @Test(arguments: [Value.null, .double(.nan)])
  func `a range of null or NaN matches nothing`(operand: Value) throws {
    let document = try collection.document("d")
    try database.commit([
      Write(.update(document, Fields([("a", operand)]), mask: nil))
    ])
    for operation in [
      StructuredQuery.FieldOperator.lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
      .equal, .in, .arrayContains,
    ] {
      let value = operation == .in ? Value.array([operand]) : operand
      var query = StructuredQuery(from: .collection(collection))
      query.where = .field(a, operation, value)
      #expect(try database.run(query).documents.isEmpty, "\(operation)")
    }
  }

  @Test func `the document name is compared with names, and holds no array`() throws {
    #expect(try refusal(where: .field(name, .equal, reference("c/d"))) == nil)
    #expect(
      try refusal(where: .field(name, .equal, .string("d")))
        == .nameNotComparedWithReference(.string("d")))
    #expect(
      try refusal(where: .field(name, .arrayContains, reference("c/d")))
        == .arrayOperatorOnName(.arrayContains))
    let foreign = Value.reference(
      ResourceName(
        database: DatabaseName(project: "other"), document: try DocumentName(path: "c/d")))
    #expect(try refusal(where: .field(name, .equal, foreign)) != nil)
  }

  @Test func `a field is ordered once, and nothing after the name`() throws {
    #expect(try refusal { $0.orderBy = [.init(a), .init(a, .descending)] } == .orderedTwice(a))
    #expect(try refusal { $0.orderBy = [.init(name), .init(a)] } == .orderAfterName(a))
    let implied = try refusal {
      $0.where = .field(a, .greaterThan, .integer(1))
      $0.orderBy = [.init(name)]
    }
    #expect(implied == .orderAfterName(a))
  }

  @Test func `an inequality stands beside no equality of the name`() throws {
    let inequality = Filter.field(a, .greaterThan, .integer(1))
    #expect(
      try refusal(where: .and([inequality, .field(name, .equal, reference("c/d"))]))
        == .rangeWithNameEquality(a))
    #expect(
      try refusal(where: .and([inequality, .field(name, .greaterThan, reference("c/d"))])) == nil)
  }

  @Test func `ten fields with inequalities and a hundred components`() throws {
    func ranges(_ count: Int) throws -> QueryError? {
      try refusal(where: .and((0..<count).map { .field(field($0), .greaterThan, .integer(1)) }))
    }
    #expect(try ranges(10) == nil)
    #expect(try ranges(11) == .tooManyRangeFields(11))
    func components(_ count: Int) throws -> QueryError? {
      try refusal {
        $0.where = .and((1..<count).map { .field(field($0), .equal, .integer(1)) })
        $0.orderBy = [.init(a)]
      }
    }
    #expect(try components(100) == nil)
    #expect(try components(101) == .tooManyComponents(101))
  }

  @Test func `an OR has filters, an AND need not`() throws {
    #expect(try refusal(where: .or([])) == .emptyOr)
    #expect(try refusal(where: .and([])) == nil)
  }

  @Test func `limit and offset are not negative`() throws {
    #expect(try refusal { $0.limit = 0 } == nil)
    #expect(try refusal { $0.limit = -1 } == .negativeLimit(-1))
    #expect(try refusal { $0.offset = -1 } == .negativeOffset(-1))
  }

  // MARK: Cursors

  private func refusal(
    cursor values: [Value], _ change: (inout StructuredQuery) -> Void
  ) throws -> QueryError? {
    try refusal {
      change(&$0)
      $0.startAt = .init(values: values, before: true)
    }
  }

  @Test func `a cursor has a value for each explicit order at most`() throws {
    #expect(
      try refusal(cursor: [.integer(1), reference("c/d")]) { $0.orderBy = [.init(a)] }
        == .tooManyCursorValues(given: 2, orders: 1))
    #expect(
      try refusal(cursor: [.integer(1), reference("c/d")]) {
        $0.orderBy = [.init(a), .init(name)]
      } == nil)
    #expect(try refusal(cursor: []) { $0.orderBy = [.init(a)] } == .cursorWithoutValues)
  }

  @Test func `a cursor names a document by its name, be it there or not`() throws {
    for path in ["c/d", "c/none", "x/y"] {
      #expect(try refusal(cursor: [reference(path)]) { $0.orderBy = [.init(name)] } == nil)
    }
    #expect(
      try refusal(cursor: [.string("d")]) { $0.orderBy = [.init(name)] }
        == .cursorNameNotAReference(.string("d")))
  }

  @Test func `a cursor lies within the range of the first order, or on its bound`() throws {
    for value in [Value.integer(5), .double(5.5), .integer(9)] {
      #expect(
        try refusal(cursor: [value]) {
          $0.where = .field(a, .greaterThan, .integer(5))
          $0.orderBy = [.init(a)]
        } == nil)
    }
    for value in [Value.integer(4), .string("x"), .null] {
      #expect(
        try refusal(cursor: [value]) {
          $0.where = .field(a, .greaterThan, .integer(5))
          $0.orderBy = [.init(a)]
        } == .cursorOutsideRange(a))
    }
  }

  // MARK: Aggregations

  private func refusal(
    of aggregations: [Aggregation], orderedBy orders: [StructuredQuery.Order] = []
  ) throws -> QueryError? {
    var query = StructuredQuery(from: .collection(collection))
    query.orderBy = orders
    do throws(DatabaseError) {
      _ = try database.aggregate(query, aggregations)
      return nil
    } catch {
      guard case .query(let problem) = error else { throw error }
      return problem
    }
  }

  @Test func `one to five aggregations, each with a name of its own`() throws {
    func counts(_ count: Int) -> [Aggregation] {
      (0..<count).map { Aggregation(alias: "n\($0)", .count()) }
    }
    #expect(try refusal(of: counts(5)) == nil)
    #expect(try refusal(of: counts(0)) == .aggregationCount(0))
    #expect(try refusal(of: counts(6)) == .aggregationCount(6))
    #expect(try refusal(of: [counts(1)[0], counts(1)[0]]) == .duplicateAlias("n0"))
  }

  @Test func `a count stops at one or more`() throws {
    #expect(try refusal(of: [Aggregation(alias: "n", .count(upTo: 1))]) == nil)
    #expect(try refusal(of: [Aggregation(alias: "n", .count(upTo: 0))]) == .countLimit(0))
  }

  @Test func `no aggregated field comes after the name`() throws {
    let sum = [Aggregation(alias: "s", .sum(a))]
    #expect(try refusal(of: sum, orderedBy: [.init(name)]) == .aggregationAfterName(a))
    #expect(try refusal(of: sum, orderedBy: [.init(a), .init(name)]) == nil)
  }
}
