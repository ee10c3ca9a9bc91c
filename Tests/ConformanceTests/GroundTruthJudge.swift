import DocumentDatabase
import FeedStore

/// Judges a case of `ground-truth.json` through the client API.
struct GroundTruthJudge {
  let vector: ConformanceCase
  let json: JSON
  let client: Client
  static let project = "demo"

  init(_ vector: ConformanceCase) throws {
    self.vector = vector
    json = vector.json
    client = try Client(
      project: GroundTruthJudge.project,
      documents: try GroundTruthJudge.documents(json["setup"] ?? .object([])))
  }

  private static func documents(_ json: JSON) throws -> [(path: String, fields: Fields)] {
    if case .array(let pairs) = json {
      return try pairs.map { pair in
        let parts = try pair.elements()
        guard parts.count == 2 else { throw NotUnderstood("setup \(pair)") }
        return (try parts[0].text(), try Fields(rest: parts[1]))
      }
    }
    return try json.members().map { ($0.name, try Fields(rest: $0.value)) }
  }

  func comparison() async throws -> Comparison {
    switch vector.kind {
    case "query", "validation": try await query()
    case "readCost": try await readCost()
    case "aggregate": try await aggregate()
    case "write": try await write()
    case "orderBy": try await orderBy()
    case "path": try await path()
    case "pagination": try await pagination()
    case "listen": try await listen()
    default: throw NotUnderstood("kind \(vector.kind)")
    }
  }

  private var firestore: Firestore { client.firestore }

  private func clientQuery() async throws -> Query {
    try await GroundTruthQuery(firestore: firestore).query(try json.required("query"))
  }

  private func expectation() throws -> JSON { try json.required("expect") }
}

// MARK: - Queries

extension GroundTruthJudge {
  private func query() async throws -> Comparison {
    let expect = try expectation()
    try expect.onlyMembers(["ids", "unordered", "documents", "error"])
    let isUnordered = try expect["unordered"]?.boolean() ?? false
    let expectedDocuments = try expect["documents"]?.members() ?? []
    let got = try await Client.answer {
      let documents = try await clientQuery().getDocuments().documents
      var text = ids(documents.map(\.documentID), sorted: isUnordered)
      var comparison = DocumentComparison()
      for (id, fields) in expectedDocuments {
        let document = documents.first { $0.documentID.hasSameBytes(as: id) }
        guard let found = document?.stored?.fields else { continue }
        if !(try comparison.matches(found, fields)) { text += " \(id) holds \(found)" }
      }
      return text
    }
    if let error = expect["error"] { return Comparison(try error.text(), got) }
    let expected = try expect.required("ids").elements().map { try $0.text() }
    return Comparison(ids(expected, sorted: isUnordered), got)
  }

  private func ids(_ ids: [String], sorted: Bool) -> String {
    Client.list(sorted ? ids.sorted { $0.precedesInBytes($1) } : ids)
  }

  private func readCost() async throws -> Comparison {
    let expect = try expectation()
    try expect.onlyMembers(["ids", "unordered", "readOperations"])
    let isUnordered = try expect["unordered"]?.boolean() ?? false
    let query = try await clientQuery()
    let fields = try json["aggregations"].map { try aggregateFields($0).map(\.field) }
    let got = try await client.metering {
      if let fields {
        _ = try await query.aggregate(fields).getAggregation(source: .server)
        return ""
      }
      return ids(try await query.getDocuments().documents.map(\.documentID), sorted: isUnordered)
    }
    let (bound, wanted) = try expect.required("readOperations").choice()
    let reads = try wanted.integer()
    let isWithinBound =
      switch bound {
      case "equals": got.reads == reads
      case "atLeast": got.reads >= reads
      default: throw NotUnderstood("bound \(bound)")
      }
    let expected = try expect["ids"]?.elements().map { try $0.text() }
    let expectedText = expected.map { ids($0, sorted: isUnordered) } ?? got.text
    return Comparison(
      "\(expectedText) \(bound) \(reads)",
      "\(got.text) \(isWithinBound ? "\(bound) \(reads)" : "\(got.reads) reads")")
  }

  private func pagination() async throws -> Comparison {
    let expected = try expectation().required("pages").elements().map { page in
      Client.list(try page.elements().map { try $0.text() })
    }
    var query = try await clientQuery()
    var pages: [String] = []
    while pages.count <= expected.count {
      let documents = try await query.getDocuments().documents
      guard let last = documents.last else { break }
      pages.append(Client.list(documents.map(\.documentID)))
      query = query.start(afterDocument: last)
    }
    return Comparison(expected.joined(), pages.joined())
  }

