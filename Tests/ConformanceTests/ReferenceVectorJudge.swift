import DocumentDatabase
import ReadBilling

/// Judges a case of `vectors.json`: the result and what it is billed.
struct ReferenceVectorJudge {
  let vector: ConformanceCase
  let json: JSON
  let documents: [(path: String, fields: Fields)]
  private static let project = "p"

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
  }

  func comparison() throws -> Comparison {
    switch vector.kind {
    case "meter": try meter()
    case "aggregate": try aggregate()
    case "query": try query()
    default: throw NotUnderstood("kind \(vector.kind)")
    }
  }

  private var billed: Int {
    get throws { try json.required("billedReads").integer() }
  }

  private func meter() throws -> Comparison {
    let meter = try json.required("query").required("meter")
    func count(_ name: String) throws -> Int { try meter[name]?.integer() ?? 0 }
    let operation: BillableOperation =
      switch try meter.required("op").text() {
      case "get": .get(found: try meter.required("exists").boolean())
      case "aggregate": .aggregation(indexEntries: try count("indexEntries"))
      case "query":
        .query(
          returned: try count("documents"), skipped: try count("skipped"),
          indexEntries: try count("indexEntries"), rangeFields: try count("rangeFields"))
      case let other: throw NotUnderstood("meter \(other)")
      }
    return Comparison(
      "\(try billed) reads", "\(BillingRules.reads(for: operation).total) reads")
  }

  private func query() throws -> Comparison {
    let subject = try Subject(project: ReferenceVectorJudge.project, documents: documents)
    let entries = try json["indexEntriesScanned"]?.integer()
    let got = try Judge.answer {
      let client = try VectorQuery(documents: documents).query(try json.required("query"))
      let answer = try subject.run(client)
      let keys = answer.documents.map { document in
        document.name.parent.path == "c" ? document.name.id : document.name.path
      }
      return Judge.list(keys) + " \(answer.reads) reads"
        + (entries == nil ? "" : " \(answer.stats.indexEntriesScanned) index entries")
    }
    let expect = try json.required("expect")
    if let error = expect["error"] { return Comparison(try error.text(), got) }
    let expected = try expect.elements().map { try $0.text() }
    return Comparison(
      Judge.list(expected) + " \(try billed) reads"
        + (entries.map { " \($0) index entries" } ?? ""), got)
  }

  private func aggregate() throws -> Comparison {
    let subject = try Subject(project: ReferenceVectorJudge.project, documents: documents)
    let query = try json.required("query")
    let aggregations = try query.required("aggregations").elements().map { try aggregation($0) }
    let got = try Judge.answer {
      let client = try VectorQuery(documents: documents).query(query)
      let result = try subject.aggregate(client, aggregations)
      return text(aggregations.map { ($0.alias, result.values[$0.alias]) }, reads: result.reads)
    }
    let expect = try json.required("expect")
    if let error = expect["error"] { return Comparison(try error.text(), got) }
    let expected = try expect.required("aggregate")
    return Comparison(
      text(
        try aggregations.map { ($0.alias, try Value(rest: try expected.required($0.alias))) },
        reads: try billed), got)
  }

  private func text(_ values: [(String, Value?)], reads: Int) -> String {
    values.map { "\($0): \($1.map { "\($0)" } ?? "nothing")" }.joined(separator: ", ")
      + " \(reads) reads"
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
