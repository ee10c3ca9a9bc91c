import FeedStore

/// Many readers of one feed by one way of reading, in virtual time: nothing waits, and what happens
/// at which millisecond follows from the habits alone.
///
/// Each reader's pages are kept by the same `PagerState` that an app's view model has; this run is
/// its network, its thumb and its clock.
struct PopulationRun {
  private enum Event {
    /// The writes of one minute are about to begin.
    case minute(Int)
    case change(LivingFeed.Change)
    case open(reader: Int)
    case reachServer(Request)
    case answer(Request, Page<Row, AnyCursor>, [LedgerEntry])
    case fail(Request, [LedgerEntry])
    case retry(reader: Int, session: Int)
    /// The page has been read.
    case pageRead(reader: Int, session: Int)
    case leave(reader: Int, session: Int)
  }

  private let habits: ReaderHabits
  private let source: AnyPageSource<String>
  private var feed: LivingFeed
  private var readers: [SimulatedReader]
  private var queue = EventQueue<Event>()
  private var now = 0
  /// The readers' events that are still to come; the feed lives as long as there are any.
  private var pendingEvents = 0
  private var result: PopulationResult
  private let record: (SimulatedOperation) throws -> Void

  init(
    of feed: Feed, rows: [String], mode: ReadingMode, habits: ReaderHabits,
    record: @escaping (SimulatedOperation) throws -> Void
  ) throws {
    self.habits = habits
    self.record = record
    self.feed = try LivingFeed(feed, rows: rows, habits: habits)
    source = mode.strategy.source(for: self.feed.query)
    readers = (0..<habits.readers).map { SimulatedReader(number: $0, habits: habits) }
    result = PopulationResult(mode: mode)
  }

  /// Lets everything happen.
  mutating func finished() async throws -> PopulationResult {
    // Firestore has the index before a reader comes; here the first query builds it.
    _ = try await feed.query.limit(to: 1).getDocuments()
    queue.add(.minute(0), at: 0)
    for reader in readers.indices {
      schedule(.open(reader: reader), at: readers[reader].arrival)
    }
    while pendingEvents > 0, let (time, event) = queue.next() {
      now = time
      try await happen(event)
    }
    return result
  }

  private mutating func schedule(_ event: Event, at time: Int) {
    pendingEvents += 1
    queue.add(event, at: time)
  }

  private mutating func happen(_ event: Event) async throws {
    switch event {
    case .minute(let minute): return beginMinute(minute)
    case .change(let change):
      if let place = try feed.apply(change, at: now) { try tellListeners(of: change, at: place) }
      return
    default: pendingEvents -= 1
    }
    switch event {
    case .minute, .change: break
    case .open(let reader): try open(reader)
    case .reachServer(let request): try await answer(request)
    case .answer(let request, let page, let entries): try arrive(request, page, entries)
    case .fail(let request, let entries): try fail(request, entries)
    case .retry(let reader, let session):
      guard readers[reader].isIn(session) else { return }
      tell(reader, .retry, for: readers[reader].running?.purpose ?? .firstPage)
    case .pageRead(let reader, let session):
      if readers[reader].isIn(session) { goOn(reader) }
    case .leave(let reader, let session):
      guard readers[reader].isIn(session), readers[reader].pager.running != nil else { return }
      tell(reader, .cancel, for: .nextPage)
      close(reader)
    }
  }

  private mutating func beginMinute(_ minute: Int) {
    var random = SeededRandom(seed: habits.seed &* 0x9E37_79B9 ^ UInt64(minute))
    let changes = [
      (LivingFeed.Change.insert, habits.insertsAMinute), (.edit, habits.editsAMinute),
      (.delete, habits.deletesAMinute),
    ]
    for (change, count) in changes {
      for _ in 0..<count { queue.add(.change(change), at: now + random.below(60_000)) }
    }
    queue.add(.minute(minute + 1), at: now + 60_000)
  }
}

// MARK: - A reader's session

extension PopulationRun {
  private mutating func open(_ reader: Int) throws {
    readers[reader].beginSession()
    result.sessions += 1
    if readers[reader].isOffline() { return try openOffline(reader) }
    tell(reader, .loadFirstPage, for: .firstPage)
  }

