package import FeedStore

/// What many readers came to by one way of reading: sums of the operations in the ledger, and what
/// the readers had before their eyes.
package struct PopulationResult: Sendable {
  package let mode: ReadingMode
  package internal(set) var sessions = 0
  package internal(set) var pagesShown = 0
  package internal(set) var operations = 0
  package internal(set) var reads = BilledReads()
  /// Reads that nobody saw, by what became of them.
  package internal(set) var wasted: [SimulatedOperation.Outcome: Int] = [:]
  /// Rows that were sent although they were on the screen already.
  package internal(set) var rowsRepeated = 0
  /// Rows that were due when a session ended, and were never on the screen.
  package internal(set) var rowsMissed = 0
  /// Second triggers that joined the load that was running.
  package internal(set) var triggersJoined = 0
  /// Loads that were given up after the last retry.
  package internal(set) var failuresShown = 0
  /// Changes that a listener showed at once.
  package internal(set) var changesSeen = 0
  /// Sessions that had no network and were served by the cache.
  package internal(set) var sessionsFromCache = 0
  /// How many pages were seen so many milliseconds after they were asked for: a line for each wait
  /// that occurs and not for each page, so that a long run needs no more memory than a short one.
  private var waits: [Int: Int] = [:]

  init(mode: ReadingMode) { self.mode = mode }

  package var wastedReads: Int { wasted.values.reduce(0, +) }

  /// The wait that so many percent of the pages do not exceed, in milliseconds.
  package func wait(percentile: Int) -> Int {
    var rest = (waits.values.reduce(0, +) * percentile + 99) / 100
    for (wait, count) in waits.sorted(by: { $0.key < $1.key }) {
      rest -= count
      if rest <= 0 { return wait }
    }
    return 0
  }

  mutating func addPage(after wait: Int) {
    pagesShown += 1
    waits[wait, default: 0] += 1
  }

  mutating func add(_ operation: SimulatedOperation) {
    operations += 1
    reads += operation.entry.reads
    guard operation.isWasted else { return }
    wasted[operation.outcome, default: 0] += operation.entry.reads.total
  }
}
