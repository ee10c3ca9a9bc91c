package import DocumentDatabase

/// A query as Firestore's REST interface takes it: the body of `runQuery` or of
/// `runAggregationQuery`, or a `StructuredQuery` alone.
///
/// Source: https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredQuery
package struct RESTQuery: Hashable, Sendable {
  /// The query in the database that it is to run on.
  package var query: StructuredQuery
  /// Nil for a query that returns documents.
  package var aggregations: [Aggregation]?
  /// What `explainOptions` ask for: nil for the result, false for the plan, true for both.
  package var explainsAnalyzing: Bool?

  /// The queries of an input: one object, an array of them, or one on each line.
  ///
  /// - Throws: `InputError` with the place of the first mistake.
  package static func queries(
    of bytes: [UInt8], in database: DatabaseName = DatabaseName(project: "feedstore")
  ) throws(InputError) -> [RESTQuery] {
    var queries: [RESTQuery] = []
    for record in try InputText(bytes).records().records {
      let prefix = record.line > 1 ? "line \(record.line): " : ""
      do throws(RESTProblem) {
        queries.append(try RESTQuery(JSONMember(record.value, at: ""), in: database))
      } catch { throw .member(RESTProblem(path: prefix + error.path, expected: error.expected)) }
    }
    return queries
  }

  /// - Throws: `RESTProblem` with the path of the first member that Firestore would not take.
  init(_ json: JSONMember, in database: DatabaseName) throws(RESTProblem) {
    if let options = json["explainOptions"] {
      try options.allow(["analyze"])
      explainsAnalyzing = try options.boolean("analyze") ?? false
    }
    var body = json
    var isAggregation = false
    let isRequest = json["structuredQuery"] != nil || json["structuredAggregationQuery"] != nil
    if isRequest {
      try json.allow(["parent", "structuredQuery", "structuredAggregationQuery", "explainOptions"])
      isAggregation = json["structuredAggregationQuery"] != nil
      body = try json.required(isAggregation ? "structuredAggregationQuery" : "structuredQuery")
    } else {
      isAggregation = json["aggregations"] != nil
    }
    if isAggregation {
      try body.allow(["structuredQuery", "aggregations"])
      var list: [Aggregation] = []
      for (index, entry) in try body.list("aggregations").enumerated() {
        list.append(try Aggregation(entry, number: index + 1))
      }
      aggregations = list
      body = try body.required("structuredQuery")
    }
    let parent = json["parent"] == nil ? nil : try json.text("parent")
    query = try StructuredQuery(body, parent: parent, in: database)
  }
}

extension RESTQuery {
  /// The path of the collection that is asked, or the id of the group.
  package var collection: String {
    switch query.from {
    case .collection(let name): name.path
    case .collectionGroup(let id): id
    }
  }

  /// What to compute over the documents; nil for a query that returns them.
  package var aggregateFields: [AggregateField]? {
    aggregations?.map { AggregateField(.requested($0)) }
  }

  /// The query on `firestore`.
  package func query(in firestore: Firestore) -> Query {
    var request = QueryRequest(from: query.from)
    request.structured = query
    request.start = query.startAt.map { .init(position: .values($0.values), before: $0.before) }
    request.end = query.endAt.map { .init(position: .values($0.values), before: $0.before) }
    return Query(firestore: firestore, request: .success(request))
  }
}

extension Aggregation {
  fileprivate init(_ json: JSONMember, number: Int) throws(RESTProblem) {
    try json.allow(["alias", "count", "sum", "avg"])
    let alias = json["alias"] == nil ? "field_\(number)" : try json.text("alias")
    let given = ["count", "sum", "avg"].filter { json[$0] != nil }
    guard given.count == 1 else { throw json.problem("an entry with one of count, sum and avg") }
    let body = try json.required(given[0])
    switch given[0] {
    case "count":
      try body.allow(["upTo"])
      self.init(alias: alias, .count(upTo: try body.integer("upTo")))
    default:
      try body.allow(["field"])
      let field = try body.required("field").fieldPath("fieldPath")
      self.init(alias: alias, given[0] == "sum" ? .sum(field) : .average(field))
    }
  }
}

extension StructuredQuery {
  fileprivate init(
    _ json: JSONMember, parent: String?, in database: DatabaseName
  ) throws(RESTProblem) {
    try json.allow([
      "select", "from", "where", "orderBy", "startAt", "endAt", "offset", "limit",
    ])
    self.init(from: try CollectionSelector(json, parent: parent))
    self.where = try json["where"].map { json throws(RESTProblem) in try Filter(json, database) }
    for entry in try json.list("orderBy") { orderBy.append(try Order(entry)) }
    startAt = try json["startAt"].map { json throws(RESTProblem) in
      try Cursor(json, orderBy, database)
    }
    endAt = try json["endAt"].map { json throws(RESTProblem) in
      try Cursor(json, orderBy, database)
    }
    offset = try json.integer("offset") ?? 0
    // An Int32Value stands plainly in JSON, but some tools write it as the object it wraps.
    if let wrapped = json["limit"], wrapped["value"] != nil {
      limit = try wrapped.integer("value")
    } else {
      limit = try json.integer("limit")
    }
    if let projection = json["select"] {
      try projection.allow(["fields"])
      var fields: [FieldReference] = []
      for field in try projection.list("fields") {
        fields.append(try field.fieldPath("fieldPath"))
      }
      select = fields.filter { !$0.isDocumentName }
    }
  }
}

