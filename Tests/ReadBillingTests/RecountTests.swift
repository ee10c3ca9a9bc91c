import ReadBilling
import TestSupport
import Testing

/// One thing that happened, in the words of a server's request log: what was asked, and which
/// documents the answer named.
private struct LogLine {
  enum Request {
    case query(offset: Int, rangeFields: [String], entries: Int)
    case names(entries: Int)
    case nearest(entries: Int)
    case lookup(isRetry: Bool)
    case commit(readByTransaction: [Int], written: [Int])
    case aggregate(entries: Int)
    case listen(rangeFields: [String], entries: Int, alreadyListening: Bool)
    /// The result before a commit, with each document's version, and the versions after it; nil
    /// where a document does not exist any more. The answer is the result after it.
    case notify(before: [Int: Int], current: [Int: Int?])
    case reconnect(minutes: Int, keptResult: Bool, before: [Int: Int], current: [Int: Int?])
    case cache
    case collections
    case explain
  }

  var request: Request
  /// The documents of the answer, or of the whole result of a listener now.
  var answer: [Int]
}

// MARK: - The naive bill

/// Counts line by line and document by document, in nobody's words but the price list's.
private func recount(_ log: [LogLine]) -> [String: Int] {
  var bill: [String: Int] = [:]
  func charge(_ cause: String) { bill[cause, default: 0] += 1 }
  func chargeBatches(_ entries: Int, of size: Int, _ cause: String) {
    var left = entries
    while left > 0 {
      charge(cause)
      left -= size
    }
  }
  func chargeDifferences(
    _ before: [Int: Int], _ after: [Int], _ current: [Int: Int?], _ cause: String
  ) {
    for document in after {
      if let version = before[document] {
        if let now = current[document] ?? nil, now != version { charge(cause) }
      } else {
        charge(cause)
      }
    }
    for (document, version) in before where !after.contains(document) {
      if let now = current[document] ?? nil, now != version { charge(cause) }
    }
  }
  for line in log {
    let chargedBefore = bill.values.reduce(0, +)
    var hasMinimum = false
    switch line.request {
    case .query(let offset, let ranges, let entries):
      hasMinimum = true
      for _ in 0..<offset { charge("documents skipped") }
      for _ in line.answer { charge("documents returned") }
      if ranges.count > 1 { chargeBatches(entries, of: 1_000, "index entries") }
    case .names:
      hasMinimum = true
      for _ in line.answer { charge("documents returned") }
    case .nearest(let entries):
      hasMinimum = true
      for _ in line.answer { charge("documents returned") }
      chargeBatches(entries, of: 100, "vector index entries")
    case .lookup(let isRetry):
      charge(
        isRetry ? "transaction retry" : line.answer.isEmpty ? "document missing" : "document found")
    case .commit(let read, let written):
      for document in read where !written.contains(document) { charge("verification") }
    case .aggregate(let entries):
      if entries == 0 { charge("aggregation") }
      chargeBatches(entries, of: 1_000, "aggregation")
    case .listen(let ranges, let entries, let alreadyListening):
      if alreadyListening { continue }
      hasMinimum = true
      for _ in line.answer { charge("documents returned") }
      if ranges.count > 1 { chargeBatches(entries, of: 1_000, "index entries") }
    case .notify(let before, let current):
      chargeDifferences(before, line.answer, current, "live change")
    case .reconnect(let minutes, let keptResult, let before, let current):
      if keptResult, minutes <= 30 {
        chargeDifferences(before, line.answer, current, "resumed")
      } else {
        hasMinimum = true
        for _ in line.answer { charge("resumed") }
      }
    case .cache: continue
    case .collections: charge("listing")
    case .explain: charge("explained plan")
    }
    if hasMinimum, bill.values.reduce(0, +) == chargedBefore { charge("minimum") }
  }
  return bill
}

// MARK: - The same log, as a client that meters would count it

private func changes(
  from before: [Int: Int], to after: [Int], _ current: [Int: Int?]
) -> ListenerChanges {
  var changes = ListenerChanges()
  let isNew: (Int, Int?) -> Bool = { document, version in (current[document] ?? nil) != version }
  changes.modified = after.count { before[$0] != nil && isNew($0, before[$0]) }
  // Whatever came in changed, or took the place of another; both are one read.
  let entered = after.filter { before[$0] == nil }
  changes.added = entered.count { $0.isMultiple(of: 2) }
  changes.refilled = entered.count - changes.added
  for (document, version) in before where !after.contains(document) {
    if (current[document] ?? nil) == nil {
      changes.removedByDeletion += 1
    } else if isNew(document, version) {
      changes.removedByChange += 1
    } else {
      changes.pushedOut += 1
    }
  }
  return changes
}

