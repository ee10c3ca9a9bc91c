package import DocumentDatabase
import ReadBilling

// `@unchecked` because the language allows no checked `Sendable` for a class with subclasses. All
// stored properties here and in `CollectionReference` are constants of `Sendable` types.

/// A query: which documents of a collection, in which order, from where to where, how many.
///
/// A query is immutable; each method returns a changed copy. A mistake, such as a limit of zero, is
/// kept and thrown, as `.invalidArgument` with what to do, by the method that runs the query. Calling
/// a limit or cursor method again replaces what was set; filters and orders add up.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/queries
public class Query: @unchecked Sendable {
  /// The database the query is for.
  public let firestore: Firestore
  /// What is asked, or the first mistake in it.
  package let request: Result<QueryRequest, FirestoreErrorCode>
  let preparation: QueryPreparation

  package convenience init(
    firestore: Firestore, request: Result<QueryRequest, FirestoreErrorCode>
  ) {
    self.init(firestore: firestore, request: request, preparation: QueryPreparation())
  }

  init(
    firestore: Firestore, request: Result<QueryRequest, FirestoreErrorCode>,
    preparation: QueryPreparation
  ) {
    self.firestore = firestore
    self.request = request
    self.preparation = preparation
  }

  /// A copy with `change` applied, or with the mistake that `change` finds.
  package func changing(
    _ change: (inout QueryRequest) throws(FirestoreErrorCode) -> Void
  ) -> Query {
    changing(QueryPreparation(), change)
  }

  /// A copy of which `change` sets cursors, offset or limit, or with the mistake that it finds. What
  /// these queries have in common is prepared once.
  package func windowed(
    _ change: (inout QueryRequest) throws(FirestoreErrorCode) -> Void
  ) -> Query {
    changing(preparation, change)
  }

  private func changing(
    _ preparation: QueryPreparation,
    _ change: (inout QueryRequest) throws(FirestoreErrorCode) -> Void
  ) -> Query {
    do throws(FirestoreErrorCode) {
      var changed = try request.get()
      try change(&changed)
      return Query(firestore: firestore, request: .success(changed), preparation: preparation)
    } catch {
      return Query(firestore: firestore, request: .failure(error))
    }
  }

  /// What the query means.
  ///
  /// - Throws: The first mistake in it.
  package func canonical(
    forAggregation: Bool = false
  ) throws(FirestoreErrorCode) -> CanonicalQuery {
    try request.get().canonical(
      in: firestore.database, preparation, forAggregation: forAggregation)
  }

  /// The query as the database takes it.
  ///
  /// - Throws: The first mistake made in building it.
  package func structured(
    forAggregation: Bool = false
  ) throws(FirestoreErrorCode) -> StructuredQuery {
    try request.get().query(in: firestore.database, forAggregation: forAggregation)
  }
}

extension Query: Hashable {
  /// Whether both ask the same of the same database.
  public static func == (left: Query, right: Query) -> Bool {
    left.firestore === right.firestore && left.request == right.request
  }

  /// Feeds what is asked to `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(request) }
}

extension Query {
  /// Orders by a field, given as a dotted name, ascending. Documents without the field are left out.
  public func order(by field: String) -> Query { order(by: field, descending: false) }

  /// Orders by a field, ascending. Documents without the field are left out.
  public func order(by path: FieldPath) -> Query { order(by: path, descending: false) }

  /// Orders by a field, given as a dotted name. Documents without the field are left out.
  public func order(by field: String, descending: Bool) -> Query {
    order(by: FieldPath(dotted: field), descending: descending)
  }

  /// Orders by a field, after the orders there are. Documents without the field are left out.
  ///
  /// - Parameters:
  ///   - path: The field.
  ///   - descending: Whether the largest value comes first.
  /// - Returns: The ordered query. Documents that tie in all orders come by their id, in the direction
  ///   of the last order.
  public func order(by path: FieldPath, descending: Bool) -> Query {
    changing { request throws(FirestoreErrorCode) in
      guard request.start == nil, request.end == nil else {
        throw .invalid(
          "order(by:) was called after a cursor was set; call it before start and end, whose values "
            + "belong to the orders.")
      }
      request.structured.orderBy.append(
        StructuredQuery.Order(try path.reference.get(), descending ? .descending : .ascending))
    }
  }

  /// Returns at most the first `limit` documents; `limit` must be positive.
  public func limit(to limit: Int) -> Query { limited(to: limit, takesLast: false) }

  /// Returns at most the last `limit` documents, in the query's order, which must be given.
  public func limit(toLast limit: Int) -> Query { limited(to: limit, takesLast: true) }

