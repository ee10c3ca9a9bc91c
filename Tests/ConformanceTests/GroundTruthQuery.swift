import DocumentDatabase
import FeedStore

/// Makes the calls of the client API that a query of `ground-truth.json` stands for.
struct GroundTruthQuery {
  let firestore: Firestore

  func query(_ json: JSON) async throws -> Query {
    try json.onlyMembers([
      "from", "collectionGroup", "where", "orderBy", "limit", "limitToLast", "offset", "startAt",
      "startAfter", "endAt", "endBefore", "select",
    ])
    let from = try json.required("from").text()
    let isGroup = try json["collectionGroup"]?.boolean() ?? false
    var query = isGroup ? firestore.collectionGroup(from) : firestore.collection(from)
    for filter in try json["where"]?.elements() ?? [] {
      query = try untypedFilter(filter, on: query) ?? query.whereFilter(try self.filter(filter))
    }
    for order in try json["orderBy"]?.elements() ?? [] {
      let (field, direction) = try GroundTruthQuery.order(order)
      query = query.order(by: field, descending: direction == .descending)
    }
    query = try await withCursors(of: json, query, from: from)
    if let limit = try json["limit"]?.integer() { query = query.limit(to: limit) }
    if let limit = try json["limitToLast"]?.integer() { query = query.limit(toLast: limit) }
    if let offset = try json["offset"]?.integer() { query = query.metered.offset(offset) }
    if let fields = try json["select"]?.elements() {
      query = query.metered.select(try fields.map { try GroundTruthQuery.field($0) })
    }
    return query
  }

  private func withCursors(of json: JSON, _ query: Query, from: String) async throws -> Query {
    var query = query
    for member in ["startAt", "startAfter", "endBefore", "endAt"] {
      guard let (kind, content) = try json[member]?.choice() else { continue }
      switch kind {
      case "values":
        let values = try content.elements().map { try Value(rest: $0).unboxed(in: firestore) }
        query =
          switch member {
          case "startAt": query.start(at: values)
          case "startAfter": query.start(after: values)
          case "endBefore": query.end(before: values)
          default: query.end(at: values)
          }
      case "document":
        let id = try content.text()
        let path = id.utf8.contains(UInt8(ascii: "/")) ? id : "\(from)/\(id)"
        let document = try await firestore.document(path).getDocument()
        query =
          switch member {
          case "startAt": query.start(atDocument: document)
          case "startAfter": query.start(afterDocument: document)
          case "endBefore": query.end(beforeDocument: document)
          default: query.end(atDocument: document)
          }
      default: throw NotUnderstood("cursor \(kind)")
      }
    }
    return query
  }

  /// The query with a filter that Swift's types keep from being written, as another client might
  /// send it: a list operator without a list.
  private func untypedFilter(_ json: JSON, on query: Query) throws -> Query? {
    guard let name = try json["op"]?.text(),
      let comparison = StructuredQuery.FieldOperator(rawValue: name),
      [.in, .notIn, .arrayContainsAny].contains(comparison)
    else { return nil }
    let operand = try Value(rest: try json.required("value"))
    if case .array = operand { return nil }
    let field = try GroundTruthQuery.field(try json.required("field")).reference.get()
    return query.changing { request in
      request.structured.where = .field(field, comparison, operand)
    }
  }

  private func filter(_ json: JSON) throws -> Filter {
    if let parts = json["or"] { return .orFilter(try parts.elements().map { try filter($0) }) }
    if let parts = json["and"] { return .andFilter(try parts.elements().map { try filter($0) }) }
    try json.onlyMembers(["field", "op", "value"])
    let field = try GroundTruthQuery.field(try json.required("field"))
    let operand = try Value(rest: try json.required("value")).unboxed(in: firestore)
    func operands() throws -> [Any] {
      guard let operands = operand as? [Any] else {
        throw NotExpressible(reason: "a list operator without a list inside another filter")
      }
      return operands
    }
    switch try json.required("op").text() {
    case "==": return .whereField(field, isEqualTo: operand)
    case "!=": return .whereField(field, isNotEqualTo: operand)
    case "<": return .whereField(field, isLessThan: operand)
    case "<=": return .whereField(field, isLessThanOrEqualTo: operand)
    case ">": return .whereField(field, isGreaterThan: operand)
    case ">=": return .whereField(field, isGreaterThanOrEqualTo: operand)
    case "array-contains": return .whereField(field, arrayContains: operand)
    case "array-contains-any": return .whereField(field, arrayContainsAny: try operands())
    case "in": return .whereField(field, in: try operands())
    case "not-in": return .whereField(field, notIn: try operands())
    case let other: throw NotUnderstood("operator \(other)")
    }
  }

  static func order(_ json: JSON) throws -> (FieldPath, StructuredQuery.Direction) {
    let parts = try json.elements()
    guard parts.count == 2, let direction = StructuredQuery.Direction(rawValue: try parts[1].text())
    else { throw NotUnderstood("order \(json)") }
    return (try field(parts[0]), direction)
  }

  /// A string is a dotted path as the API takes it, a list is the names themselves.
  static func field(_ json: JSON) throws -> FieldPath {
    guard case .string(let text) = json else {
      return FieldPath(try json.elements().map { try $0.text() })
    }
    return text == "__name__" ? .documentID() : FieldPath(any: text)
  }
}

/// A case that the client API has no words for.
struct NotExpressible: Error {
  var reason: String
}
