import DocumentDatabase

extension Query {
  /// Listens to the result: `listener` is called on the settings' queue with the documents there are, and
  /// again whenever a commit changes them, until it is removed.
  ///
  /// - Parameter listener: Receives a snapshot, or the mistake in the query and then nothing more.
  /// - Returns: What removes the listener.
  /// - Cost: At the start as `getDocuments()`; then one read for each document that comes in, changes,
  ///   or leaves because it changed. Listeners of the same query are billed once.
  ///
  /// Source: https://firebase.google.com/docs/firestore/query-data/listen
  @discardableResult
  public func addSnapshotListener(
    _ listener: @escaping (QuerySnapshot?, (any Error)?) -> Void
  ) -> any ListenerRegistration {
    addSnapshotListener(options: SnapshotListenOptions(), listener: listener)
  }

  /// Listens to the result, and with `includeMetadataChanges` also to changes of metadata alone.
  ///
  /// - Parameters:
  ///   - includeMetadataChanges: Whether to hear of snapshots in which only metadata changed.
  ///   - listener: Receives a snapshot, or the mistake in the query and then nothing more.
  /// - Returns: What removes the listener.
  /// - Cost: As without; metadata is free.
  @discardableResult
  public func addSnapshotListener(
    includeMetadataChanges: Bool, listener: @escaping (QuerySnapshot?, (any Error)?) -> Void
  ) -> any ListenerRegistration {
    addSnapshotListener(
      options: SnapshotListenOptions().withIncludeMetadataChanges(includeMetadataChanges),
      listener: listener)
  }

  /// Listens to the result as `options` say.
  ///
  /// - Parameters:
  ///   - options: Where results come from, and whether changes of metadata count.
  ///   - listener: Receives a snapshot, or the mistake in the query and then nothing more.
  /// - Returns: What removes the listener.
  /// - Cost: As without options; nothing from the cache.
  @discardableResult
  public func addSnapshotListener(
    options: SnapshotListenOptions, listener: @escaping (QuerySnapshot?, (any Error)?) -> Void
  ) -> any ListenerRegistration {
    let callback = QueuedCallback<Result<QuerySnapshot, FirestoreErrorCode>> { outcome in
      switch outcome {
      case .success(let snapshot): listener(snapshot, nil)
      case .failure(let error): listener(nil, error)
      }
    }
    return listen(
      options: options, cancel: callback.cancel,
      deliver: { callback.send($0, on: self.firestore.callbackQueue) })
  }

  /// Listens without a queue in between.
  package func listen(
    options: SnapshotListenOptions, cancel: @escaping @Sendable () -> Void = {},
    deliver: @escaping @Sendable (Result<QuerySnapshot, FirestoreErrorCode>) -> Void,
    end: @escaping @Sendable () -> Void = {}
  ) -> ActiveListener {
    let registration = ActiveListener(engine: firestore.engine, cancel: cancel)
    do throws(FirestoreErrorCode) {
      let request = try request.get()
      let (target, live) = try target(request, isCacheOnly: options.source == .cache)
      registration.begin(
        try firestore.engine.listen(
          to: target, live, wantsMetadata: options.includeMetadataChanges, in: firestore,
          deliver: { deliver($0.map { QuerySnapshot(query: self, event: $0) }) }, end: end))
    } catch {
      deliver(.failure(error))
    }
    return registration
  }

  private func target(
    _ request: QueryRequest, isCacheOnly: Bool
  ) throws(FirestoreErrorCode) -> (LiveTarget.Request, LiveQuery) {
    guard request.structured.offset == 0, request.structured.select == nil else {
      throw .invalid("A query with an offset or selected fields cannot be listened to.")
    }
    let run = try request.query(in: firestore.database)
    let live = try request.live(in: firestore.database)
    let text = "listen \(try firestore.database.canonical(run).description)"
    return (
      LiveTarget.Request(
        run: run, takesLast: request.takesLast, isCacheOnly: isCacheOnly, text: text), live
    )
  }
}

extension QuerySnapshot {
  convenience init(query: Query, event: LiveEvent) {
    self.init(
      query: query, documents: event.documents, metadata: event.metadata, changes: event.changes,
      billedReads: event.billed)
  }
}
