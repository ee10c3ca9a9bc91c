import DocumentDatabase
import ReferenceModel
import Synchronization

/// The engine and the model, given the same writes and asked the same questions. Every method that
/// returns text returns what differs, or nil.
struct Pair {
  let engine: Database
  var model = ModelDatabase(project: "feedstore")
  private var written: Set<ModelPath> = []

  init(nodeCapacity: Int = 64) {
    let clock = Clock()
    engine = Database(nodeCapacity: nodeCapacity) { clock.tick() }
  }

  /// A clock that a commit can read any number of times.
  private final class Clock: Sendable {
    let microseconds = Atomic<Int64>(1_700_000_000_000_000)
    func tick() -> Int64 { microseconds.add(1000, ordering: .relaxed).newValue }
  }

  /// Puts the model's documents into the engine, in no particular order, some in two steps.
  func fillEngine() throws {
    for (index, (path, document)) in model.documents.enumerated() {
      if index.isMultiple(of: 3) {
        try engine.commit([Write(ModelWrite(path, .update([:], mask: nil)))])
      }
      try engine.commit([Write(ModelWrite(path, .update(document.fields, mask: nil)))])
    }
  }

  /// Commits `writes` to both, which must accept or refuse them alike.
  mutating func apply(_ writes: [ModelWrite]) throws -> String? {
    written.formUnion(writes.map(\.path))
    let translated = try writes.map { try Write($0) }
    var refusal: ModelWriteError?
    // A refused commit has no time; the model must not take it for one that a document holds.
    var time = Int64.max
    do throws(DatabaseError) {
      time = try engine.commit(translated).commitTime
    } catch {
      refusal = try modelError(error)
    }
    var expected: ModelWriteError?
    do throws(ModelWriteError) { try model.commit(writes, at: time) } catch { expected = error }
    if refusal != expected {
      return "commit: expected \(name(expected)), got \(name(refusal))"
    }
    return nil
  }

  private func name(_ error: ModelWriteError?) -> String {
    error.map { "\($0)" } ?? "success"
  }

  private func modelError(_ error: DatabaseError) throws -> ModelWriteError {
    switch error {
    case .notFound: .notFound
    case .alreadyExists: .alreadyExists
    case .failedPrecondition: .failedPrecondition
    default: throw error
    }
  }

  /// Runs `query` on both and compares names, order, contents and what was counted.
  func disagreement(on query: ModelQuery) throws -> String? {
    let expected = model.run(query)
    let result = try engine.run(try StructuredQuery(query))
    let rows = query.isLimitToLast ? result.documents.reversed() : Array(result.documents)
    let expectedNames = expected.results.map { pathText($0.path) }
    let names = rows.map(\.name.path)
    guard names.map({ Bytes($0.utf8) }) == expectedNames.map({ Bytes($0.utf8) }) else {
      return "expected \(expectedNames), got \(names)"
    }
    for (row, expectedRow) in zip(rows, expected.results)
    where !identical(modelFields(row.fields), expectedRow.document.fields) {
      return "\(row.name) holds \(row.fields), expected \(describe(expectedRow.document.fields))"
    }
    if let problem = disagreement(of: result.stats, returned: names.count, expected, query) {
      return problem
    }
    return try disagreementOfEntries(
      result.stats.indexEntriesScanned, query, isEmpty: expected.results.isEmpty)
  }

  /// A run reads as many index entries as the recipe says, no more than its plan says, and fewer only
  /// where it sees that nothing can match.
  private func disagreementOfEntries(
    _ read: Int, _ query: ModelQuery, isEmpty: Bool
  ) throws -> String? {
    let planned = try engine.indexEntriesAtMost(engine.canonical(try StructuredQuery(query)))
    if read > planned { return "\(read) index entries, its plan says \(planned)" }
    let needed = model.indexEntries(of: query)
    let isRight = read == needed || (isEmpty && read < needed)
    return isRight ? nil : "\(read) index entries, needed are \(needed)"
  }

  private func disagreement(
    of stats: ExecutionStats, returned: Int, _ expected: ModelDatabase.Answer, _ query: ModelQuery
  ) -> String? {
    if stats.resultsReturned != returned { return "resultsReturned \(stats.resultsReturned)" }
    if stats.resultsSkipped != expected.skipped {
      return "resultsSkipped \(stats.resultsSkipped), expected \(expected.skipped)"
    }
    if stats.indexEntriesScanned < returned + expected.skipped {
      return "\(stats.indexEntriesScanned) index entries for \(returned + expected.skipped) results"
    }
    if stats.rangeFields != query.rangeFieldCount {
      return "\(stats.rangeFields) range fields, expected \(query.rangeFieldCount)"
    }
    return nil
  }

  func disagreement(on aggregations: [ModelAggregation], of query: ModelQuery) throws -> String? {
    let expected = model.aggregate(query, aggregations)
    let aliased = aggregations.enumerated().map { Aggregation(alias: "\($0)", $1) }
    let result = try engine.aggregate(try StructuredQuery(query), aliased)
    for (index, value) in expected.enumerated() {
      let scale = aggregations[index].field.map { model.magnitude(of: $0) } ?? 0
      guard let got = result.values["\(index)"].map({ ModelValue($0) }),
        isClose(got, value, scale: scale)
      else {
        return "\(aggregations[index]): expected \(value), got "
          + "\(result.values["\(index)"].map { "\($0)" } ?? "nothing")"
      }
    }
    return nil
  }

  /// Sums of doubles depend on the order of addition in their last digits.
  private func isClose(_ a: ModelValue, _ b: ModelValue, scale: Double) -> Bool {
    guard case .double(let x) = a, case .double(let y) = b, x.isFinite, y.isFinite else {
      return a.isIdentical(to: b)
    }
    return abs(x - y) <= 1e-9 * max(1, abs(x), abs(y), scale)
  }

  /// Compares every document ever written with a get, and every collection they are in.
  func disagreementOfContents() throws -> String? {
    for path in written {
      let found = try engine.get(try DocumentName(path))
      guard let found, let expected = model.documents[path] else {
        if found == nil && model.documents[path] == nil { continue }
        return "\(pathText(path)) is \(found == nil ? "missing" : "still there")"
      }
      if !identical(modelFields(found.fields), expected.fields) {
        return "\(pathText(path)) is \(found.fields), expected \(describe(expected.fields))"
      }
      if found.createTime != expected.createTime || found.updateTime != expected.updateTime {
        return """
          \(pathText(path)) was made \(found.createTime) and changed \(found.updateTime), expected \
          \(expected.createTime) and \(expected.updateTime)
          """
      }
    }
    for collection in Set(written.map { ModelPath($0.dropLast()) }) {
      if let problem = try disagreement(on: ModelQuery(.collection(collection))) { return problem }
    }
    return nil
  }
}

/// An error where none was expected is a disagreement too.
func describingErrors(_ body: () throws -> String?) -> String? {
  do { return try body() } catch { return "threw \(error)" }
}
