import DocumentDatabase
import ReadBilling

extension QueryResult {
  /// What findings need to know of this answer to its query.
  ///
  /// - Parameters:
  ///   - query: What was run.
  ///   - database: Where it was run; asked, unbilled, for what is level with a cursor of values.
  /// - Returns: Digests alone; no document is kept.
  /// - Complexity: O(documents returned), and O(documents level with the cursor), at most 1,000.
  func evidence(for query: CanonicalQuery, in database: Database) -> LedgerEntry.Evidence {
    var answer = UInt64(documents.count)
    for document in documents { answer.mix(document.digest) }
    return LedgerEntry.Evidence(
      limit: query.limit, startsAtCursor: query.start != nil, answer: answer,
      first: documents.first?.nameDigest, last: documents.last?.nameDigest,
      tied: query.tied(in: database))
  }
}

extension CanonicalQuery {
  /// The documents that a start after values passes over because they have these values.
  fileprivate func tied(in database: Database) -> [UInt64] {
    guard let start, !start.before, let count = start.valueCount,
      count < orderBy.count
    else { return [] }
    let level = try? CanonicalQuery(
      prepared, from: start.facing(before: true), to: start, offset: 0, limit: 1_000)
    let result = level.flatMap { try? database.run($0) }
    return result?.documents.map(\.nameDigest) ?? []
  }
}

extension StoredDocument {
  /// What findings need to know of a look-up that found the document.
  var evidence: LedgerEntry.Evidence {
    LedgerEntry.Evidence(answer: digest, first: nameDigest, last: nameDigest)
  }
}
