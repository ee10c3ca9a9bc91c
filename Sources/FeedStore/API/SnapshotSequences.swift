extension Query {
  /// The snapshots of this query as they come, from the one that is there.
  ///
  /// Each iteration adds a listener of its own, which is removed when the iteration ends.
  public var snapshots: QuerySnapshotsSequence { snapshots(includeMetadataChanges: false) }

  /// The snapshots of this query as they come, with or without those in which only metadata changed.
  public func snapshots(includeMetadataChanges: Bool) -> QuerySnapshotsSequence {
    QuerySnapshotsSequence(self, includeMetadataChanges: includeMetadataChanges)
  }

  /// The snapshots of a query as they come. It can be iterated many times, each time with a listener.
  public struct QuerySnapshotsSequence: AsyncSequence, Sendable {
    /// A snapshot of the query.
    public typealias Element = QuerySnapshot
    /// The mistake in the query.
    public typealias Failure = any Error

    private let query: Query
    private let includeMetadataChanges: Bool

    /// The snapshots of `query`.
    ///
    /// - Parameters:
    ///   - query: The query to listen to.
    ///   - includeMetadataChanges: Whether snapshots count in which only metadata changed.
    public init(_ query: Query, includeMetadataChanges: Bool) {
      self.query = query
      self.includeMetadataChanges = includeMetadataChanges
    }

    /// Adds a listener and hands out its snapshots.
    public func makeAsyncIterator() -> Iterator {
      let options = SnapshotListenOptions().withIncludeMetadataChanges(includeMetadataChanges)
      return Iterator(
        base: ListenerStream { [query] deliver, end in
          query.listen(options: options, deliver: deliver, end: end)
        })
    }

    /// Hands out the snapshots of one listener, and removes it when it is dropped.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: ListenerStream<QuerySnapshot>

      /// The next snapshot; nil when the task is cancelled or the client terminated.
      ///
      /// - Throws: The mistake in the query.
      public mutating func next() async throws -> QuerySnapshot? {
        try await next(isolation: nil)
      }

      /// The next snapshot; nil when the task is cancelled or the client terminated.
      ///
      /// - Parameter actor: The actor of the caller.
      /// - Returns: The snapshot.
      /// - Throws: The mistake in the query.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(any Error) -> QuerySnapshot? {
        try await base.iterator.next(isolation: actor)
      }
    }
  }
}

@available(*, unavailable)
extension Query.QuerySnapshotsSequence.Iterator: Sendable {}

extension DocumentReference {
  /// The snapshots of this document as they come, from the one that is there.
  ///
  /// Each iteration adds a listener of its own, which is removed when the iteration ends.
  public var snapshots: DocumentSnapshotsSequence { snapshots(includeMetadataChanges: false) }

  /// The snapshots of this document as they come, with or without those in which only metadata changed.
  public func snapshots(includeMetadataChanges: Bool) -> DocumentSnapshotsSequence {
    DocumentSnapshotsSequence(self, includeMetadataChanges: includeMetadataChanges)
  }

  /// The snapshots of a document as they come. It can be iterated many times, each time with a listener.
  public struct DocumentSnapshotsSequence: AsyncSequence, Sendable {
    /// A snapshot of the document.
    public typealias Element = DocumentSnapshot
    /// The mistake in the path.
    public typealias Failure = any Error

    private let document: DocumentReference
    private let includeMetadataChanges: Bool

    /// The snapshots of `documentReference`.
    ///
    /// - Parameters:
    ///   - documentReference: The document to listen to.
    ///   - includeMetadataChanges: Whether snapshots count in which only metadata changed.
    public init(_ documentReference: DocumentReference, includeMetadataChanges: Bool) {
      document = documentReference
      self.includeMetadataChanges = includeMetadataChanges
    }

    /// Adds a listener and hands out its snapshots.
    public func makeAsyncIterator() -> Iterator {
      let options = SnapshotListenOptions().withIncludeMetadataChanges(includeMetadataChanges)
      return Iterator(
        base: ListenerStream { [document] deliver, end in
          document.listen(options: options, deliver: deliver, end: end)
        })
    }

    /// Hands out the snapshots of one listener, and removes it when it is dropped.
    public struct Iterator: AsyncIteratorProtocol {
      fileprivate var base: ListenerStream<DocumentSnapshot>

      /// The next snapshot; nil when the task is cancelled or the client terminated.
      ///
      /// - Throws: The mistake in the path.
      public mutating func next() async throws -> DocumentSnapshot? {
        try await next(isolation: nil)
      }

      /// The next snapshot; nil when the task is cancelled or the client terminated.
      ///
      /// - Parameter actor: The actor of the caller.
      /// - Returns: The snapshot.
      /// - Throws: The mistake in the path.
      public mutating func next(
        isolation actor: isolated (any Actor)?
      ) async throws(any Error) -> DocumentSnapshot? {
        try await base.iterator.next(isolation: actor)
      }
    }
  }
}

@available(*, unavailable)
extension DocumentReference.DocumentSnapshotsSequence.Iterator: Sendable {}

/// The snapshots of one listener, which is removed with the last copy of this.
private struct ListenerStream<Snapshot: Sendable> {
  typealias Deliver = @Sendable (Result<Snapshot, FirestoreErrorCode>) -> Void

  var iterator: AsyncThrowingStream<Snapshot, any Error>.Iterator

  init(
    _ listen: (_ deliver: @escaping Deliver, _ end: @escaping @Sendable () -> Void) ->
      ActiveListener
  ) {
    let (stream, continuation) = AsyncThrowingStream<Snapshot, any Error>.makeStream()
    let deliver: Deliver = { outcome in
      switch outcome {
      case .success(let snapshot): continuation.yield(snapshot)
      case .failure(let error): continuation.finish(throwing: error)
      }
    }
    let registration = listen(deliver) { continuation.finish() }
    continuation.onTermination = { _ in registration.remove() }
    iterator = stream.makeAsyncIterator()
  }
}
