import DocumentDatabase

/// Reads the queries of `ground-truth.json`, which are written as calls of the client SDK.
struct GroundTruthQuery {
  let database: DatabaseName
  let setup: [(path: String, fields: Fields)]

  func query(_ json: JSON) throws -> ClientQuery {
    try json.onlyMembers([
      "from", "collectionGroup", "where", "orderBy", "limit", "limitToLast", "offset", "startAt",
      "startAfter", "endAt", "endBefore", "select",
    ])
    let from = try json.required("from").text()
    let isGroup = try json["collectionGroup"]?.boolean() ?? false
    var client = ClientQuery(
      StructuredQuery(
        from: isGroup
          ? .collectionGroup(id: from) : .collection(try CollectionName(path: from))))
    let names = NameReading(database: database, from: from, isGroup: isGroup)
    let filters = try json["where"]?.elements().map { try filter($0, names) } ?? []
    client.query.where =
      filters.count == 1 ? filters.first : filters.isEmpty ? nil : .and(filters)
    client.query.orderBy = try json["orderBy"]?.elements().map { try order($0) } ?? []
    client.query.limit = try json["limit"]?.integer()
    client.limitToLast = try json["limitToLast"]?.integer()
    if client.query.limit == 0 || client.limitToLast == 0 {
      throw ClientRefusal(rule: "a limit is positive")
    }
    client.query.offset = try json["offset"]?.integer() ?? 0
    client.query.select = try json["select"]?.elements().map { try GroundTruthQuery.field($0) }
    try addCursors(of: json, to: &client, names, from: from)
    return client
  }

  private func addCursors(
    of json: JSON, to client: inout ClientQuery, _ names: NameReading, from: String
  ) throws {
    for (member, before, isStart) in [
      ("startAt", true, true), ("startAfter", false, true), ("endBefore", true, false),
      ("endAt", false, false),
    ] {
      guard let cursor = json[member] else { continue }
      let (kind, content) = try cursor.choice()
      switch kind {
      case "values":
        let values = try content.elements().enumerated().map { index, json in
          let isName =
            index < client.query.orderBy.count
            && client.query.orderBy[index].field.isDocumentName
          let value = try Value(rest: json)
          return isName ? try names.operand(value) : value
        }
        let place = StructuredQuery.Cursor(values: values, before: before)
        if isStart { client.query.startAt = place } else { client.query.endAt = place }
      case "document":
        let id = try content.text()
        let path = id.utf8.contains(UInt8(ascii: "/")) ? id : "\(from)/\(id)"
        let place = ClientQuery.SnapshotCursor(
          name: try DocumentName(path: path),
          fields: setup.last { $0.path.hasSameBytes(as: path) }?.fields, before: before)
        if isStart { client.startSnapshot = place } else { client.endSnapshot = place }
      default: throw NotUnderstood("cursor \(kind)")
      }
    }
  }

  private func filter(_ json: JSON, _ names: NameReading) throws -> StructuredQuery.Filter {
    if let parts = json["or"] { return .or(try parts.elements().map { try filter($0, names) }) }
    if let parts = json["and"] { return .and(try parts.elements().map { try filter($0, names) }) }
    try json.onlyMembers(["field", "op", "value"])
    let field = try GroundTruthQuery.field(try json.required("field"))
    let name = try json.required("op").text()
    guard let comparison = StructuredQuery.FieldOperator(rawValue: name) else {
      throw NotUnderstood("operator \(name)")
    }
    var operand = try Value(rest: try json.required("value"))
    if field.isDocumentName { operand = try names.operand(operand) }
    switch (comparison, operand) {
    case (.equal, .null): return .unary(field, .isNull)
    case (.notEqual, .null): return .unary(field, .isNotNull)
    case (.equal, .double(let number)) where number.isNaN: return .unary(field, .isNaN)
    case (.notEqual, .double(let number)) where number.isNaN: return .unary(field, .isNotNaN)
    default: return .field(field, comparison, operand)
    }
  }

  private func order(_ json: JSON) throws -> StructuredQuery.Order {
    let parts = try json.elements()
    guard parts.count == 2, let direction = StructuredQuery.Direction(rawValue: try parts[1].text())
    else { throw NotUnderstood("order \(json)") }
    return .init(try GroundTruthQuery.field(parts[0]), direction)
  }

  /// A string is a dotted path in the client's simple syntax; a list is the names themselves.
  static func field(_ json: JSON) throws -> FieldReference {
    guard case .string(let text) = json else {
      return FieldReference(segments: try json.elements().map { try $0.text() })
    }
    if text.utf8.contains(where: { "~*/[]".utf8.contains($0) }) {
      throw ClientRefusal(rule: "a dotted path contains none of ~*/[]")
    }
    let segments = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    if segments.contains(where: \.isEmpty) {
      throw ClientRefusal(rule: "a dotted path has no empty segment")
    }
    return FieldReference(segments: segments.map { String(Substring($0)) })
  }
}

/// How a client turns what is compared with `__name__` into references: strings are ids below the
/// collection, or paths below the root in a collection group.
struct NameReading {
  let database: DatabaseName
  let from: String
  let isGroup: Bool

  func operand(_ value: Value) throws -> Value {
    switch value {
    case .string(let text): return .reference(try reference(text))
    case .array(let elements): return .array(try elements.map { try operand($0) })
    default: return value
    }
  }

  private func reference(_ text: String) throws -> ResourceName {
    guard !text.isEmpty else { throw ClientRefusal(rule: "a document id is not empty") }
    if !isGroup && text.utf8.contains(UInt8(ascii: "/")) {
      throw ClientRefusal(rule: "a document id has no slash")
    }
    do {
      let name = try DocumentName(path: isGroup ? text : "\(from)/\(text)")
      return ResourceName(database: database, document: name)
    } catch { throw ClientRefusal(rule: "a document id is valid: \(error)") }
  }
}
