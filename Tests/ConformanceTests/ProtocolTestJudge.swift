import DocumentDatabase
import FeedStore

/// Judges one of Google's conformance tests. A query must become the expected `StructuredQuery`;
/// a write must leave the same document as the expected writes, whatever was there before.
struct ProtocolTestJudge {
  let vector: ConformanceCase
  let json: JSON

  init(_ vector: ConformanceCase) throws {
    self.vector = vector
    json = vector.json
  }

  func comparison() async throws -> Comparison {
    switch vector.kind {
    case "query": try await query()
    case "get": try get()
    case "listen": try await listen()
    default: try await write()
    }
  }

  /// The name that is asked for is all that such a case says.
  private func get() throws -> Comparison {
    let firestore = Firestore(name: DatabaseName(project: "projectID"))
    let document = firestore.document(
      try ProtocolTestJudge.path(try json.required("docRefPath").text()))
    return Comparison(
      try json.required("request").required("name").text(), try document.resourceName.text)
  }

  private var mustFail: Bool { get throws { try json["isError"]?.boolean() ?? false } }

  // MARK: - Queries

  private func query() async throws -> Comparison {
    let client = try Client(project: "projectID", documents: [])
    let got = try await Client.answer {
      var query: Query = client.firestore.collection(
        try ProtocolTestJudge.path(try json.required("collPath").text()))
      for clause in try json["clauses"]?.elements() ?? [] {
        query = try await adding(clause, to: query, of: client)
      }
      return "\(try query.structured())"
    }
    if try mustFail { return Comparison("INVALID_ARGUMENT", got) }
    let expected = try VectorQuery(try json.required("query"), client: client, documents: [])
    return Comparison("\(try expected.structured())", got)
  }

  private func adding(_ clause: JSON, to query: Query, of client: Client) async throws -> Query {
    let (kind, content) = try clause.choice()
    let values = ProtocolValue(firestore: client.firestore)
    switch kind {
    case "where": return query.whereFilter(try filter(content, values))
    case "orderBy":
      return query.order(
        by: try ProtocolTestJudge.field(try content.required("path")),
        descending: try content["direction"]?.text() == "desc")
    case "limit": return query.limit(to: try content.integer())
    case "offset": return query.metered.offset(try content.integer())
    case "select":
      return query.metered.select(
        try (content["fields"]?.elements() ?? []).map { try ProtocolTestJudge.field($0) })
    case "startAt", "startAfter", "endAt", "endBefore":
      if let snapshot = content["docSnapshot"] {
        let path = try ProtocolTestJudge.path(try snapshot.required("path").text())
        let document = client.firestore.document(path)
        try await document.setData(try values.dictionary(snapshot.required("jsonData")))
        let cursor = try await document.getDocument()
        switch kind {
        case "startAt": return query.start(atDocument: cursor)
        case "startAfter": return query.start(afterDocument: cursor)
        case "endAt": return query.end(atDocument: cursor)
        default: return query.end(beforeDocument: cursor)
        }
      }
      let cursor = try (content["jsonValues"]?.elements() ?? []).map { try values.parsed($0) }
      switch kind {
      case "startAt": return query.start(at: cursor)
      case "startAfter": return query.start(after: cursor)
      case "endAt": return query.end(at: cursor)
      default: return query.end(before: cursor)
      }
    default: throw NotUnderstood("clause \(kind)")
    }
  }

  private func filter(_ json: JSON, _ values: ProtocolValue) throws -> Filter {
    let field = try ProtocolTestJudge.field(try json.required("path"))
    let operand = try values.parsed(try json.required("jsonValue"))
    switch try json.required("op").text() {
    case "==": return .whereField(field, isEqualTo: operand)
    case "<": return .whereField(field, isLessThan: operand)
    case "<=": return .whereField(field, isLessThanOrEqualTo: operand)
    case ">": return .whereField(field, isGreaterThan: operand)
    case ">=": return .whereField(field, isGreaterThanOrEqualTo: operand)
    case let other: throw NotExpressible(reason: "no method of ours is named by \(other)")
    }
  }

  static func field(_ json: JSON) throws -> FieldPath {
    let names = try json.required("field").elements().map { try $0.text() }
    return names == ["__name__"] ? .documentID() : FieldPath(names)
  }

  /// The path below the root of a full name.
  static func path(_ name: String) throws -> String {
    guard let end = name.firstRange(of: "/documents/")?.upperBound else {
      throw NotUnderstood("name \(name)")
    }
    return String(name[end...])
  }

  // MARK: - Writes

