import DocumentDatabase
import ReferenceModel
import TestSupport
import Testing

@Suite struct PagingPropertyTests {
  @Test func `pages put together are the whole result`() {
    check(PagingCase<Undisturbed>.self, cases: 1500)
  }

  @Test func `pages show every lasting document once while others come and go`() {
    check(PagingCase<Disturbed>.self, cases: 1500)
  }
}

/// Whether others write while the reader pages.
protocol Churn { static var writesPerPage: ClosedRange<Int> { get } }
enum Undisturbed: Churn { static let writesPerPage = 0...0 }
enum Disturbed: Churn { static let writesPerPage = 0...4 }

/// A feed read page by page, forwards or backwards, each page from the values that the last
/// document seen has in the query's effective order.
struct PagingCase<Kind: Churn>: RandomCase, CustomStringConvertible {
  var documents: [ModelPath: ModelFields] = [:]
  var query: ModelQuery
  var pageSize: Int
  var backwards: Bool
  /// What others write after each page: documents that come and go.
  var churn: [[(path: ModelPath, fields: ModelFields?)]] = []

  init(using generator: inout SeededGenerator) {
    let density = generator.pick([1, 2, 5, 20])
    let values = RandomValues.common.shuffled(using: &generator).prefix(density)
    for number in 0..<generator.pick([0, 1, 5, 20, 50]) {
      documents[ModelPath(text: "c/d\(number)")] = PagingCase.fields(&generator, from: values)
    }
    pageSize = generator.pick([1, 2, 3, 7, 15])
    backwards = generator.chance(0.5)
    query = ModelQuery(.collection(RandomQueries.collection))
    for field in RandomQueries.fields.shuffled(using: &generator).prefix(generator.number(0...3)) {
      query.orders.append(.init(field, descending: generator.chance(0.5)))
    }
    let operand = generator.pick(Array(values))
    let bracket = ModelOrder.bracket(of: operand)
    if generator.chance(0.4), bracket != 0, bracket != 2 {
      let comparison: ModelQuery.FieldOperator = generator.pick([
        .equal, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual, .notEqual,
      ])
      query.filter = .field(generator.pick(RandomQueries.fields), comparison, operand)
    }
    for _ in 0..<30 {
      churn.append(
        (0..<generator.number(Kind.writesPerPage)).map { _ in
          let path = ModelPath(
            text: "c/\(generator.pick(["e", "a", "z", "d1"]))x\(generator.number(0...9))")
          return (
            path, generator.chance(0.4) ? nil : PagingCase.fields(&generator, from: values)
          )
        })
    }
  }

  private static func fields(
    _ generator: inout SeededGenerator, from values: ArraySlice<ModelValue>
  ) -> ModelFields {
    var fields: ModelFields = [:]
    for field in RandomQueries.fields where generator.chance(0.9) {
      setValue(generator.pick(Array(values)), at: field, in: &fields)
    }
    return fields
  }

  var description: String {
    """
    \(describe(documents))\(describe(query)) in pages of \(pageSize)\(backwards ? " backwards" : "")
    \(churn.map { $0.map { "\(pathText($0.path)) \($0.fields.map { describe($0) } ?? "deleted")" } })
    """
  }

  func disagreement() -> String? {
    describingErrors {
      var pair = Pair(nodeCapacity: 4)
      for (path, fields) in documents {
        pair.model.documents[path] = .init(fields: fields)
      }
      try pair.fillEngine()
      let lasting = pair.model.run(query).results.map(\.path)
      let shown = try page(&pair)
      let lastingShown = shown.filter { lasting.contains($0) }
      guard lastingShown == (backwards ? lasting.reversed() : lasting) else {
        return "expected \(lasting.map(pathText)), shown \(lastingShown.map(pathText))"
      }
      if Kind.writesPerPage == 0...0 && lastingShown.count != shown.count {
        return "expected \(lasting.map(pathText)), shown \(shown.map(pathText))"
      }
      return nil
    }
  }

  /// The paths in the order in which the reader meets them.
  private func page(_ pair: inout Pair) throws -> [ModelPath] {
    var shown: [ModelPath] = []
    var cursor: [Value]?
    for number in 0...(documents.count + 200) {
      let rows = try pair.engine.run(try request(from: cursor)).documents
      shown += rows.map { ModelPath($0.name) }
      guard rows.count == pageSize, let last = rows.last else { return shown }
      cursor = try values(of: last)
      for change in churn[number % churn.count] where documents[change.path] == nil {
        let write = ModelWrite(change.path, change.fields.map { .update($0, mask: nil) } ?? .delete)
        if let problem = try pair.apply([write]) { throw Problem(text: problem) }
      }
    }
    throw Problem(text: "the pages have no end")
  }

  private struct Problem: Error { var text: String }

  /// The query with its whole effective order given, as a client sends it with a snapshot cursor.
  /// Backwards it is reversed, as `limitToLast` with an end before the cursor is.
  private func request(from cursor: [Value]?) throws -> StructuredQuery {
    var request = try StructuredQuery(query)
    request.limit = pageSize
    if backwards || cursor != nil { request.orderBy = try effectiveOrders }
    if backwards {
      for index in request.orderBy.indices {
        request.orderBy[index].direction = request.orderBy[index].direction.reversed
      }
    }
    request.startAt = cursor.map { .init(values: $0, before: false) }
    return request
  }

  private var effectiveOrders: [StructuredQuery.Order] {
    get throws {
      try CanonicalQuery(
        try StructuredQuery(query), in: DatabaseName(project: "feedstore")
      ).orderBy
    }
  }

  private func values(of document: StoredDocument) throws -> [Value] {
    try effectiveOrders.map { order in
      if order.field.isDocumentName {
        return .reference(
          ResourceName(database: DatabaseName(project: "feedstore"), document: document.name))
      }
      guard let value = document[order.field] else {
        throw Problem(text: "\(document.name) lacks \(order.field)")
      }
      return value
    }
  }

  var smaller: [PagingCase] {
    let paths = documents.keys.sorted { ModelOrder.comparePaths($0, $1) < 0 }
    let fewer = paths.shorter.map { kept in
      with { $0.documents = documents.filter { kept.contains($0.key) } }
    }
    let calmer = churn.indices.filter { !churn[$0].isEmpty }
      .map { index in with { $0.churn[index] = [] } }
    let plainer = query.smaller.map { query in with { $0.query = query } }
    return fewer + plainer + calmer
  }

  private func with(_ change: (inout PagingCase) -> Void) -> PagingCase {
    var copy = self
    change(&copy)
    return copy
  }
}