extension LogLine {
  var operation: BillableOperation {
    switch request {
    case .query(let offset, let ranges, let entries):
      .query(
        returned: answer.count, skipped: offset, indexEntries: entries, rangeFields: ranges.count)
    case .names(let entries):
      .namesQuery(returned: answer.count, skipped: 0, indexEntries: entries, rangeFields: 0)
    case .nearest(let entries): .nearest(returned: answer.count, vectorIndexEntries: entries)
    case .lookup(let isRetry):
      isRetry ? .retriedGet(found: !answer.isEmpty) : .get(found: !answer.isEmpty)
    case .commit(let read, let written):
      .verification(documents: Set(read).subtracting(written).count)
    case .aggregate(let entries): .aggregation(indexEntries: entries)
    case .listen(let ranges, let entries, let alreadyListening):
      alreadyListening
        ? .listenShared(returned: answer.count)
        : .listenStart(
          returned: answer.count, indexEntries: entries, rangeFields: ranges.count)
    case .notify(let before, let current):
      .listenChange(changes(from: before, to: answer, current))
    case .reconnect(let minutes, let keptResult, let before, let current):
      .listenResume(
        ListenerResumption(
          offline: .seconds(60 * minutes), hasPersistentCache: keptResult, returned: answer.count,
          changes: changes(from: before, to: answer, current)))
    case .cache: .cached(returned: answer.count)
    case .collections: .listCollectionIDs(ids: answer.count)
    case .explain: .explainPlan
    }
  }

  static func random(using generator: inout SeededGenerator) -> LogLine {
    let documents = Array(0..<Int.random(in: 0...4, using: &generator))
    let entries =
      Int.random(in: 0...3, using: &generator) * Int.random(in: 0...1_000, using: &generator)
    let ranges = Array(["a", "b", "c"].prefix(Int.random(in: 0...3, using: &generator)))
    let (before, current, after) = randomCommit(using: &generator)
    let request: Request
    var answer = documents
    switch Int.random(in: 0..<13, using: &generator) {
    case 0, 1:
      request = .query(
        offset: Int.random(in: 0...3, using: &generator), rangeFields: ranges, entries: entries)
    case 2: request = .names(entries: entries)
    case 3: request = .nearest(entries: entries)
    case 4:
      request = .lookup(isRetry: .random(using: &generator))
      answer = Array(documents.prefix(1))
    case 5:
      request = .commit(
        readByTransaction: documents, written: documents.filter { _ in .random(using: &generator) })
    case 6: request = .aggregate(entries: entries)
    case 7:
      request = .listen(
        rangeFields: ranges, entries: entries, alreadyListening: .random(using: &generator))
    case 8:
      request = .notify(before: before, current: current)
      answer = after
    case 9:
      request = .reconnect(
        minutes: [1, 29, 30, 31, 90].randomElement(using: &generator) ?? 1,
        keptResult: .random(using: &generator), before: before, current: current)
      answer = after
    case 10: request = .cache
    case 11: request = .collections
    default: request = .explain
    }
    return LogLine(request: request, answer: answer)
  }

  /// A result with versions, what became of its documents, and the result afterwards.
  private static func randomCommit(
    using generator: inout SeededGenerator
  ) -> (before: [Int: Int], current: [Int: Int?], after: [Int]) {
    var before: [Int: Int] = [:]
    var current: [Int: Int?] = [:]
    var after: [Int] = []
    for document in 0..<6 {
      let version = Int.random(in: 1...3, using: &generator)
      if Bool.random(using: &generator) { before[document] = version }
      switch Int.random(in: 0..<3, using: &generator) {
      case 0: current[document] = .some(nil)
      case 1: current[document] = version
      default: current[document] = version + 1
      }
      if current[document] ?? nil != nil, Bool.random(using: &generator) { after.append(document) }
    }
    return (before, current, after)
  }
}

@Suite struct RecountTests {
  @Test func `a naive recount of a hundred thousand random sessions agrees cause by cause`() {
    for number in Randomised.cases(100_000) {
      var generator = Randomised.generator(case: number)
      let log = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
        LogLine.random(using: &generator)
      }
      let meter = ReadMeter(keeping: .totals)
      for line in log {
        meter.record(
          line.operation, fingerprint: 1, indexEntriesScanned: 0, path: "", query: { "" })
      }
      let causes = Dictionary(
        uniqueKeysWithValues: meter.reads.byCause.map { ($0.cause.rawValue, $0.reads) })
      let naive = recount(log)
      guard causes == naive, meter.total == naive.values.reduce(0, +) else {
        Issue.record("case \(number): \(causes), naively \(naive), of \(log)")
        return
      }
    }
  }
}