  /// What the reader does after a page.
  private mutating func goOn(_ reader: Int) {
    let choice = readers[reader].choose()
    if choice.refreshes, !result.mode.isLive { return tell(reader, .refresh, for: .refresh) }
    guard choice.scrollsOn, readers[reader].pager.canLoadMore else { return close(reader) }
    tell(reader, .loadNextPage, for: .nextPage)
    if choice.firesTwice {
      if habits.isGuarded {
        result.triggersJoined += 1
        tell(reader, .loadNextPage, for: .nextPage)
      } else if let request = readers[reader].running {
        send(
          Request(
            reader: reader, session: request.session, purpose: .secondTrigger,
            after: request.after, limit: request.limit, generation: request.generation))
      }
    }
    if choice.leavesMeanwhile {
      schedule(
        .leave(reader: reader, session: readers[reader].session),
        at: now + habits.network.latencyMilliseconds / 2)
    }
  }

  private mutating func close(_ reader: Int) {
    result.rowsMissed += readers[reader].rowsMissed(deleted: feed.deleted)
    readers[reader].endSession(at: now, head: Array(feed.rows.prefix(habits.pageSize)))
    if let away = readers[reader].millisecondsAway {
      schedule(.open(reader: reader), at: now + away)
    }
  }

  /// Hands an event to the reader's pager and performs its effects.
  private mutating func tell(
    _ reader: Int, _ event: PagerState<Row, AnyCursor>.Event,
    for purpose: SimulatedOperation.Purpose
  ) {
    if readers[reader].pager.running == nil { readers[reader].askedAt = now }
    for effect in readers[reader].pager.handle(event) {
      guard case .load(let after, let limit, let generation) = effect else { continue }
      let request = Request(
        reader: reader, session: readers[reader].session, purpose: purpose, after: after,
        limit: limit, generation: generation)
      readers[reader].running = request
      send(request)
    }
  }
}

// MARK: - The way there and back

extension PopulationRun {
  private mutating func send(_ request: Request) {
    var request = request
    request.passage = readers[request.reader].passage(habits.network)
    if request.passage.isLostOnTheWayThere {
      schedule(.fail(request, []), at: now + 1000)
    } else {
      schedule(.reachServer(request), at: now + request.passage.there)
    }
  }

  private mutating func answer(_ request: Request) async throws {
    feed.firestore.readMeter.reset()
    let page = try await source.page(after: request.after, limit: request.limit)
    let entries = feed.firestore.readMeter.entries.map { billed($0, for: request) }
    let rows = Page(
      items: page.items.map(Row.init), next: page.next, cost: page.cost,
      totalItems: page.totalItems)
    if request.purpose != .nextPage, request.purpose != .secondTrigger {
      readers[request.reader].expect(feed.rows)
    }
    let arrival = now + request.passage.back
    schedule(
      request.passage.isLostOnTheWayBack
        ? .fail(request, entries) : .answer(request, rows, entries),
      at: arrival)
  }

  private mutating func arrive(
    _ request: Request, _ page: Page<Row, AnyCursor>, _ entries: [LedgerEntry]
  ) throws {
    let reader = request.reader
    guard request.purpose != .secondTrigger else {
      return try book(entries, of: request, as: .duplicate)
    }
    let isWanted = readers[reader].isWanted(request)
    try book(entries, of: request, as: isWanted ? .shown : .tooLate)
    guard isWanted else { return }
    if result.mode.listens(for: request.purpose) { readers[reader].listener = entries.last }
    let before = request.purpose == .nextPage ? readers[reader].pager.items.count : 0
    tell(reader, .loaded(page, generation: request.generation), for: request.purpose)
    result.rowsRepeated += max(0, before + page.items.count - readers[reader].pager.items.count)
    guard readers[reader].pager.running == nil else { return }
    readers[reader].tries = 0
    result.addPage(after: now - readers[reader].askedAt)
    schedule(
      .pageRead(reader: reader, session: request.session),
      at: now + readers[reader].millisecondsReading())
  }

