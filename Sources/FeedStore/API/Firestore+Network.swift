// While the network is disabled the client works on its own: writes show at once in its results, reads
// come from its cache, and neither costs anything. Everything is resolved in order when the network is
// enabled again; a write that the server refuses is undone.

extension Firestore {
  /// Enables the network, sends the writes that wait, and calls `completion` on the settings' queue.
  public func enableNetwork(completion: (((any Error)?) -> Void)? = nil) {
    report(to: completion) { () throws(FirestoreErrorCode) in
      try engine.enableNetwork(in: self)
    }
  }

  /// Enables the network and sends the writes that wait.
  ///
  /// - Throws: `FirestoreErrorCode` with `.failedPrecondition` after `terminate()`.
  /// - Cost: Listeners are billed for what changed since; after half an hour, or without a persistent
  ///   cache, as if they had just begun.
  ///
  /// Source: https://firebase.google.com/docs/firestore/pricing#listens
  public nonisolated(nonsending) func enableNetwork() async throws {
    try engine.enableNetwork(in: self)
  }

  /// Disables the network, and calls `completion` on the settings' queue.
  public func disableNetwork(completion: (((any Error)?) -> Void)? = nil) {
    report(to: completion) { () throws(FirestoreErrorCode) in
      try engine.disableNetwork(in: self)
    }
  }

  /// Disables the network. Writes that are awaited wait until it is enabled again.
  ///
  /// - Throws: `FirestoreErrorCode` with `.failedPrecondition` after `terminate()`.
  public nonisolated(nonsending) func disableNetwork() async throws {
    try engine.disableNetwork(in: self)
  }

  /// Calls `completion` on the settings' queue once all writes made until now have been taken or refused
  /// by the server.
  public func waitForPendingWrites(completion: @escaping ((any Error)?) -> Void) {
    let callback = QueuedCallback<FirestoreErrorCode?>(completion)
    engine.waitForPendingWrites { callback.send($0, on: self.callbackQueue) }
  }

  /// Waits until all writes made until now have been taken or refused by the server.
  ///
  /// - Throws: `FirestoreErrorCode` with `.cancelled` if the client is terminated meanwhile.
  public nonisolated(nonsending) func waitForPendingWrites() async throws {
    let failure = await withCheckedContinuation { continuation in
      engine.waitForPendingWrites { continuation.resume(returning: $0) }
    }
    if let failure { throw failure }
  }

  /// Drops what the client keeps between runs, and calls `completion` on the settings' queue.
  public func clearPersistence(completion: (((any Error)?) -> Void)? = nil) {
    report(to: completion) { () throws(FirestoreErrorCode) in try checkNotRunning() }
  }

  /// Drops what the client keeps between runs, which must not be running: it is called before the first
  /// use or after `terminate()`, which has given up the writes that waited. The database itself stays.
  ///
  /// - Throws: `FirestoreErrorCode` with `.failedPrecondition` while the client is in use.
  public nonisolated(nonsending) func clearPersistence() async throws { try checkNotRunning() }

  private func checkNotRunning() throws(FirestoreErrorCode) {
    switch engine.mode {
    case .unused, .terminated: break
    case .online, .offline:
      throw FirestoreErrorCode(
        .failedPrecondition,
        message: "Persistence cannot be cleared while the client is in use. Call terminate() first."
      )
    }
  }

  /// Ends the client, and calls `completion` on the settings' queue.
  public func terminate(completion: (((any Error)?) -> Void)? = nil) {
    report(to: completion) { engine.terminate() }
    stopSharing()
  }

  /// Ends the client: its listeners hear no more, writes that wait fail with `.cancelled`, and every
  /// later call fails with `.failedPrecondition`. `Firestore.firestore()` then makes a new client of the
  /// same data.
  public nonisolated(nonsending) func terminate() async throws {
    engine.terminate()
    stopSharing()
  }

  private func report(
    to completion: (((any Error)?) -> Void)?, _ body: () throws(FirestoreErrorCode) -> Void
  ) {
    var failure: FirestoreErrorCode?
    do throws(FirestoreErrorCode) { try body() } catch { failure = error }
    if let completion { call { [failure] in completion(failure) } }
  }

  /// Calls `listener` on the settings' queue now, and whenever all listeners that a change concerns have
  /// heard of it.
  ///
  /// - Parameter listener: The closure.
  /// - Returns: What removes it.
  @discardableResult
  public func addSnapshotsInSyncListener(
    _ listener: @escaping () -> Void
  ) -> any ListenerRegistration {
    let callback = QueuedCallback<Void>(listener)
    let registration = ActiveListener(engine: engine, cancel: callback.cancel)
    registration.begin(
      engine.listenInSync { callback.send((), on: self.callbackQueue) })
    return registration
  }
}
