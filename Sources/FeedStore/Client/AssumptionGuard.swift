import DocumentDatabase
import Synchronization

/// The assumptions of a database. Requests ask it first; while they are the usual ones, that is one
/// atomic load. The mutex guards the assumptions themselves.
final class AssumptionGuard: Sendable {
  private let state = Mutex(QueryAssumptions())
  private let areUsual = Atomic(true)

  var assumptions: QueryAssumptions {
    get { state.withLock { $0 } }
    set {
      state.withLock {
        $0 = newValue
        areUsual.store(newValue == QueryAssumptions(), ordering: .sequentiallyConsistent)
      }
    }
  }

  /// Whether no query is changed or refused.
  var areAllUsual: Bool { areUsual.load(ordering: .relaxed) }

  /// The query to run in place of `query`.
  ///
  /// - Throws: `.invalidArgument` for what is not assumed to be allowed.
  func query(
    _ query: StructuredQuery, in database: MeteredDatabase
  ) throws(FirestoreErrorCode) -> StructuredQuery {
    if areUsual.load(ordering: .relaxed) { return query }
    let assumptions = assumptions
    var query = query
    if !assumptions.zeroLimitIsEmpty, query.limit == 0 { query.limit = nil }
    if !assumptions.equalToNullIsEmpty { query.where = query.where?.testingSpecialValues }
    if !assumptions.rangeOfNullIsEmpty, let field = query.where?.fieldWithSpecialRange {
      throw .invalid("'\(field)' is compared with null or NaN, which are equal or not, never less.")
    }
    if !assumptions.onlyFirstCursorValueIsChecked,
      let field = try database.canonical(query).orderWithCursorOutside
    {
      throw .invalid(QueryError.cursorOutsideRange(field).description)
    }
    return query
  }

  /// - Throws: `.invalidArgument` for what is not assumed to be allowed.
  func check(_ writes: [Write]) throws(FirestoreErrorCode) {
    if areUsual.load(ordering: .relaxed) || assumptions.longIndexedValuesAreCut { return }
    for write in writes {
      guard case .update(let name, let fields, _) = write.operation,
        let field = fields.fieldCutInIndexes
      else { continue }
      throw .invalid(
        "The field '\(field)' of '\(name)' has an indexed value of more than 1,500 bytes.")
    }
  }
}