  private mutating func fail(_ request: Request, _ entries: [LedgerEntry]) throws {
    try book(entries, of: request, as: .lost)
    let reader = request.reader
    guard request.purpose != .secondTrigger, readers[reader].isWanted(request) else { return }
    tell(
      reader, .failed(LostRequest(), generation: request.generation), for: request.purpose)
    readers[reader].tries += 1
    if readers[reader].tries <= habits.network.retries {
      schedule(.retry(reader: reader, session: request.session), at: now + 1000)
    } else {
      result.failuresShown += 1
      close(reader)
    }
  }

  private mutating func book(
    _ entries: [LedgerEntry], of request: Request, as outcome: SimulatedOperation.Outcome
  ) throws {
    for var entry in entries {
      entry.number = result.operations + 1
      entry.time = .milliseconds(now)
      if outcome != .shown { entry.reads = [.wasted: entry.reads.total] }
      let operation = SimulatedOperation(
        mode: result.mode, milliseconds: now, reader: request.reader + 1,
        session: request.session, purpose: request.purpose, outcome: outcome, entry: entry)
      result.add(operation)
      try record(operation)
    }
  }
}

// MARK: - Listeners and the cache

extension PopulationRun {
  /// A page that is listened to is asked for by a listener: the same documents, by the rules for
  /// its start, or for its return where the client has kept them.
  private func billed(_ entry: LedgerEntry, for request: Request) -> LedgerEntry {
    guard result.mode.listens(for: request.purpose),
      case .query(let returned, _, let indexEntries, let rangeFields) = entry.operation
    else { return entry }
    var entry = entry
    entry.operation = .listenStart(
      returned: returned, indexEntries: indexEntries, rangeFields: rangeFields)
    if request.purpose == .firstPage, habits.hasPersistentCache,
      let cached = readers[request.reader].cached
    {
      entry.operation = .listenResume(
        ListenerResumption(
          offline: .milliseconds(now - cached.time), hasPersistentCache: true,
          returned: returned, indexEntries: indexEntries, rangeFields: rangeFields,
          changes: feed.changes(
            since: cached.time, of: cached.rows, first: habits.pageSize)))
    }
    entry.reads = BillingRules.reads(for: entry.operation)
    return entry
  }

  /// Tells every reader whose listeners watch the place where a row changed.
  private mutating func tellListeners(of change: LivingFeed.Change, at place: Int) throws {
    guard result.mode.isLive else { return }
    let operation = BillableOperation.listenChange(change.toldToListener)
    for reader in readers.indices where place < readers[reader].rowsWatched(by: result.mode) {
      guard let listener = readers[reader].listener else { continue }
      result.changesSeen += 1
      let entry = LedgerEntry(
        number: 0, operation: operation, fingerprint: listener.fingerprint, query: listener.query,
        path: listener.path, reads: BillingRules.reads(for: operation))
      try book([entry], of: Request(reader, readers[reader].session, .change), as: .shown)
    }
  }

  /// A session without a network: the cache serves the first page once more, or nothing does.
  private mutating func openOffline(_ reader: Int) throws {
    if habits.hasPersistentCache, let cached = readers[reader].cached {
      result.sessionsFromCache += 1
      let operation = BillableOperation.cached(
        returned: min(cached.rows.count, habits.pageSize))
      let entry = LedgerEntry(
        number: 0, operation: operation, reads: BillingRules.reads(for: operation))
      try book([entry], of: Request(reader, readers[reader].session, .offline), as: .shown)
    } else {
      result.failuresShown += 1
    }
    close(reader)
  }
}

/// A row on a screen.
struct Row: Identifiable, Sendable {
  let id: String
}

/// One question on its way.
struct Request: Sendable {
  let reader: Int
  let session: Int
  let purpose: SimulatedOperation.Purpose
  let after: AnyCursor?
  let limit: Int
  let generation: Int
  var passage = SimulatedNetwork.Passage(
    there: 0, back: 0, isLostOnTheWayThere: false, isLostOnTheWayBack: false)
}

extension Request {
  /// What happened to a reader without a question of theirs.
  fileprivate init(_ reader: Int, _ session: Int, _ purpose: SimulatedOperation.Purpose) {
    self.init(
      reader: reader, session: session, purpose: purpose, after: nil, limit: 0, generation: 0)
  }
}

/// The network lost a question or its answer.
struct LostRequest: Error {}
