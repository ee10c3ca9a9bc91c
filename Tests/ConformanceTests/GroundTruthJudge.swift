import DocumentDatabase

/// Judges a case of `ground-truth.json`.
struct GroundTruthJudge {
  let vector: ConformanceCase
  let json: JSON
  let setup: [(path: String, fields: Fields)]
  private static let project = "demo"

  init(_ vector: ConformanceCase) throws {
    self.vector = vector
    json = vector.json
    setup = try GroundTruthJudge.documents(json["setup"] ?? .object([]))
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

  func comparison() throws -> Comparison {
    switch vector.kind {
    case "query", "validation": try query()
    case "readCost": try readCost()
    case "aggregate": try aggregate()
    case "write": try write()
    case "orderBy": try orderBy()
    case "path": try path()
    case "pagination": try pagination()
    default: throw NotUnderstood("kind \(vector.kind)")
    }
  }

  private func subject() throws -> Subject {
    try Subject(project: GroundTruthJudge.project, documents: setup)
  }

  private func clientQuery() throws -> ClientQuery {
    try GroundTruthQuery(
      database: DatabaseName(project: GroundTruthJudge.project), setup: setup
    ).query(try json.required("query"))
  }

  private func expectation() throws -> JSON { try json.required("expect") }

  // MARK: - Queries

  private func query() throws -> Comparison {
    let expect = try expectation()
    try expect.onlyMembers(["ids", "unordered", "documents", "error"])
    let isUnordered = try expect["unordered"]?.boolean() ?? false
    let expectedDocuments = try expect["documents"]?.members() ?? []
    let subject = try subject()
    var comparison = DocumentComparison()
    let got = try Judge.answer {
      let documents = try subject.run(try clientQuery()).documents
      var text = ids(documents.map(\.name.id), sorted: isUnordered)
      for (id, fields) in expectedDocuments {
        guard let document = documents.first(where: { $0.name.id.hasSameBytes(as: id) }) else {
          continue
        }
        if !(try comparison.matches(document.fields, fields)) {
          text += " \(id) holds \(document.fields)"
        }
      }
      return text
    }
    if let error = expect["error"] { return Comparison(try error.text(), got) }
    let expected = try expect.required("ids").elements().map { try $0.text() }
    // A validation case without documents says only that the query is accepted.
    return Comparison(ids(expected, sorted: isUnordered), got)
  }

  private func ids(_ ids: [String], sorted: Bool) -> String {
    Judge.list(sorted ? ids.sorted { $0.precedesInBytes($1) } : ids)
  }

  private func readCost() throws -> Comparison {
    let expect = try expectation()
    try expect.onlyMembers(["ids", "unordered", "readOperations"])
    let (bound, wanted) = try expect.required("readOperations").choice()
    let subject = try subject()
    let isUnordered = try expect["unordered"]?.boolean() ?? false
    var got: [String]?
    let reads: Int
    if let aggregations = json["aggregations"] {
      reads = try subject.aggregate(try clientQuery(), try self.aggregations(aggregations)).reads
    } else {
      let answer = try subject.run(try clientQuery())
      got = answer.documents.map(\.name.id)
      reads = answer.reads
    }
    let expectedIDs = try expect["ids"]?.elements().map { try $0.text() }
    let expectedReads = try wanted.integer()
    let isWithinBound =
      switch bound {
      case "equals": reads == expectedReads
      case "atLeast": reads >= expectedReads
      default: throw NotUnderstood("bound \(bound)")
      }
    return Comparison(
      "\(expectedIDs.map { ids($0, sorted: isUnordered) } ?? "") \(bound) \(expectedReads)",
      "\(expectedIDs == nil ? "" : ids(got ?? [], sorted: isUnordered)) "
        + (isWithinBound ? "\(bound) \(expectedReads)" : "\(reads) reads"))
  }

  private func pagination() throws -> Comparison {
    let subject = try subject()
    let expected = try expectation().required("pages").elements().map { page in
      Judge.list(try page.elements().map { try $0.text() })
    }
    var query = try clientQuery()
    var pages: [String] = []
    while true {
      let documents = try subject.run(query).documents
      guard let last = documents.last else { break }
      pages.append(Judge.list(documents.map(\.name.id)))
      query.startSnapshot = .init(name: last.name, fields: last.fields, before: false)
    }
    return Comparison(expected.joined(), pages.joined())
  }

  private func orderBy() throws -> Comparison {
    let expected = try expectation().required("orderBy").elements().map { order in
      let parts = try order.elements()
      guard parts.count == 2 else { throw NotUnderstood("order \(order)") }
      return "\(try GroundTruthQuery.field(parts[0])) \(try parts[1].text())"
    }
    let effective = try CanonicalQuery(
      try clientQuery().query, in: DatabaseName(project: GroundTruthJudge.project)
    ).orderBy
    return Comparison(
      Judge.list(expected),
      Judge.list(effective.map { "\($0.field) \($0.direction.rawValue)" }))
  }

  private func path() throws -> Comparison {
    let path = try json.required("path")
    let text = try path.required("value").text()
    let type = try path.required("type").text()
    let got = try Judge.answer {
      switch type {
      case "collection": _ = try CollectionName(path: text)
      case "document": _ = try DocumentName(path: text)
      case "collectionGroup":
        _ = try subject().database.run(StructuredQuery(from: .collectionGroup(id: text)))
      default: throw NotUnderstood("path type \(type)")
      }
      return "ok"
    }
    return Comparison(try expectation()["error"]?.text() ?? "ok", got)
  }

  // MARK: - Aggregations

  private func aggregations(_ json: JSON) throws -> [Aggregation] {
    try json.members().map { alias, json in
      try json.onlyMembers(["op", "field"])
      let field = try json["field"].map { try GroundTruthQuery.field($0) }
      switch (try json.required("op").text(), field) {
      case ("count", nil): return Aggregation(alias: alias, .count())
      case ("sum", let field?): return Aggregation(alias: alias, .sum(field))
      case ("avg", let field?): return Aggregation(alias: alias, .average(field))
      default: throw NotUnderstood("aggregation \(alias)")
      }
    }
  }

  private func aggregate() throws -> Comparison {
    let expect = try expectation()
    try expect.onlyMembers(["aggregate", "error"])
    let aggregations = try aggregations(try json.required("aggregations"))
    let tolerance = try json["tolerance"]?.double()
    let expected = try expect["aggregate"]?.members().map { alias, value in
      (alias, try Value(rest: value))
    }
    let subject = try subject()
    let got = try Judge.answer {
      let values = try subject.aggregate(try clientQuery(), aggregations).values
      return text(expected?.map(\.0) ?? aggregations.map(\.alias)) { alias in
        let value = values[alias]
        let wanted = expected?.first { $0.0.hasSameBytes(as: alias) }?.1
        return isClose(value, wanted, tolerance) ? wanted : value
      }
    }
    if let error = expect["error"] { return Comparison(try error.text(), got) }
    guard let expected else { throw NotUnderstood("no expected aggregate") }
    let wanted = text(expected.map(\.0)) { alias in
      expected.first { $0.0.hasSameBytes(as: alias) }?.1
    }
    return Comparison(wanted, got)
  }

  private func text(_ aliases: [String], value: (String) throws -> Value?) rethrows -> String {
    try aliases.map { "\($0): \(try value($0).map { "\($0)" } ?? "nothing")" }
      .joined(separator: ", ")
  }

  private func isClose(_ value: Value?, _ wanted: Value?, _ tolerance: Double?) -> Bool {
    guard let tolerance, case .double(let got)? = value, case .double(let wanted)? = wanted else {
      return false
    }
    return abs(got - wanted) <= tolerance
  }

  // MARK: - Writes

  private func write() throws -> Comparison {
    try json["expect"]?.onlyMembers(["error"])
    let subject = try subject()
    let writes = try json.required("writes").elements().map { try GroundTruthWrite($0) }
    let stale = updateTimes(of: writes, in: subject)
    var got = try Judge.answer {
      if try json["batch"]?.boolean() ?? false {
        let times = updateTimes(of: writes, in: subject)
        try subject.database.commit(
          try zip(writes, zip(times, stale)).map { write, time in
            try write.write(current: time.0, stale: time.1)
          })
      } else {
        for (write, stale) in zip(writes, stale) {
          let current = updateTimes(of: [write], in: subject).first ?? nil
          try subject.database.commit([try write.write(current: current, stale: stale)])
        }
      }
      return "success"
    }
    var comparison = DocumentComparison()
    for (path, expected) in try json["expectDocument"]?.members() ?? [] {
      let found = subject.database.get(try DocumentName(path: path))
      switch (found, expected) {
      case (nil, .null): break
      case (let document?, _):
        if case .null = expected {
          got += ", \(path) is there"
        } else if !(try comparison.matches(document.fields, expected)) {
          got += ", \(path) holds \(document.fields)"
        }
      default: got += ", \(path) is missing"
      }
    }
    return Comparison(try json["expect"]?["error"]?.text() ?? "success", got)
  }

  private func updateTimes(of writes: [GroundTruthWrite], in subject: Subject) -> [Int64?] {
    writes.map { write in
      (try? DocumentName(path: write.path)).flatMap { subject.database.get($0)?.updateTime }
    }
  }
}
