import DocumentDatabase
import Synchronization

/// The index policy of a database. Queries ask it first; while it is not strict, that is one atomic
/// load. The mutex guards the policy itself.
final class IndexGuard: Sendable {
  private let state: Mutex<IndexPolicy>
  private let isStrict: Atomic<Bool>

  init(_ policy: IndexPolicy) {
    state = Mutex(policy)
    isStrict = Atomic(policy.isStrict)
  }

  var policy: IndexPolicy {
    get { state.withLock { $0 } }
    set {
      state.withLock {
        $0 = newValue
        isStrict.store(newValue.isStrict, ordering: .sequentiallyConsistent)
      }
    }
  }

  /// - Throws: `.failedPrecondition` where the policy is strict and production would refuse `query`.
  func check(
    _ query: CanonicalQuery,
    aggregating fields: [FieldReference] = []
  ) throws(FirestoreErrorCode) {
    guard isStrict.load(ordering: .relaxed), case .strict(let indexes) = policy else { return }
    try IndexGuard.check(query, against: indexes, aggregating: fields)
  }

  private static func check(
    _ query: CanonicalQuery, against indexes: FirestoreIndexes, aggregating: [FieldReference]
  ) throws(FirestoreErrorCode) {
    let missing = IndexRequirement(
      of: query, in: indexes.configuration, aggregating: aggregating
    ).missing
    guard !missing.isEmpty else { return }
    throw FirestoreErrorCode(
      .failedPrecondition, message: message(query, missing, indexes.entries(adding: missing)))
  }

  private static func message(
    _ query: CanonicalQuery, _ missing: [CompositeIndex], _ entries: FirestoreIndexes
  ) -> String {
    """
    The query requires an index that is not declared: \(missing.summary).
    Query: \(query.description)
    Add to firestore.indexes.json:
    \(entries.jsonText.pretty)
    """
  }
}

extension [CompositeIndex] {
  /// `(kind ASC, createdAt DESC, __name__ DESC) on posts`, one after the other.
  package var summary: String {
    map { index in
      let scope = index.scope == .collectionGroup ? "collection group " : ""
      return "\(index) on \(scope)\(index.collectionID)"
    }.joined(separator: "; ")
  }
}