extension StructuredQuery.CollectionSelector {
  fileprivate init(_ json: JSONMember, parent: String?) throws(RESTProblem) {
    let sources = try json.list("from")
    guard sources.count == 1, let source = sources.first else {
      throw json.problem("from", "a list of one collection")
    }
    try source.allow(["collectionId", "allDescendants"])
    let id = try source.text("collectionId")
    let base = parent.flatMap { parent in
      parent.firstRange(of: "/documents").map { parent[$0.upperBound...].drop { $0 == "/" } }
    }
    if parent != nil && base == nil {
      throw RESTProblem(path: "parent", expected: "projects/…/databases/…/documents…")
    }
    let prefix = base.map { $0.isEmpty ? "" : "\($0)/" } ?? ""
    let name: CollectionName
    do throws(NameError) { name = try CollectionName(path: prefix + id) } catch {
      throw source.problem("collectionId", "the id of a collection: \(error)")
    }
    guard try source.boolean("allDescendants") == true else {
      self = .collection(name)
      return
    }
    guard prefix.isEmpty else {
      throw RESTProblem(
        path: "parent", expected: "the root, which a collection group is queried from")
    }
    self = .collectionGroup(id: name.id)
  }
}

extension StructuredQuery.Order {
  fileprivate init(_ json: JSONMember) throws(RESTProblem) {
    try json.allow(["field", "direction"])
    let field = try json.required("field").fieldPath("fieldPath")
    switch json["direction"] == nil ? "ASCENDING" : try json.text("direction") {
    case "ASCENDING", "DIRECTION_UNSPECIFIED": self.init(field)
    case "DESCENDING": self.init(field, .descending)
    default: throw json.problem("direction", "ASCENDING or DESCENDING")
    }
  }
}

extension StructuredQuery.Cursor {
  fileprivate init(
    _ json: JSONMember, _ orders: [StructuredQuery.Order], _ database: DatabaseName
  ) throws(RESTProblem) {
    try json.allow(["values", "before"])
    var values: [Value] = []
    for (index, element) in try json.list("values").enumerated() {
      let value = try RESTDocument.value(element.value, path: element.path)
      let isName = index < orders.count && orders[index].field.isDocumentName
      values.append(isName ? value.moved(to: database) : value)
    }
    self.init(values: values, before: try json.boolean("before") ?? false)
  }
}

extension StructuredQuery.Filter {
  fileprivate init(_ json: JSONMember, _ database: DatabaseName) throws(RESTProblem) {
    let kinds = ["compositeFilter", "fieldFilter", "unaryFilter"]
    try json.allow(Set(kinds))
    let given = kinds.filter { json[$0] != nil }
    guard given.count == 1 else {
      throw json.problem("a filter with one of \(kinds.joined(separator: ", "))")
    }
    let body = try json.required(given[0])
    switch given[0] {
    case "compositeFilter":
      try body.allow(["op", "filters"])
      var filters: [StructuredQuery.Filter] = []
      for filter in try body.list("filters") { filters.append(try .init(filter, database)) }
      switch try body.text("op") {
      case "AND": self = .and(filters)
      case "OR": self = .or(filters)
      default: throw body.problem("op", "AND or OR")
      }
    case "fieldFilter":
      try body.allow(["field", "op", "value"])
      let field = try body.required("field").fieldPath("fieldPath")
      let name = try body.text("op")
      guard let operation = StructuredQuery.FieldOperator(restName: name) else {
        throw body.problem("op", "an operator that a field and a value can have")
      }
      let operand = try body.required("value")
      let value = try RESTDocument.value(operand.value, path: operand.path)
      self = .field(field, operation, field.isDocumentName ? value.moved(to: database) : value)
    default:
      try body.allow(["field", "op"])
      let field = try body.required("field").fieldPath("fieldPath")
      let name = try body.text("op")
      guard let operation = StructuredQuery.UnaryOperator(restName: name) else {
        throw body.problem("op", "IS_NULL, IS_NAN, IS_NOT_NULL or IS_NOT_NAN")
      }
      self = .unary(field, operation)
    }
  }
}

extension StructuredQuery.FieldOperator {
  package init?(restName: String) {
    guard let operation = Self.allCases.first(where: { $0.restName == restName }) else {
      return nil
    }
    self = operation
  }

  private var restName: String {
    switch self {
    case .equal: "EQUAL"
    case .notEqual: "NOT_EQUAL"
    case .lessThan: "LESS_THAN"
    case .lessThanOrEqual: "LESS_THAN_OR_EQUAL"
    case .greaterThan: "GREATER_THAN"
    case .greaterThanOrEqual: "GREATER_THAN_OR_EQUAL"
    case .arrayContains: "ARRAY_CONTAINS"
    case .arrayContainsAny: "ARRAY_CONTAINS_ANY"
    case .in: "IN"
    case .notIn: "NOT_IN"
    }
  }
}

extension StructuredQuery.UnaryOperator {
  package init?(restName: String) {
    switch restName {
    case "IS_NULL": self = .isNull
    case "IS_NAN": self = .isNaN
    case "IS_NOT_NULL": self = .isNotNull
    case "IS_NOT_NAN": self = .isNotNaN
    default: return nil
    }
  }
}

extension Value {
  /// A document's name, or a list of them, as names in `database`: a query taken from production
  /// names its documents with the project they are in.
  fileprivate func moved(to database: DatabaseName) -> Value {
    switch self {
    case .reference(let name):
      .reference(ResourceName(database: database, document: name.document))
    case .array(let elements): .array(elements.map { $0.moved(to: database) })
    default: self
    }
  }
}