  private func orderBy() async throws -> Comparison {
    let expected = try expectation().required("orderBy").elements().map { json in
      let (field, direction) = try GroundTruthQuery.order(json)
      return "\(try field.reference.get()) \(direction.rawValue)"
    }
    let asked = try await clientQuery().structured()
    let effective = try firestore.database.canonical(asked).orderBy
    return Comparison(
      Client.list(expected),
      Client.list(effective.map { "\($0.field) \($0.direction.rawValue)" }))
  }

  private func path() async throws -> Comparison {
    let path = try json.required("path")
    let text = try path.required("value").text()
    let type = try path.required("type").text()
    let got = try await Client.answer {
      switch type {
      case "collection": _ = try await firestore.collection(text).getDocuments()
      case "document": _ = try await firestore.document(text).getDocument()
      case "collectionGroup": _ = try await firestore.collectionGroup(text).getDocuments()
      default: throw NotUnderstood("path type \(type)")
      }
      return "ok"
    }
    return Comparison(try expectation()["error"]?.text() ?? "ok", got)
  }
}

// MARK: - Aggregations

extension GroundTruthJudge {
  private func aggregateFields(
    _ json: JSON
  ) throws -> [(alias: String, field: AggregateField)] {
    try json.members().map { alias, json in
      try json.onlyMembers(["op", "field"])
      let field = try json["field"].map { try GroundTruthQuery.field($0) }
      switch (try json.required("op").text(), field) {
      case ("count", nil): return (alias, .count())
      case ("sum", let field?): return (alias, .sum(field))
      case ("avg", let field?): return (alias, .average(field))
      default: throw NotUnderstood("aggregation \(alias)")
      }
    }
  }

  private func aggregate() async throws -> Comparison {
    let expect = try expectation()
    try expect.onlyMembers(["aggregate", "error"])
    let fields = try aggregateFields(try json.required("aggregations"))
    let tolerance = try json["tolerance"]?.double()
    let expected = try expect["aggregate"]?.members().map { alias, value in
      (alias: alias, value: try Value(rest: value))
    }
    let got = try await Client.answer {
      let query = try await clientQuery().aggregate(fields.map(\.field))
      let snapshot = try await query.getAggregation(source: .server)
      return try fields.map { alias, field in
        let value = try Value(boxing: snapshot.get(field))
        let wanted = expected?.first { $0.alias.hasSameBytes(as: alias) }?.value
        return "\(alias): \(isClose(value, wanted, tolerance) ? wanted ?? value : value)"
      }.joined(separator: ", ")
    }
    if let error = expect["error"] { return Comparison(try error.text(), got) }
    let wanted = try fields.map { alias, _ in
      guard let value = expected?.first(where: { $0.alias.hasSameBytes(as: alias) })?.value else {
        throw NotUnderstood("no expected value of \(alias)")
      }
      return "\(alias): \(value)"
    }
    return Comparison(wanted.joined(separator: ", "), got)
  }

  private func isClose(_ value: Value, _ wanted: Value?, _ tolerance: Double?) -> Bool {
    guard let tolerance, case .double(let got) = value, case .double(let wanted)? = wanted else {
      return false
    }
    return abs(got - wanted) <= tolerance
  }
}

// MARK: - Writes

extension GroundTruthJudge {
  private func write() async throws -> Comparison {
    try json["expect"]?.onlyMembers(["error"])
    let writes = try json.required("writes").elements().map {
      try GroundTruthWrite($0, in: firestore)
    }
    let isBatch = try json["batch"]?.boolean() ?? false
    var got = try await Client.answer {
      if isBatch {
        let batch = firestore.batch()
        for write in writes { try write.add(to: batch) }
        try await batch.commit()
      } else {
        var staleTimes: [Timestamp?] = []
        for write in writes { staleTimes.append(await write.updateTime) }
        for (write, stale) in zip(writes, staleTimes) { try await write.perform(stale: stale) }
      }
      return "success"
    }
    var comparison = DocumentComparison()
    for (path, expected) in try json["expectDocument"]?.members() ?? [] {
      let found = try await firestore.document(path).getDocument().stored?.fields
      switch (found, expected) {
      case (nil, .null): break
      case (nil, _): got += ", \(path) is missing"
      case (_?, .null): got += ", \(path) is there"
      case (let fields?, _):
        if !(try comparison.matches(fields, expected)) { got += ", \(path) holds \(fields)" }
      }
    }
    return Comparison(try json["expect"]?["error"]?.text() ?? "success", got)
  }
}
