import DocumentDatabase
import ReadBilling
import Synchronization

/// Keeps what listeners see in step with the database, and the client's writes in order while its
/// network is disabled.
///
/// `state` guards all of it. Whoever changes the database comes here afterwards and tells the listeners
/// what the change means for them; since commits come out of the change feed in order, and events are
/// handed over while the state is held, each listener hears of commits in order. User code is never
/// called while the state is held. `mode` is read without it, so that a client without listeners and with
/// its network enabled pays one load per call.
final class SyncEngine: Sendable {
  enum Mode: UInt8, AtomicRepresentable {
    case unused
    case online
    case offline
    case terminated
  }

  struct State: Sendable {
    /// The commits to come; open while there is a listener or a local view.
    var feed: ChangeQueue?
    var interests = InterestIndex()
    var targets: [InterestIndex.ID: LiveTarget] = [:]
    var ids: [LiveTarget.Request: InterestIndex.ID] = [:]
    /// The target of each listener.
    var owners: [Int: InterestIndex.ID] = [:]
    var inSync: [(id: Int, notify: @Sendable () -> Void)] = []
    /// Nil while the network is enabled.
    var view: LocalView?
    var acknowledgements: [@Sendable (FirestoreErrorCode?) -> Void] = []
    private var lastID = 0

    mutating func nextID() -> Int {
      lastID += 1
      return lastID
    }
  }

  let database: MeteredDatabase
  let state = Mutex(State())
  private let currentMode = Atomic(Mode.unused)
  private let observes = Atomic(false)
  let now: @Sendable () -> Int64

  init(database: MeteredDatabase, now: @escaping @Sendable () -> Int64) {
    self.database = database
    self.now = now
  }

  var mode: Mode { currentMode.load(ordering: .acquiring) }

  func setMode(_ mode: Mode) { currentMode.store(mode, ordering: .releasing) }

  /// Begins an operation.
  ///
  /// - Returns: Whether the network is enabled.
  /// - Throws: `.failedPrecondition` after the client was terminated.
  func begin() throws(FirestoreErrorCode) -> Bool {
    switch mode {
    case .online: return true
    case .offline: return false
    case .unused:
      _ = currentMode.compareExchange(
        expected: .unused, desired: .online, ordering: .acquiringAndReleasing)
      return mode != .offline
    case .terminated:
      throw FirestoreErrorCode(
        .failedPrecondition,
        message: "The client has been terminated. Make a new one to use the database again.")
    }
  }

  // MARK: Writing

  /// Applies writes, or keeps them until the network is enabled, and calls `completion` once the server
  /// has taken or refused them.
  func write(
    _ writes: [Write], in firestore: Firestore,
    completion: @escaping @Sendable (FirestoreErrorCode?) -> Void
  ) {
    var failure: FirestoreErrorCode?
    do throws(FirestoreErrorCode) {
      if try begin() {
        try commit(writes, in: firestore)
      } else if enqueue(.init(writes: writes, completion: completion), in: firestore) {
        return
      } else {
        try commit(writes, in: firestore)
      }
    } catch { failure = error }
    completion(failure)
  }

  /// Applies writes on the server and tells the listeners.
  func commit(
    _ writes: [Write], verifying reads: [DocumentVersion] = [], in firestore: Firestore
  ) throws(FirestoreErrorCode) {
    if let refusal = firestore.refusal(of: writes) { throw refusal }
    if reads.isEmpty {
      try database.commit(writes)
    } else {
      try database.commit(writes, verifying: reads)
    }
    deliver(in: firestore)
  }

  /// Tells the listeners of the commits that they have not heard of, this client's own or another's.
  func deliver(in firestore: Firestore, areOwn: Bool = true) {
    guard observes.load(ordering: .acquiring) else { return }
    state.withLock { drain(&$0, in: firestore, areOwn: areOwn) }
  }

  /// Takes the new commits from the feed; while the network is disabled they only become known to the
  /// local view.
  func drain(_ state: inout State, in firestore: Firestore, areOwn: Bool = true) {
    var isShown = false
    for commit in state.feed?.take() ?? [] {
      if state.view != nil {
        state.view?.note(commit.documents)
        continue
      }
      let moves = state.interests.moves(of: commit.documents)
      for id in moves.keys.sorted()
      where state.targets[id].map({ $0.version < commit.version }) ?? false {
        let shown = advance(
          id, by: moves[id] ?? [], to: commit.version, areOwn: areOwn, &state, in: firestore)
        isShown = shown || isShown
      }
    }
    if isShown { notifyInSync(state) }
  }

