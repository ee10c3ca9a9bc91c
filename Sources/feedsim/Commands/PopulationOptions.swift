import FeedSimulation
import Foundation

extension CommandOption {
  private static func percent(_ name: String, _ help: String) -> CommandOption {
    CommandOption(name: name, kind: .integer(0...100), value: "PERCENT", help: help)
  }

  private static func number(
    _ name: String, _ range: ClosedRange<Int>, _ help: String
  ) -> CommandOption {
    CommandOption(name: name, kind: .integer(range), value: "N", help: help)
  }

  static let readers = number(
    "readers", 1...100_000,
    "Simulate so many readers in virtual time instead of one scroll; the options below say how.")
  static let minutes = number("minutes", 1...10_000, "Over how many minutes they come (60).")
  static let depth = number(
    "depth", 1...10_000, "How many pages a session scrolls on average (4).")
  static let secondsAPage = number(
    "seconds-per-page", 0...10_000, "How long a page is read on average (12).")
  static let refreshes = percent("refreshes", "After a page, a pull to refresh (10).")
  static let returns = CommandOption(
    name: "returns", kind: .integer(0...95), value: "PERCENT",
    help: "After a session, another one (30).")
  static let away = number(
    "away", 0...10_000, "After how many minutes on average they return (20).")
  static let doubleFires = percent(
    "double-fires", "The end of the list triggers a second load of a page (15).")
  static let unguarded = CommandOption(
    name: "unguarded", kind: .flag,
    help: "Send a query for each trigger, as an app that does not look whether a load is running.")
  static let cancels = percent("cancels", "The reader leaves while a page is loading (3).")
  static let offline = percent("offline", "A session has no network at all (0).")
  static let cache = CommandOption(
    name: "cache", kind: .flag,
    help: "Keep what was read on the device: listeners resume, and a session without a network "
      + "shows the first page as it was.")
  static let latency = CommandOption(
    name: "latency", kind: .integer(0...60_000), value: "MS",
    help: "Milliseconds to the server and back on average (120).")
  static let failures = percent("failures", "A request or its answer is lost (1).")
  static let retries = number(
    "retries", 0...100, "How often a failed load is tried again, a second later (2).")
  static let insertsPerMinute = number(
    "inserts-per-minute", 0...10_000, "Documents others add at the top a minute (2).")
  static let editsPerMinute = number(
    "edits-per-minute", 0...10_000, "Documents others edit on the first four pages a minute (5).")
  static let deletesPerMinute = number(
    "deletes-per-minute", 0...10_000, "Documents others delete there a minute (1).")
  static let ledger = CommandOption(
    name: "ledger", kind: .text, value: "FILE",
    help: "Write every billed operation as a line of JSON: who asked what and when, what it was "
      + "billed, and what became of the answer.")

  /// What says how many readers scroll; all but the first need it.
  static let population = [
    readers, minutes, depth, secondsAPage, refreshes, returns, away, doubleFires, unguarded,
    cancels, offline, cache, latency, failures, retries, insertsPerMinute, editsPerMinute,
    deletesPerMinute,
  ]
}

extension ParsedArguments {
  /// How the readers behave; nil where one reader scrolls as before.
  ///
  /// - Throws: `UsageError` for options of the other kind of run.
  func habits() throws(UsageError) -> ReaderHabits? {
    guard let readers = integer(.readers) else {
      for option in CommandOption.population where has(option) {
        throw .needs("--\(option.name)", "--readers")
      }
      return nil
    }
    for option in [CommandOption.insertsPerPage, .deletesPerPage] where has(option) {
      throw .onlyOneOf("--\(option.name)", "--readers")
    }
    var habits = ReaderHabits()
    func set(_ member: WritableKeyPath<ReaderHabits, Int>, _ option: CommandOption) {
      if let value = integer(option) { habits[keyPath: member] = value }
    }
    habits.readers = readers
    set(\.minutes, .minutes)
    set(\.pageSize, .pageSize)
    set(\.meanPages, .depth)
    habits.mostPages = integer(.pages)
    set(\.secondsAPage, .secondsAPage)
    set(\.refreshPercent, .refreshes)
    set(\.returnPercent, .returns)
    set(\.minutesAway, .away)
    set(\.doubleFirePercent, .doubleFires)
    habits.isGuarded = !has(.unguarded)
    set(\.cancelPercent, .cancels)
    set(\.offlinePercent, .offline)
    habits.hasPersistentCache = has(.cache)
    set(\.network.latencyMilliseconds, .latency)
    set(\.network.failurePercent, .failures)
    set(\.network.retries, .retries)
    set(\.insertsAMinute, .insertsPerMinute)
    set(\.editsAMinute, .editsPerMinute)
    set(\.deletesAMinute, .deletesPerMinute)
    habits.seed = integer(.seed).map(UInt64.init) ?? habits.seed
    return habits
  }

  /// The ways of reading named, all of them where none is.
  func readingModes() -> [ReadingMode] {
    let names = texts(.readingModes)
    return names.isEmpty
      ? ReadingMode.all : names.compactMap { name in ReadingMode.all.first { $0.name == name } }
  }

  /// The strategies named, all of them where none is.
  ///
  /// - Throws: `UsageError` for a listener, which needs readers.
  func namedStrategies() throws(UsageError) -> [PagingStrategy] {
    var strategies: [PagingStrategy] = []
    for mode in readingModes() {
      if case .fetch(let strategy) = mode {
        strategies.append(strategy)
      } else if has(.readingModes) {
        throw .needs("--strategy \(mode.name)", "--readers")
      }
    }
    return strategies
  }
}
