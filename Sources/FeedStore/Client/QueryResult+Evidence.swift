import DocumentDatabase
import ReadBilling

extension QueryResult {
  /// What findings need to know of `query` and this answer to it.
  ///
  /// - Parameters:
  ///   - query: The query as it was run.
  ///   - database: Where it was run; asked, unbilled, for what is level with a cursor of values.
  /// - Returns: Digests alone; no document is kept.
  /// - Complexity: O(documents returned), and O(documents level with the cursor), at most 1,000.
  func evidence(for query: StructuredQuery, in database: Database) -> LedgerEntry.Evidence {
    var answer = UInt64(documents.count)
    for document in documents { answer.mix(document.digest) }
    return LedgerEntry.Evidence(
      limit: query.limit, startsAtCursor: query.startAt != nil, answer: answer,
      first: documents.first?.nameDigest, last: documents.last?.nameDigest,
      tied: tied(with: query, in: database))
  }

  /// The documents that a start after values passes over because they have these values.
  private func tied(with query: StructuredQuery, in database: Database) -> [UInt64] {
    guard let start = query.startAt, !start.before, start.values.count < self.query.orderBy.count
    else { return [] }
    var level = query
    level.startAt = StructuredQuery.Cursor(values: start.values, before: true)
    level.endAt = StructuredQuery.Cursor(values: start.values, before: false)
    level.offset = 0
    level.limit = 1_000
    level.select = nil
    let result = try? database.run(level)
    return result?.documents.map(\.nameDigest) ?? []
  }
}

extension StoredDocument {
  /// What findings need to know of a look-up that found the document.
  var evidence: LedgerEntry.Evidence {
    LedgerEntry.Evidence(answer: digest, first: nameDigest, last: nameDigest)
  }
}