  private func limited(to limit: Int, takesLast: Bool) -> Query {
    windowed { request throws(FirestoreErrorCode) in
      guard limit > 0 else {
        throw .invalid("A limit must be positive, and \(limit) is not.")
      }
      // Firebase takes NSNotFound, and all that its wire format cannot hold, for no limit.
      request.structured.limit = limit < Int(Int32.max) ? limit : nil
      request.takesLast = takesLast
    }
  }
}

extension Query {
  /// Runs the query; while the network is disabled, on the client's cache.
  ///
  /// - Returns: The documents, in the query's order.
  /// - Throws: `FirestoreErrorCode` with `.invalidArgument` for the first mistake in the query.
  /// - Cost: One read per document, at least one; with `metered.offset(_:)` also one per document
  ///   skipped.
  @discardableResult
  public func getDocuments() async throws -> QuerySnapshot { try snapshot(.default).get() }

  /// Runs the query on the server or on the client's cache.
  ///
  /// - Parameter source: Where to look.
  /// - Returns: The documents, in the query's order.
  /// - Throws: `FirestoreErrorCode` with `.invalidArgument` for the first mistake in the query,
  ///   `.unavailable` for `.server` while the network is disabled.
  /// - Cost: As `getDocuments()`; nothing for `.cache`.
  @discardableResult
  public func getDocuments(source: FirestoreSource) async throws -> QuerySnapshot {
    try snapshot(source).get()
  }

  /// Runs the query before it returns, and calls `completion` with the documents on the settings'
  /// queue.
  public func getDocuments(completion: @escaping (QuerySnapshot?, (any Error)?) -> Void) {
    firestore.call(completion, with: snapshot(.default))
  }

  /// Runs the query on `source` before it returns, and calls `completion` with the documents on the
  /// settings' queue.
  ///
  /// - Parameters:
  ///   - source: Where to look.
  ///   - completion: Receives the documents or the error.
  public func getDocuments(
    source: FirestoreSource, completion: @escaping (QuerySnapshot?, (any Error)?) -> Void
  ) {
    firestore.call(completion, with: snapshot(source))
  }

  private func snapshot(_ source: FirestoreSource) -> Result<QuerySnapshot, FirestoreErrorCode> {
    do throws(FirestoreErrorCode) {
      let request = try request.get()
      let query = try request.canonical(in: firestore.database, preparation)
      guard try firestore.isRead(from: source, what: "the query") else {
        return .success(try cachedSnapshot(request, running: query.query))
      }
      let (result, receipt) = try firestore.database.run(query)
      let metadata = SnapshotMetadata.fromServer(receipt, of: firestore.readMeter)
      var documents = result.snapshots(in: firestore, metadata)
      if request.takesLast { documents.reverse() }
      return .success(
        QuerySnapshot(
          query: self, documents: documents, metadata: metadata, billedReads: receipt.reads))
    } catch {
      return .failure(error)
    }
  }

  private func cachedSnapshot(
    _ request: QueryRequest, running query: StructuredQuery
  ) throws(FirestoreErrorCode) -> QuerySnapshot {
    let live = try request.live(in: firestore.database)
    let rows = try firestore.engine.cached(live, running: query, in: firestore)
    firestore.database.recordCached(query, returned: rows.count)
    let hasPendingWrites = rows.contains(where: \.hasPendingWrites)
    return QuerySnapshot(
      query: self, documents: rows.map { $0.snapshot(in: firestore, isFromCache: true) },
      metadata: SnapshotMetadata(hasPendingWrites: hasPendingWrites, isFromCache: true),
      billedReads: BilledReads())
  }
}

extension QueryResult {
  /// The documents as a client sees them.
  func snapshots(
    in firestore: Firestore, _ metadata: SnapshotMetadata
  ) -> [QueryDocumentSnapshot] {
    let origin = DocumentSnapshot.Origin(firestore, metadata)
    var snapshots: [QueryDocumentSnapshot] = []
    snapshots.reserveCapacity(documents.count)
    for position in 0..<documents.count {
      snapshots.append(QueryDocumentSnapshot(stored: documents[position], from: origin))
    }
    return snapshots
  }
}

extension Firestore {
  /// Whether a read from `source` goes to the server now.
  func isRead(from source: FirestoreSource, what: String) throws(FirestoreErrorCode) -> Bool {
    let isOnline = try engine.begin()
    switch source {
    case .cache: return false
    case .default: return isOnline
    case .server:
      if isOnline { return true }
      throw .offline("Failed to get \(what) from the server")
    }
  }
}
