// A stand-in for Firebase's SDK: classes of its shape over an array, with nothing of this package in them.
// Classes are open to inheritance and answer through completion closures, as Objective-C's do, and their
// `Sendable` is unchecked, as in the SDK's headers.

/// A document.
public class DocumentSnapshot: @unchecked Sendable {
  /// Its id.
  public let documentID: String
  /// Its place in the collection, from 1.
  public let number: Int

  init(number: Int) {
    documentID = "d\(number)"
    self.number = number
  }
}

/// A document that a query returned.
public final class QueryDocumentSnapshot: DocumentSnapshot, @unchecked Sendable {}

/// What a query returned.
public final class QuerySnapshot: Sendable {
  /// The documents.
  public let documents: [QueryDocumentSnapshot]

  init(_ documents: [QueryDocumentSnapshot]) { self.documents = documents }
}

/// A query.
public class Query: @unchecked Sendable {
  let first: Int
  let last: Int
  let count: Int

  init(first: Int, last: Int, count: Int) {
    self.first = first
    self.last = last
    self.count = count
  }

  /// The first documents.
  public func limit(to limit: Int) -> Query {
    Query(first: first, last: min(last, first + limit - 1), count: count)
  }

  /// The documents after this one.
  public func start(afterDocument document: DocumentSnapshot) -> Query {
    Query(first: document.number + 1, last: count, count: count)
  }

  /// Runs the query.
  public func getDocuments(completion: @escaping (QuerySnapshot?, (any Error)?) -> Void) {
    let numbers = first <= last ? Array(first...last) : []
    completion(QuerySnapshot(numbers.map { QueryDocumentSnapshot(number: $0) }), nil)
  }

  /// Runs the query. The import of Objective-C adds this shape to each method with a completion closure.
  public func getDocuments() async throws -> QuerySnapshot {
    await withCheckedContinuation { continuation in
      getDocuments { snapshot, _ in continuation.resume(returning: snapshot ?? QuerySnapshot([])) }
    }
  }
}

/// A collection.
public final class CollectionReference: Query, @unchecked Sendable {
  /// A collection of so many documents.
  public init(documents: Int) { super.init(first: 1, last: documents, count: documents) }
}

/// An older SDK's query, which has closures alone.
public class ClosureQuery: @unchecked Sendable {
  private let query: Query
  private let failure: (any Error)?

  /// A query that answers as `query` does, or fails.
  public init(_ query: Query, failing failure: (any Error)? = nil) {
    self.query = query
    self.failure = failure
  }

  /// The first documents.
  public func limit(to limit: Int) -> ClosureQuery {
    ClosureQuery(query.limit(to: limit), failing: failure)
  }

  /// The documents after this one.
  public func start(afterDocument document: DocumentSnapshot) -> ClosureQuery {
    ClosureQuery(query.start(afterDocument: document), failing: failure)
  }

  /// Runs the query.
  public func getDocuments(completion: @escaping (QuerySnapshot?, (any Error)?) -> Void) {
    if let failure { return completion(nil, failure) }
    query.getDocuments(completion: completion)
  }
}
