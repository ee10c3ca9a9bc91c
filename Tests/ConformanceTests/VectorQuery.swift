import DocumentDatabase
import FeedStore

/// Makes the request that a query of `vectors.json` stands for: the REST type `StructuredQuery`, or
/// calls of the client API where it has members that only clients know.
struct VectorQuery {
  let client: Client
  let documents: [(path: String, fields: Fields)]
  let json: JSON

  init(_ json: JSON, client: Client, documents: [(path: String, fields: Fields)]) throws {
    try json.onlyMembers(
      VectorQuery.clientMembers.union([
        "from", "where", "orderBy", "startAt", "endAt", "offset", "limit", "select",
        "cursorDocuments", "aggregations",
      ]))
    self.json = json
    self.client = client
    self.documents = documents
  }

  private static let clientMembers: Set = [
    "limitToLast", "startAtDocument", "startAfterDocument", "endAtDocument", "endBeforeDocument",
  ]

  /// A key without a slash is a document of the collection `c`.
  static func path(of key: String) -> String {
    key.utf8.contains(UInt8(ascii: "/")) ? key : "c/\(key)"
  }

  /// Runs the query and gives the names of the results.
  func names() async throws -> [DocumentName] {
    if VectorQuery.clientMembers.contains(where: { json[$0] != nil }) {
      let query = try await query()
      client.firestore.readMeter.reset()
      return try await query.getDocuments().documents.map(\.name)
    }
    return try client.firestore.database.run(try structured()).result.documents.map(\.name)
  }

  func structured() throws -> StructuredQuery {
    let from = try json.required("from").elements()
    guard from.count == 1, let source = from.first else { throw NotUnderstood("from \(from)") }
    let id = try source.required("collectionId").text()
    let isGroup = try source["allDescendants"]?.boolean() ?? false
    var query = StructuredQuery(
      from: isGroup ? .collectionGroup(id: id) : .collection(try CollectionName(path: id)))
    query.where = try json["where"].map { try filter($0) }
    query.orderBy = try json["orderBy"]?.elements().map { try order($0) } ?? []
    query.startAt = try json["startAt"].map { try cursor($0) }
    query.endAt = try json["endAt"].map { try cursor($0) }
    query.offset = try json["offset"]?.integer() ?? 0
    query.limit = try json["limit"]?.integer()
    query.select = try json["select"].map {
      try ($0["fields"]?.elements() ?? []).map { try field($0) }.filter { !$0.isDocumentName }
    }
    return query
  }

  func query() async throws -> Query {
    let structured = try structured()
    var request = QueryRequest(from: structured.from)
    request.structured = structured
    var query = Query(firestore: client.firestore, request: .success(request))
    if let start = structured.startAt {
      let values = start.values.map { $0.unboxed(in: client.firestore) }
      query = start.before ? query.start(at: values) : query.start(after: values)
    }
    if let end = structured.endAt {
      let values = end.values.map { $0.unboxed(in: client.firestore) }
      query = end.before ? query.end(before: values) : query.end(at: values)
    }
    if let limit = try json["limitToLast"]?.integer() { query = query.limit(toLast: limit) }
    if let document = try await snapshot("startAtDocument") {
      query = query.start(atDocument: document)
    }
    if let document = try await snapshot("startAfterDocument") {
      query = query.start(afterDocument: document)
    }
    if let document = try await snapshot("endAtDocument") {
      query = query.end(atDocument: document)
    }
    if let document = try await snapshot("endBeforeDocument") {
      query = query.end(beforeDocument: document)
    }
    return query
  }

  /// Reads the cursor's document while it is as it was when the cursor was made.
  private func snapshot(_ member: String) async throws -> DocumentSnapshot? {
    guard let key = try json[member]?.text() else { return nil }
    let path = VectorQuery.path(of: key)
    let then = try json["cursorDocuments"]?[key].map { try Fields(rest: $0) }
    if let then { try client.put(then, at: path) }
    let snapshot = try await client.firestore.document(path).getDocument()
    if then != nil {
      try client.put(documents.last { $0.path.hasSameBytes(as: path) }?.fields, at: path)
    }
    return snapshot
  }

  private func cursor(_ json: JSON) throws -> StructuredQuery.Cursor {
    try json.onlyMembers(["values", "before"])
    return .init(
      values: try json.required("values").elements().map { try Value(rest: $0) },
      before: try json["before"]?.boolean() ?? false)
  }

  private func field(_ json: JSON) throws -> FieldReference {
    try FieldReference(parsing: try json.required("fieldPath").text())
  }

  private func order(_ json: JSON) throws -> StructuredQuery.Order {
    try json.onlyMembers(["field", "direction"])
    let field = try field(try json.required("field"))
    switch try json["direction"]?.text() ?? "ASCENDING" {
    case "ASCENDING": return .init(field)
    case "DESCENDING": return .init(field, .descending)
    case let other: throw NotUnderstood("direction \(other)")
    }
  }

  private func filter(_ json: JSON) throws -> StructuredQuery.Filter {
    let (kind, content) = try json.choice()
    switch kind {
    case "compositeFilter":
      let parts = try (content["filters"]?.elements() ?? []).map { try filter($0) }
      switch try content.required("op").text() {
      case "AND": return .and(parts)
      case "OR": return .or(parts)
      case let other: throw NotUnderstood("composite \(other)")
      }
    case "fieldFilter":
      return .field(
        try field(try content.required("field")),
        try VectorQuery.comparison(try content.required("op").text()),
        try Value(rest: try content.required("value")))
    case "unaryFilter":
      return .unary(
        try field(try content.required("field")),
        try VectorQuery.test(try content.required("op").text()))
    default: throw NotUnderstood("filter \(kind)")
    }
  }

  private static func comparison(_ name: String) throws -> StructuredQuery.FieldOperator {
    switch name {
    case "EQUAL": .equal
    case "NOT_EQUAL": .notEqual
    case "LESS_THAN": .lessThan
    case "LESS_THAN_OR_EQUAL": .lessThanOrEqual
    case "GREATER_THAN": .greaterThan
    case "GREATER_THAN_OR_EQUAL": .greaterThanOrEqual
    case "ARRAY_CONTAINS": .arrayContains
    case "ARRAY_CONTAINS_ANY": .arrayContainsAny
    case "IN": .in
    case "NOT_IN": .notIn
    default: throw NotUnderstood("operator \(name)")
    }
  }

  private static func test(_ name: String) throws -> StructuredQuery.UnaryOperator {
    switch name {
    case "IS_NULL": .isNull
    case "IS_NAN": .isNaN
    case "IS_NOT_NULL": .isNotNull
    case "IS_NOT_NAN": .isNotNaN
    default: throw NotUnderstood("unary operator \(name)")
    }
  }
}
