import DocumentDatabase
import ReadBilling
import Synchronization

extension SyncEngine {
  /// Adds a listener, and hands it what there is before any change.
  ///
  /// - Returns: The listener's number.
  func listen(
    to request: LiveTarget.Request, _ query: LiveQuery, wantsMetadata: Bool,
    in firestore: Firestore,
    deliver: @escaping @Sendable (Result<LiveEvent, FirestoreErrorCode>) -> Void,
    end: @escaping @Sendable () -> Void
  ) throws(FirestoreErrorCode) -> Int {
    _ = try begin()
    return try state.withLock { state throws(FirestoreErrorCode) in
      let number = state.nextID()
      let listener = LiveListener(
        id: number, wantsMetadata: wantsMetadata, deliver: deliver, end: end)
      openFeed(&state)
      defer { closeFeed(&state) }
      drain(&state, in: firestore)
      if let id = state.ids[request] {
        state.targets[id]?.listeners.append(listener)
        state.owners[number] = id
        if let target = state.targets[id] {
          if state.view == nil, !request.isCacheOnly {
            database.record(.listenShared(returned: target.rows.count), of: target)
          }
          deliver(.success(target.firstEvent(billed: BilledReads())))
        }
        return number
      }
      var target = LiveTarget(request, query: query)
      let billed = try start(&target, state)
      let isFromCache = request.isCacheOnly || state.view != nil
      target.restart(in: firestore, isFromCache: isFromCache)
      target.listeners = [listener]
      state.ids[request] = number
      state.owners[number] = number
      state.interests.insert(number, query)
      state.interests.narrow(number, to: target.window)
      deliver(.success(target.firstEvent(billed: billed)))
      state.targets[number] = target
      return number
    }
  }

  /// Gets the rows of a new target.
  private func start(
    _ target: inout LiveTarget, _ state: State
  ) throws(FirestoreErrorCode) -> BilledReads {
    if let view = state.view {
      let rows = try view.rows(of: target.query, running: target.request.run, in: database)
      target.local = LiveResult(target.query, rows: rows)
      return BilledReads()
    }
    return try restart(&target)
  }

  /// Asks the server for the whole result.
  func restart(
    _ target: inout LiveTarget, after lost: LostConnection? = nil
  ) throws(FirestoreErrorCode) -> BilledReads {
    let result: QueryResult
    var billed = BilledReads()
    if target.request.isCacheOnly {
      result = try database.rerun(target.request.run)
    } else {
      (result, billed) = try database.start(&target, after: lost)
    }
    target.server = LiveResult(target.query, rows: target.rows(result))
    target.version = result.version
    return billed
  }

  /// Removes a listener, and its target with the last one.
  func remove(_ listener: Int) {
    state.withLock { state in
      state.inSync.removeAll { $0.id == listener }
      guard let id = state.owners.removeValue(forKey: listener) else { return }
      state.targets[id]?.listeners.removeAll { $0.id == listener }
      guard let target = state.targets[id], target.listeners.isEmpty else { return }
      state.targets[id] = nil
      state.ids[target.request] = nil
      state.interests.remove(id)
      closeFeed(&state)
    }
  }

  /// How many listeners there are.
  var listenerCount: Int {
    state.withLock { $0.owners.count }
  }

  /// Adds somebody who is told whenever all listeners have heard of a change.
  func listenInSync(_ notify: @escaping @Sendable () -> Void) -> Int {
    state.withLock { state in
      let number = state.nextID()
      state.inSync.append((number, notify))
      notify()
      return number
    }
  }
}