  /// What may be there before the write; nil for no document.
  private static let startDocuments: [Fields?] = [
    nil, Fields(),
    fields([
      ("a", .integer(7)),
      (
        "b",
        map([
          ("c", .integer(1)), ("d", map([("e", .integer(2)), ("x", .integer(3))])),
          ("y", .integer(4)),
        ])
      ),
      ("c", .array([.integer(1), .integer(4), .string("x")])), ("d", .array([.integer(5)])),
      ("h", map([("g", map([("j", .integer(1))])), ("k", .null)])),
      ("*", map([("`", .integer(1)), ("z", .integer(3))])), ("other", .string("stays")),
    ]),
    fields([
      ("a", map([("b", .integer(1)), ("z", .array([.integer(1)]))])), ("b", .string("text")),
      ("h", .integer(5)), ("e", .array([.integer(1)])), ("f", map([("g", .double(2))])),
    ]),
  ]

  private static func fields(_ fields: [(String, Value)]) -> Fields { Fields(fields) }
  private static func map(_ fields: [(String, Value)]) -> Value { .map(Fields(fields)) }

  private func write() async throws -> Comparison {
    var expected: [String] = []
    var got: [String] = []
    for start in ProtocolTestJudge.startDocuments {
      let called = try await result(from: start) { try await call(on: $0) }
      if try mustFail {
        expected.append("INVALID_ARGUMENT")
        got.append(called.hasPrefix("INVALID_ARGUMENT") ? "INVALID_ARGUMENT" : called)
        continue
      }
      got.append(called)
      expected.append(
        try await result(from: start) { document in
          let writes = try json.required("request").required("writes").elements()
          try document.firestore.database.commit(try writes.map { try ProtocolWrite($0).write })
        })
    }
    return Comparison(expected.joined(separator: "; "), got.joined(separator: "; "))
  }

  /// What becomes of the document, in a database in which it is 42 seconds past the epoch.
  private func result(
    from start: Fields?, _ change: (DocumentReference) async throws -> Void
  ) async throws -> String {
    let firestore = Firestore(name: DatabaseName(project: "projectID"), now: { 42_000_000 })
    let document = firestore.document(
      try ProtocolTestJudge.path(try json.required("docRefPath").text()))
    if let start {
      let name = try DocumentName(path: document.path)
      try firestore.database.commit([Write(.update(name, start, mask: nil))])
    }
    let answer = try await Client.answer {
      try await change(document)
      return "written"
    }
    let fields = try await document.getDocument().stored?.fields
    return "\(answer), \(fields.map { "\($0)" } ?? "nothing")"
  }

  private func call(on document: DocumentReference) async throws {
    let values = ProtocolValue(firestore: document.firestore)
    switch vector.kind {
    case "create":
      try await document.metered.create(try values.dictionary(json.required("jsonData")))
    case "set":
      let data = try values.dictionary(json.required("jsonData"))
      if let fields = try json["option"]?["fields"]?.elements() {
        try await document.setData(
          data, mergeFields: try fields.map { try ProtocolTestJudge.field($0) })
      } else {
        try await document.setData(data, merge: json["option"]?["all"] != nil)
      }
    case "update":
      let data = try values.dictionary(json.required("jsonData"))
      try await update(
        document, Dictionary(uniqueKeysWithValues: data.map { (AnyHashable($0), $1) }))
    case "updatePaths":
      let paths = try json["fieldPaths"]?.elements().map { try ProtocolTestJudge.field($0) } ?? []
      let new = try json["jsonValues"]?.elements().map { try values.parsed($0) } ?? []
      try await update(
        document, Dictionary(zip(paths.map { AnyHashable($0) }, new)) { $1 })
    case "delete":
      guard let precondition = try precondition() else { return try await document.delete() }
      try await document.metered.delete(precondition)
    default: throw NotUnderstood("kind \(vector.kind)")
    }
  }

  private func update(_ document: DocumentReference, _ data: [AnyHashable: Any]) async throws {
    guard let precondition = try precondition() else { return try await document.updateData(data) }
    try await document.metered.update(data, precondition)
  }

  private func precondition() throws -> WritePrecondition? {
    guard let precondition = json["precondition"] else { return nil }
    if let time = try precondition["updateTime"]?.text() {
      let microseconds = try RESTTimestamp.microseconds(of: time)
      return .lastUpdate(
        Timestamp(
          seconds: microseconds / 1_000_000, nanoseconds: Int32(microseconds % 1_000_000) * 1000))
    }
    guard try precondition["exists"]?.boolean() ?? false else {
      throw NotExpressible(reason: "an update or delete only of what does not exist has no method")
    }
    return .exists
  }
}
