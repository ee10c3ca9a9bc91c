import DocumentDatabase
import ReferenceModel
import TestSupport
import Testing

@Suite struct QueryPropertyTests {
  @Test func `any accepted query returns what the model returns, in its order`() {
    check(QueryCase.self, cases: 4000)
  }

  @Test func `indexes built by earlier queries stay right under later writes`() {
    check(RepeatedQueryCase.self, cases: 600)
  }

  @Test func `an aggregation sees the results of its query`() {
    check(AggregationCase.self, cases: 1500)
  }
}

/// One query over one set of documents.
struct QueryCase: RandomCase, CustomStringConvertible {
  var documents: [ModelPath: ModelFields] = [:]
  var query: ModelQuery
  var nodeCapacity: Int

  init(using generator: inout SeededGenerator) {
    let wild = generator.pick([0, 0, 0.1, 0.5])
    for _ in 0..<generator.pick([0, 3, 10, 25, 60]) {
      documents[RandomQueries.path(&generator)] = RandomQueries.document(&generator, wild: wild)
    }
    nodeCapacity = generator.pick([4, 5, 64])
    query = ModelQuery(.collection([]))
    query = RandomQueries.query(&generator, over: pair().model)
  }

  var description: String { "\(describe(documents))\(describe(query))" }

  func pair() -> Pair {
    var pair = Pair(nodeCapacity: nodeCapacity)
    for (path, fields) in documents {
      pair.model.documents[path] = .init(fields: fields)
    }
    return pair
  }

  func disagreement() -> String? {
    let pair = pair()
    return describingErrors {
      try pair.fillEngine()
      return try pair.disagreement(on: query)
    }
  }

  var smaller: [QueryCase] {
    let paths = documents.keys.sorted { ModelOrder.comparePaths($0, $1) < 0 }
    let fewer = paths.shorter.map { kept in
      with { $0.documents = documents.filter { kept.contains($0.key) } }
    }
    let poorer = documents.flatMap { path, fields in
      fields.keys.map { name in with { $0.documents[path]?[name] = nil } }
    }
    return fewer + query.smaller.map { query in with { $0.query = query } } + poorer
  }

  private func with(_ change: (inout QueryCase) -> Void) -> QueryCase {
    var copy = self
    change(&copy)
    return copy
  }
}

/// The same few queries after every one of many writes.
struct RepeatedQueryCase: RandomCase, CustomStringConvertible {
  var changes: [(path: ModelPath, fields: ModelFields?)] = []
  var queries: [ModelQuery]

  init(using generator: inout SeededGenerator) {
    var pair = Pair(nodeCapacity: 4)
    for _ in 0..<generator.number(5...40) {
      let path = RandomQueries.path(&generator)
      let fields =
        generator.chance(0.25) ? nil : RandomQueries.document(&generator, wild: 0.05)
      changes.append((path, fields))
      pair.model.documents[path] = fields.map { .init(fields: $0) }
    }
    queries = []
    queries = (0..<4).map { _ in RandomQueries.query(&generator, over: pair.model) }
  }

  var description: String {
    changes.map { "\(pathText($0.path)) \($0.fields.map { "\(describe($0))" } ?? "deleted")\n" }
      .joined() + queries.map { describe($0) }.joined(separator: "\n")
  }

  func disagreement() -> String? {
    var pair = Pair(nodeCapacity: 4)
    return describingErrors {
      for (path, fields) in changes {
        let write = ModelWrite(path, fields.map { .update($0, mask: nil) } ?? .delete)
        if let problem = try pair.apply([write]) { return problem }
        for query in queries {
          if let problem = try pair.disagreement(on: query) { return problem }
        }
      }
      return nil
    }
  }

  var smaller: [RepeatedQueryCase] {
    var results: [RepeatedQueryCase] = []
    for kept in queries.shorter where !kept.isEmpty {
      var copy = self
      copy.queries = kept
      results.append(copy)
    }
    for kept in changes.shorter {
      var copy = self
      copy.changes = kept
      results.append(copy)
    }
    return results
  }
}

/// One aggregation request over one set of documents.
struct AggregationCase: RandomCase, CustomStringConvertible {
  var base: QueryCase
  var aggregations: [ModelAggregation]

  init(using generator: inout SeededGenerator) {
    base = QueryCase(using: &generator)
    let field = generator.pick(RandomQueries.fields)
    aggregations = [.count(upTo: generator.chance(0.2) ? generator.number(1...5) : nil)]
    // Sums scan the index of the summed field, where a limit would cut other documents off.
    base.query.isLimitToLast = false
    if generator.chance(0.6) {
      aggregations += [.sum(field), .average(field)]
      base.query.limit = nil
      base.query.offset = 0
      if base.query.orders.last?.field == documentNameField { base.query.orders.removeLast() }
      base.query.start = nil
      base.query.end = nil
    }
  }

  var description: String { "\(aggregations) of \(base)" }

  func disagreement() -> String? {
    let pair = base.pair()
    return describingErrors {
      try pair.fillEngine()
      return try pair.disagreement(on: aggregations, of: base.query)
    }
  }

  var smaller: [AggregationCase] {
    base.smaller.map { base in
      var copy = self
      copy.base = base
      return copy
    }
  }
}
