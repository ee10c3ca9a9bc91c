import DocumentDatabase

/// Reads the queries of `vectors.json`: the REST type `StructuredQuery` with a few client's members.
struct VectorQuery {
  let documents: [(path: String, fields: Fields)]

  /// A key without a slash is a document of the collection `c`.
  static func path(of key: String) -> String {
    key.utf8.contains(UInt8(ascii: "/")) ? key : "c/\(key)"
  }

  func query(_ json: JSON) throws -> ClientQuery {
    try json.onlyMembers([
      "from", "where", "orderBy", "startAt", "endAt", "offset", "limit", "select", "limitToLast",
      "startAtDocument", "startAfterDocument", "endAtDocument", "endBeforeDocument",
      "cursorDocuments", "aggregations",
    ])
    let from = try json.required("from").elements()
    guard from.count == 1, let source = from.first else { throw NotUnderstood("from \(from)") }
    let id = try source.required("collectionId").text()
    let isGroup = try source["allDescendants"]?.boolean() ?? false
    var client = ClientQuery(
      StructuredQuery(
        from: isGroup ? .collectionGroup(id: id) : .collection(try CollectionName(path: id))))
    client.query.where = try json["where"].map { try filter($0) }
    client.query.orderBy = try json["orderBy"]?.elements().map { try order($0) } ?? []
    client.query.startAt = try json["startAt"].map { try cursor($0) }
    client.query.endAt = try json["endAt"].map { try cursor($0) }
    client.query.offset = try json["offset"]?.integer() ?? 0
    client.query.limit = try json["limit"]?.integer()
    client.limitToLast = try json["limitToLast"]?.integer()
    client.query.select = try json["select"].map {
      try ($0["fields"]?.elements() ?? []).map { try field($0) }.filter { !$0.isDocumentName }
    }
    client.startSnapshot =
      try snapshot("startAtDocument", before: true, in: json)
      ?? snapshot("startAfterDocument", before: false, in: json)
    client.endSnapshot =
      try snapshot("endAtDocument", before: false, in: json)
      ?? snapshot("endBeforeDocument", before: true, in: json)
    return client
  }

  private func snapshot(
    _ member: String, before: Bool, in json: JSON
  ) throws -> ClientQuery.SnapshotCursor? {
    guard let key = try json[member]?.text() else { return nil }
    let path = VectorQuery.path(of: key)
    let remembered = try json["cursorDocuments"]?[key].map { try Fields(rest: $0) }
    return .init(
      name: try DocumentName(path: path),
      fields: remembered ?? documents.last { $0.path.hasSameBytes(as: path) }?.fields,
      before: before)
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

  private func cursor(_ json: JSON) throws -> StructuredQuery.Cursor {
    try json.onlyMembers(["values", "before"])
    return .init(
      values: try json.required("values").elements().map { try Value(rest: $0) },
      before: try json["before"]?.boolean() ?? false)
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
