import FeedStore

/// One of many readers: what they want, and what is on their screen.
///
/// What a reader does on which page of which session follows from the seed and these numbers alone,
/// so that every way of reading meets the same readers.
struct SimulatedReader {
  /// What a reader does after a page.
  struct Choice {
    let refreshes: Bool
    let scrollsOn: Bool
    let firesTwice: Bool
    let leavesMeanwhile: Bool
  }

  let arrival: Int
  private let number: Int
  private let habits: ReaderHabits
  private(set) var session = 0
  private var isOpen = false
  private var page = 0
  private var requests = 0
  var pager: PagerState<Row, AnyCursor>
  var running: Request?
  var askedAt = 0
  var tries = 0
  /// The rows of the feed when the first page was read.
  private var due: [String] = []
  /// What the first page's listener was billed for last: its question, while it is attached.
  var listener: LedgerEntry?
  /// What the cache holds of the first page, and since when.
  private(set) var cached: (rows: [String], time: Int)?

  init(number: Int, habits: ReaderHabits) {
    self.number = number
    self.habits = habits
    pager = PagerState(pageSize: habits.pageSize)
    var random = SeededRandom(seed: habits.seed ^ UInt64(number) &* 0xA24B_AED4_963E_E407)
    arrival = random.below(max(1, habits.minutes) * 60_000)
  }

  func isIn(_ session: Int) -> Bool { isOpen && self.session == session }

  func isWanted(_ request: Request) -> Bool {
    isIn(request.session) && running?.generation == request.generation && pager.running != nil
  }

  mutating func beginSession() {
    session += 1
    isOpen = true
    page = 0
    requests = 0
    tries = 0
    running = nil
    due = []
    pager = PagerState(pageSize: habits.pageSize)
  }

  /// The reader goes; what was on the screen last stays in the cache.
  mutating func endSession(at time: Int, head: [String]) {
    if !pager.items.isEmpty {
      cached = (listener == nil ? pager.items.map(\.id) : head, time)
    }
    isOpen = false
    running = nil
    listener = nil
  }

  /// How many of the feed's first rows listeners watch for this reader.
  func rowsWatched(by mode: ReadingMode) -> Int {
    guard isOpen, listener != nil else { return 0 }
    return mode == .listenHead ? habits.pageSize : pager.items.count
  }

  func isOffline() -> Bool {
    var random = random(0x0FF1, 0)
    return random.chance(habits.offlinePercent)
  }

  mutating func expect(_ rows: [String]) { due = rows }

  /// A random sequence for one purpose at one place.
  private func random(_ salt: UInt64, _ place: Int) -> SeededRandom {
    var seeds = SeededRandom(seed: habits.seed ^ salt)
    let mixed =
      seeds.next() ^ UInt64(number) << 40 ^ UInt64(session) << 24 ^ UInt64(place)
    return SeededRandom(seed: mixed)
  }

  mutating func choose() -> Choice {
    page += 1
    var random = random(0xC401CE, page)
    let goesOn = random.below(habits.meanPages) > 0 || habits.meanPages == 0
    return Choice(
      refreshes: random.chance(habits.refreshPercent),
      scrollsOn: goesOn && page < habits.mostPages ?? .max,
      firesTwice: random.chance(habits.doubleFirePercent),
      leavesMeanwhile: random.chance(habits.cancelPercent))
  }

  mutating func passage(_ network: SimulatedNetwork) -> SimulatedNetwork.Passage {
    requests += 1
    var random = random(0x4E37, requests)
    return network.passage(&random)
  }

  func millisecondsReading() -> Int {
    var random = random(0x4EAD, page)
    return habits.secondsAPage * 500 + random.below(habits.secondsAPage * 1000 + 1)
  }

  /// How long until this reader comes back; nil where they do not.
  var millisecondsAway: Int? {
    var random = random(0xBAC4, 0)
    guard random.chance(habits.returnPercent) else { return nil }
    return habits.minutesAway * 30_000 + random.below(habits.minutesAway * 60_000 + 1)
  }

  /// The rows that were there at the first page, still are, lie before the last one shown (or, at the
  /// end, anywhere), and were never on the screen.
  func rowsMissed(deleted: Set<RowID>) -> Int {
    let shown = Set(pager.items.map { RowID($0.id) })
    let last = due.lastIndex { shown.contains(RowID($0)) } ?? -1
    let reached = pager.canLoadMore ? due.prefix(last + 1) : due[...]
    return reached.count { !shown.contains(RowID($0)) && !deleted.contains(RowID($0)) }
  }
}
