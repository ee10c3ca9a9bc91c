package import FeedStore

/// One billed operation of a simulated reader: the line of the ledger behind a figure.
package struct SimulatedOperation: Sendable {
  package enum Purpose: String, Sendable {
    case firstPage = "first page"
    case nextPage = "next page"
    case refresh
    case secondTrigger = "second trigger"
    /// What a listener was told after its first result.
    case change
    /// A session without a network, from the cache.
    case offline
  }

  package enum Outcome: String, CaseIterable, Sendable {
    /// The reader saw it.
    case shown
    /// A refresh or the reader's leaving came before it.
    case tooLate = "too late"
    /// It was billed and its answer lost on the way back.
    case lost
    /// An unguarded trigger asked for what was on its way already.
    case duplicate
  }

  package let mode: ReadingMode
  package let milliseconds: Int
  package let reader: Int
  package let session: Int
  package let purpose: Purpose
  package let outcome: Outcome
  package let entry: LedgerEntry

  /// Whether nobody saw what was paid for.
  package var isWasted: Bool { outcome != .shown }
}
