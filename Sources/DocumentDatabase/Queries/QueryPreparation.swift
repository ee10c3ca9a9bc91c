import StorageEngine

/// What a query prepares when it is first run, for itself and for all that differ from it in cursors,
/// offset and limit.
package final class QueryPreparation: Sendable {
  private let prepared = LazyReference<PreparedQuery>()

  package init() {}

  /// The prepared form of `query`, which is always the same but for cursors, offset and limit.
  ///
  /// - Throws: `DatabaseError.query` where it breaks a rule, each time.
  package func prepared(
    _ query: StructuredQuery, in database: Database
  ) throws(DatabaseError) -> PreparedQuery {
    if let prepared = prepared.load() { return prepared }
    return prepared.storeIfNil(try database.prepare(query))
  }
}
