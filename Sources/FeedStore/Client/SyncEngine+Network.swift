import DocumentDatabase
import ReadBilling
import Synchronization

extension SyncEngine {
  /// Stops exchanging anything with the server: what is there stays to be seen, and writes wait.
  func disableNetwork(in firestore: Firestore) throws(FirestoreErrorCode) {
    _ = try begin()
    state.withLock { state in
      guard state.view == nil else { return }
      openFeed(&state)
      drain(&state, in: firestore)
      state.view = LocalView(since: now())
      setMode(.offline)
      var isShown = false
      for id in state.targets.keys.sorted() {
        guard var target = state.targets.removeValue(forKey: id) else { continue }
        target.local = target.server
        isShown =
          target.show([], in: firestore, isFromCache: true, billed: BilledReads()) || isShown
        state.targets[id] = target
      }
      if isShown { notifyInSync(state) }
    }
  }

  /// Keeps writes until the network is enabled, and shows them at once.
  ///
  /// - Returns: False where the network is enabled by now.
  func enqueue(_ writes: LocalView.PendingWrites, in firestore: Firestore) -> Bool {
    state.withLock { state in
      drain(&state, in: firestore)
      guard let changes = state.view?.append(writes, to: database, time: now()) else {
        return false
      }
      let ids = state.interests.moves(of: changes).keys.sorted()
      let shown = ids.map { showLocally($0, &state, in: firestore) }
      if shown.contains(true) { notifyInSync(state) }
      return true
    }
  }

  private func showLocally(
    _ id: InterestIndex.ID, _ state: inout State, in firestore: Firestore
  ) -> Bool {
    guard let view = state.view, var target = state.targets[id] else { return false }
    do throws(FirestoreErrorCode) {
      let rows = try view.rows(of: target.query, running: target.request.run, in: database)
      let changes = target.local?.update(to: rows) ?? []
      let isShown = target.show(changes, in: firestore, isFromCache: true, billed: BilledReads())
      state.interests.narrow(id, to: target.window)
      state.targets[id] = target
      return isShown
    } catch {
      fail(id, with: error, &state)
      return false
    }
  }

  /// Sends the writes that wait, in order, and brings listeners up to what the server has then.
  func enableNetwork(in firestore: Firestore) throws(FirestoreErrorCode) {
    _ = try begin()
    let completions = state.withLock { state -> [@Sendable () -> Void] in
      guard let waiting = state.view else { return [] }
      var completions: [@Sendable () -> Void] = []
      for pending in waiting.pending {
        let outcome = send(pending.writes, in: firestore)
        completions.append { pending.completion(outcome) }
      }
      drain(&state, in: firestore)
      let changes = state.view?.serverChanges ?? []
      state.view = nil
      setMode(.online)
      let lost = LostConnection(
        duration: .microseconds(now() - waiting.since), keptCache: firestore.keepsCache)
      var isShown = false
      for id in state.targets.keys.sorted() {
        let shown = resume(id, changes, after: lost, &state, in: firestore)
        isShown = shown || isShown
      }
      closeFeed(&state)
      if isShown { notifyInSync(state) }
      for waiter in state.acknowledgements { completions.append { waiter(nil) } }
      state.acknowledgements = []
      return completions
    }
    for complete in completions { complete() }
  }

  private func send(_ writes: [Write], in firestore: Firestore) -> FirestoreErrorCode? {
    if let refusal = firestore.refusal(of: writes) { return refusal }
    do throws(FirestoreErrorCode) { try database.commit(writes) } catch { return error }
    return nil
  }

  /// Brings one target from what was seen locally to what the server has.
  private func resume(
    _ id: InterestIndex.ID, _ changes: [ChangedDocument], after lost: LostConnection,
    _ state: inout State,
    in firestore: Firestore
  ) -> Bool {
    guard var target = state.targets.removeValue(forKey: id) else { return false }
    do throws(FirestoreErrorCode) {
      var billed = BilledReads()
      if lost.isResumable, target.server != nil {
        let moves = changes.filter(\.isChange).compactMap { target.query.move($0) }
        billed = try update(&target, by: moves, to: target.version, after: lost).billed
      } else {
        billed = try restart(&target, after: target.server == nil ? nil : lost)
      }
      let rows = target.server?.rows ?? []
      let shown = target.local?.update(to: rows) ?? []
      target.local = nil
      let isShown = target.show(
        shown, in: firestore, isFromCache: target.request.isCacheOnly, billed: billed)
      state.interests.narrow(id, to: target.window)
      state.targets[id] = target
      return isShown
    } catch {
      state.targets[id] = target
      fail(id, with: error, &state)
      return false
    }
  }

  /// Calls `waiter` once all writes made until now are through.
  func waitForPendingWrites(_ waiter: @escaping @Sendable (FirestoreErrorCode?) -> Void) {
    let isNow = state.withLock { state in
      if state.view?.pending.isEmpty ?? true { return true }
      state.acknowledgements.append(waiter)
      return false
    }
    if isNow { waiter(nil) }
  }

  /// Ends all listeners and gives up what waits.
  func terminate() {
    setMode(.terminated)
    let abandoned = state.withLock { state -> [@Sendable () -> Void] in
      let cancelled = FirestoreErrorCode(
        .cancelled, message: "The client was terminated before the server had seen the write.")
      let pending = (state.view?.pending.map(\.completion) ?? []) + state.acknowledgements
      let listeners = state.targets.values.flatMap(\.listeners)
      if let feed = state.feed { database.database.stopObserving(feed) }
      state = State()
      let cancellations = pending.map { completion -> @Sendable () -> Void in
        { completion(cancelled) }
      }
      return cancellations + listeners.map { $0.end }
    }
    for inform in abandoned { inform() }
  }

  // MARK: Reading

  /// Runs a query on what the client sees without the server.
  func cached(
    _ query: LiveQuery, running run: StructuredQuery, in firestore: Firestore
  ) throws(FirestoreErrorCode) -> [LiveRow] {
    var run = run
    var whole = query
    if let limit = run.limit { whole = query.limited(to: limit + run.offset) }
    let offset = run.offset
    run.limit = whole.limit
    run.offset = 0
    let rows = try state.withLock { state throws(FirestoreErrorCode) in
      drain(&state, in: firestore)
      let view = state.view ?? LocalView(since: 0)
      return try view.rows(of: whole, running: run, in: database)
    }
    return query.takesLast ? rows.dropLast(offset) : Array(rows.dropFirst(offset))
  }

  /// A document as the client sees it without the server; nil where it does not know of it.
  func cached(
    _ name: DocumentName, in firestore: Firestore
  ) throws(FirestoreErrorCode) -> LocalView.Overlay? {
    try state.withLock { state throws(FirestoreErrorCode) in
      drain(&state, in: firestore)
      do throws(DatabaseError) {
        // What was written on top of a damaged document is as wrong as that.
        let document = try database.database.get(name)
        guard let overlay = state.view?.overlays[name] else {
          return document.map { LocalView.Overlay(document: $0, hasPendingWrites: false) }
        }
        return overlay.document == nil && !overlay.hasPendingWrites ? nil : overlay
      } catch { throw FirestoreErrorCode(error) }
    }
  }
}
