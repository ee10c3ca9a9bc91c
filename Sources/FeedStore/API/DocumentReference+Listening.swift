import DocumentDatabase

extension DocumentReference {
  /// Listens to the document: `listener` is called on the settings' queue with the document as it is, or
  /// the fact that there is none, and again whenever a commit changes it, until it is removed.
  ///
  /// - Parameter listener: Receives a snapshot, or the mistake in the path and then nothing more.
  /// - Returns: What removes the listener.
  /// - Cost: One read at the start, also where there is no document; one for each change. A deletion is
  ///   free.
  ///
  /// Source: https://firebase.google.com/docs/firestore/query-data/listen
  @discardableResult
  public func addSnapshotListener(
    _ listener: @escaping (DocumentSnapshot?, (any Error)?) -> Void
  ) -> any ListenerRegistration {
    addSnapshotListener(options: SnapshotListenOptions(), listener: listener)
  }

  /// Listens to the document, and with `includeMetadataChanges` also to changes of metadata alone.
  ///
  /// - Parameters:
  ///   - includeMetadataChanges: Whether to hear of snapshots in which only metadata changed.
  ///   - listener: Receives a snapshot, or the mistake in the path and then nothing more.
  /// - Returns: What removes the listener.
  /// - Cost: As without; metadata is free.
  @discardableResult
  public func addSnapshotListener(
    includeMetadataChanges: Bool, listener: @escaping (DocumentSnapshot?, (any Error)?) -> Void
  ) -> any ListenerRegistration {
    addSnapshotListener(
      options: SnapshotListenOptions().withIncludeMetadataChanges(includeMetadataChanges),
      listener: listener)
  }

  /// Listens to the document as `options` say.
  ///
  /// - Parameters:
  ///   - options: Where results come from, and whether changes of metadata count.
  ///   - listener: Receives a snapshot, or the mistake in the path and then nothing more.
  /// - Returns: What removes the listener.
  /// - Cost: As without options; nothing from the cache.
  @discardableResult
  public func addSnapshotListener(
    options: SnapshotListenOptions, listener: @escaping (DocumentSnapshot?, (any Error)?) -> Void
  ) -> any ListenerRegistration {
    let callback = QueuedCallback<Result<DocumentSnapshot, FirestoreErrorCode>> { outcome in
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
  func listen(
    options: SnapshotListenOptions, cancel: @escaping @Sendable () -> Void = {},
    deliver: @escaping @Sendable (Result<DocumentSnapshot, FirestoreErrorCode>) -> Void,
    end: @escaping @Sendable () -> Void = {}
  ) -> ActiveListener {
    let registration = ActiveListener(engine: firestore.engine, cancel: cancel)
    do throws(FirestoreErrorCode) {
      let name = try name.get()
      var run = StructuredQuery(from: .collection(name.parent))
      run.where = .field(.documentName, .equal, .reference(try resourceName))
      let target = LiveTarget.Request(
        run: run, takesLast: false, document: name, isCacheOnly: options.source == .cache,
        text: "listen \(name.parent.pattern)/*")
      let live = LiveQuery(try firestore.database.canonical(run), takesLast: false)
      registration.begin(
        try firestore.engine.listen(
          to: target, live, wantsMetadata: options.includeMetadataChanges, in: firestore,
          deliver: { deliver($0.map { self.snapshot($0, name) }) }, end: end))
    } catch {
      deliver(.failure(error))
    }
    return registration
  }

  private func snapshot(_ event: LiveEvent, _ name: DocumentName) -> DocumentSnapshot {
    event.documents.first
      ?? DocumentSnapshot(
        firestore: firestore, name: name, stored: nil, metadata: event.metadata)
  }
}
