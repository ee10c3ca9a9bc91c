import DocumentDatabase

/// Which queries are run: all, or those that production has indexes for.
///
/// This database builds every index that a query needs. Production refuses a query without a
/// suitable index with `failedPrecondition`, and so does the strict policy here, which finds a
/// forgotten index in a test instead of after the release.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/index-overview
public enum IndexPolicy: Hashable, Sendable {
  /// Runs every query; what production will need beside `indexes` is noted on snapshots, in
  /// explanations and in the meter's notes.
  case noting(FirestoreIndexes)
  /// Refuses a query for which production would need more than the automatic indexes and these; the
  /// error names the index and has the entry of a `firestore.indexes.json` to paste.
  case strict(FirestoreIndexes)

  /// Runs every query, with no index declared beside the automatic ones.
  public static var noting: IndexPolicy { .noting(FirestoreIndexes()) }
  /// Refuses a query for which the automatic indexes are not enough.
  public static var strict: IndexPolicy { .strict(FirestoreIndexes()) }

  /// The declared indexes.
  public var indexes: FirestoreIndexes {
    switch self {
    case .noting(let indexes), .strict(let indexes): indexes
    }
  }

  var isStrict: Bool { if case .strict = self { true } else { false } }
}

extension QuerySnapshot {
  /// The indexes that production needs for this query and `Firestore.indexes` does not declare, as
  /// entries of a `firestore.indexes.json`; empty where production runs it as it is.
  public var missingIndexes: FirestoreIndexes { query.missingIndexes(aggregating: []) }
}

extension AggregateQuerySnapshot {
  /// The indexes that production needs for this query and `Firestore.indexes` does not declare, as
  /// entries of a `firestore.indexes.json`; empty where production runs it as it is.
  public var missingIndexes: FirestoreIndexes {
    query.query.missingIndexes(aggregating: query.fields)
  }
}

extension Query {
  /// What `Firestore.indexes` lacks for this query; nothing for one that cannot be run at all.
  fileprivate func missingIndexes(aggregating fields: [AggregateField]) -> FirestoreIndexes {
    do throws(FirestoreErrorCode) {
      var aggregated: [FieldReference] = []
      for field in fields { if let path = try field.aggregation.field { aggregated.append(path) } }
      return firestore.database.missingIndexes(
        for: try canonical(forAggregation: !fields.isEmpty), aggregating: aggregated)
    } catch {
      return FirestoreIndexes()
    }
  }
}