  func notifyInSync(_ state: State) {
    for listener in state.inSync { listener.notify() }
  }

  /// Opens the feed. From then on everyone who commits comes to deliver, and waits for the state.
  func openFeed(_ state: inout State) {
    if state.feed != nil { return }
    observes.store(true, ordering: .releasing)
    state.feed = database.database.observe()
  }

  /// Closes the feed where nobody needs it.
  func closeFeed(_ state: inout State) {
    guard state.targets.isEmpty, state.view == nil, let feed = state.feed else { return }
    database.database.stopObserving(feed)
    state.feed = nil
    observes.store(false, ordering: .releasing)
  }

  /// Brings one target up to a commit, bills the difference and shows it.
  private func advance(
    _ id: InterestIndex.ID, by moves: [InterestIndex.Move], to version: UInt64, areOwn: Bool,
    _ state: inout State, in firestore: Firestore
  ) -> Bool {
    // Out of the dictionary while it changes, so that its arrays are not copied.
    guard var target = state.targets.removeValue(forKey: id) else { return false }
    do throws(FirestoreErrorCode) {
      let (changes, billed) = try update(&target, by: moves, to: version, areOwn: areOwn)
      let isShown = target.show(
        changes, in: firestore, isFromCache: target.request.isCacheOnly, billed: billed)
      state.interests.narrow(id, to: target.window)
      state.targets[id] = target
      return isShown
    } catch {
      state.targets[id] = target
      fail(id, with: error, &state)
      return false
    }
  }

  /// Takes up changes of the server in what the target has of it, and bills them.
  func update(
    _ target: inout LiveTarget, by moves: [InterestIndex.Move], to version: UInt64,
    areOwn: Bool = false, after lost: LostConnection? = nil
  ) throws(FirestoreErrorCode) -> (changes: [ResultChange], billed: BilledReads) {
    guard var server = target.server.take() else { return ([], BilledReads()) }
    defer { target.server = server }
    var reached = version
    let changes = try server.apply(moves) { () throws(FirestoreErrorCode) in
      let result = try database.rerun(target.request.run)
      reached = max(reached, result.version)
      return target.rows(result)
    }
    target.version = reached
    if target.request.isCacheOnly { return (changes, BilledReads()) }
    var told = ListenerChanges(changes, by: moves)
    if areOwn { told.ownWrites = told.added + told.modified + told.removedByChange }
    if let lost {
      let resumption = ListenerResumption(
        offline: lost.duration, hasPersistentCache: lost.keptCache, returned: server.rows.count,
        changes: told)
      return (changes, database.record(.listenResume(resumption), of: target))
    }
    guard told != ListenerChanges() else { return (changes, BilledReads()) }
    return (changes, database.record(.listenChange(told), of: target))
  }

  /// Tells the listeners of a target that it cannot go on.
  func fail(_ id: InterestIndex.ID, with error: FirestoreErrorCode, _ state: inout State) {
    guard let target = state.targets.removeValue(forKey: id) else { return }
    state.interests.remove(id)
    state.ids[target.request] = nil
    for listener in target.listeners {
      state.owners[listener.id] = nil
      listener.deliver(.failure(error))
    }
  }
}

extension ListenerChanges {
  /// What a listener is told, by why: a document that no commit touched came in, or was pushed out,
  /// because of others.
  fileprivate init(_ changes: [ResultChange], by moves: [InterestIndex.Move]) {
    self.init()
    var isDeleted: [DocumentName: Bool] = [:]
    // Who was written as it was before, is where it is because of others.
    for move in moves where move.change.isChange {
      isDeleted[move.change.name] = move.change.after == nil
    }
    for change in changes {
      switch (change.kind, isDeleted[change.row.document.name]) {
      case (.added, nil): refilled += 1
      case (.added, _): added += 1
      case (.modified, _): modified += 1
      case (.removed, nil): pushedOut += 1
      case (.removed, true): removedByDeletion += 1
      case (.removed, false): removedByChange += 1
      case (.metadata, _): metadataOnly += 1
      }
    }
  }
}
