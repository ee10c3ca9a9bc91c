import DocumentDatabase
import FeedStore
import ReadBilling

/// Judges a case of `vectors.json`: the result and what it is billed.
struct ReferenceVectorJudge {
  let vector: ConformanceCase
  let json: JSON
  let client: Client
  private let documents: [(path: String, fields: Fields)]

  init(_ vector: ConformanceCase) throws {
    self.vector = vector
    json = vector.json
    try json.onlyMembers([
      "name", "documents", "query", "expect", "billedReads", "why", "source", "certainty",
      "requiresIndex", "indexes", "indexEntriesScanned", "steps", "persistence",
    ])
    documents = try json.required("documents").members().map {
      (VectorQuery.path(of: $0.name), try Fields(rest: $0.value))
    }
    client = try Client(project: "p", documents: documents)
    if let indexes = json["indexes"] {
      client.firestore.indexes = .strict(try ReferenceVectorJudge.declared(indexes))
    }
  }

  /// What a case's database has beside the automatic indexes: nothing, or the content of a
  /// `firestore.indexes.json`.
  private static func declared(_ json: JSON) throws -> FirestoreIndexes {
    if case .string("automatic-only") = json { return FirestoreIndexes() }
    return try FirestoreIndexes(json: json.written)
  }

  func comparison() async throws -> Comparison {
    switch vector.kind {
    case "meter": try await meter()
    case "listen": try await listen()
    case "aggregate": try await aggregate()
    case "query": try await query()
    default: throw NotUnderstood("kind \(vector.kind)")
    }
  }

  private var billed: Int {
    get throws { try json.required("billedReads").integer() }
  }

  private func meter() async throws -> Comparison {
    let meter = try json.required("query").required("meter")
    if try meter.required("op").text() == "transaction" {
      return Comparison("\(try billed) reads", "\(try await transaction(meter)) reads")
    }
    func count(_ name: String) throws -> Int { try meter[name]?.integer() ?? 0 }
    let operation: BillableOperation =
      switch try meter.required("op").text() {
      case "get": .get(found: try meter.required("exists").boolean())
      case "aggregate": .aggregation(indexEntries: try count("indexEntries"))
      case "query":
        .query(
          returned: try count("documents"), skipped: try count("skipped"),
          indexEntries: try count("indexEntries"), rangeFields: try count("rangeFields"))
      case "findNearest":
        .nearest(
          returned: try count("documents"), vectorIndexEntries: try count("vectorIndexEntries"))
      case "listCollectionIds": .listCollectionIDs(ids: try count("collections"))
      case "explain" where try !meter.required("analyze").boolean(): .explainPlan
      case let other: throw NotUnderstood("meter \(other)")
      }
    // What rules look up is declared: the different documents, since each is read once a request.
    let lookups = try meter["rulesDependentDocs"]?.elements().map { try $0.text() } ?? []
    let readMeter = ReadMeter(ruleLookupsPerRequest: Set(lookups).count)
    for _ in 0..<(try meter["pages"]?.integer() ?? 1) {
      readMeter.record(
        operation, fingerprint: 0, indexEntriesScanned: 0, path: "", query: { vector.name })
    }
    return Comparison("\(try billed) reads", "\(readMeter.total) reads")
  }

  private func query() async throws -> Comparison {
    let entries = try json["indexEntriesScanned"]?.integer()
    let got = try await billedAnswer(entries: entries != nil) { query in
      Client.list(try await query.names().map { $0.parent.path == "c" ? $0.id : $0.path })
    }
    let expect = try json.required("expect")
    let expected =
      try expect["error"]?.text() ?? Client.list(try expect.elements().map { try $0.text() })
    return Comparison(
      "\(expected) \(try billed) reads" + (entries.map { " \($0) index entries" } ?? ""), got)
  }

  private func aggregate() async throws -> Comparison {
    let wanted = try json.required("query").required("aggregations").elements()
    let aggregations = try wanted.map { try aggregation($0) }
    let got = try await billedAnswer { query in
      let values = try client.firestore.database.aggregate(
        try query.structured(), aggregations
      ).values
      return text(aggregations.map { ($0.alias, values[$0.alias]) })
    }
    let expect = try json.required("expect")
    if let error = expect["error"] { return Comparison("\(try error.text()) 0 reads", got) }
    let values = try expect.required("aggregate")
    let expected = try aggregations.map {
      ($0.alias, try Value(rest: try values.required($0.alias)))
    }
    return Comparison("\(text(expected)) \(try billed) reads", got)
  }

  /// The answer of `body` to the case's query, with what it was billed.
  private func billedAnswer(
    entries: Bool = false, _ body: (VectorQuery) async throws -> String
  ) async throws -> String {
    let query = try VectorQuery(
      try json.required("query"), client: client, documents: documents)
    let answer = try await client.metering { try await Client.answer { try await body(query) } }
    return "\(answer.text) \(answer.reads) reads"
      + (entries ? " \(answer.indexEntries) index entries" : "")
  }

  private func text(_ values: [(String, Value?)]) -> String {
    values.map { "\($0): \($1.map { "\($0)" } ?? "nothing")" }.joined(separator: ", ")
  }

  private func aggregation(_ json: JSON) throws -> Aggregation {
    let alias = try json.required("alias").text()
    if let count = json["count"] {
      return Aggregation(alias: alias, .count(upTo: try count["upTo"]?.integer()))
    }
    func field(_ json: JSON) throws -> FieldReference {
      try FieldReference(parsing: try json.required("field").required("fieldPath").text())
    }
    if let sum = json["sum"] { return Aggregation(alias: alias, .sum(try field(sum))) }
    return Aggregation(alias: alias, .average(try field(try json.required("avg"))))
  }
}
