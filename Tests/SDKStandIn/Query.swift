// A stand-in for Firebase's SDK: classes of its shape over an array, with nothing of this package in them.
// Classes are open to inheritance and answer through completion closures, as Objective-C's do.

/// `@unchecked` as in Firebase's own headers, which only promise it.
public class DocumentSnapshot: @unchecked Sendable {
  public let documentID: String
  public let number: Int

  init(number: Int) {
    documentID = "d\(number)"
    self.number = number
  }
}

public final class QueryDocumentSnapshot: DocumentSnapshot, @unchecked Sendable {}

public final class QuerySnapshot: Sendable {
  public let documents: [QueryDocumentSnapshot]

  init(_ documents: [QueryDocumentSnapshot]) { self.documents = documents }
}

public class Query: @unchecked Sendable {
  let first: Int
  let last: Int
  let count: Int

  init(first: Int, last: Int, count: Int) {
    self.first = first
    self.last = last
    self.count = count
  }

  public func limit(to limit: Int) -> Query {
    Query(first: first, last: min(last, first + limit - 1), count: count)
  }

  public func start(afterDocument document: DocumentSnapshot) -> Query {
    Query(first: document.number + 1, last: count, count: count)
  }

  public func getDocuments(completion: @escaping (QuerySnapshot?, (any Error)?) -> Void) {
    let numbers = first <= last ? Array(first...last) : []
    completion(QuerySnapshot(numbers.map { QueryDocumentSnapshot(number: $0) }), nil)
  }

  /// The import of Objective-C adds this shape to each method with a completion closure.
  public func getDocuments() async throws -> QuerySnapshot {
    await withCheckedContinuation { continuation in
      getDocuments { snapshot, _ in continuation.resume(returning: snapshot ?? QuerySnapshot([])) }
    }
  }
}

public final class CollectionReference: Query, @unchecked Sendable {
  public init(documents: Int) { super.init(first: 1, last: documents, count: documents) }
}

/// An older SDK's query, which has closures alone.
public class ClosureQuery: @unchecked Sendable {
  private let query: Query
  private let failure: (any Error & Sendable)?

  public init(_ query: Query, failing failure: (any Error & Sendable)? = nil) {
    self.query = query
    self.failure = failure
  }

  public func limit(to limit: Int) -> ClosureQuery {
    ClosureQuery(query.limit(to: limit), failing: failure)
  }

  public func start(afterDocument document: DocumentSnapshot) -> ClosureQuery {
    ClosureQuery(query.start(afterDocument: document), failing: failure)
  }

  public func getDocuments(completion: @escaping (QuerySnapshot?, (any Error)?) -> Void) {
    if let failure { return completion(nil, failure) }
    query.getDocuments(completion: completion)
  }
}
