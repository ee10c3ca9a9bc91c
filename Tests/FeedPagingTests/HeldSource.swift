import FeedPaging
import Synchronization
import Testing

/// A source whose requests wait until the test answers them, in any order: this is how every
/// interleaving of loads is played without a clock.
final class HeldSource<Item: Sendable, Cursor: Sendable>: PageSource {
  struct Request: Sendable {
    var cursor: Cursor?
    var limit: Int
  }

  private struct State {
    var requests: [Request] = []
    var open: [Int: CheckedContinuation<Page<Item, Cursor>, any Error>] = [:]
    var cancelled: Set<Int> = []
    var watchers: [Int: CheckedContinuation<Void, Never>] = [:]
  }

  private let obeysCancellation: Bool
  private let state = Mutex(State())

  /// - Parameter obeysCancellation: whether a cancelled request fails at once with a
  ///   `CancellationError`, or waits to be answered as a database does that has got the query.
  init(obeysCancellation: Bool = false) {
    self.obeysCancellation = obeysCancellation
  }

  func page(after cursor: Cursor?, limit: Int) async throws -> Page<Item, Cursor> {
    let number = update { state in
      state.requests.append(Request(cursor: cursor, limit: limit))
      return state.requests.count
    }
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        let isLost = update { state in
          if obeysCancellation, state.cancelled.contains(number) { return true }
          state.open[number] = continuation
          return false
        }
        if isLost { continuation.resume(throwing: CancellationError()) }
      }
    } onCancel: {
      let given = update { state in
        state.cancelled.insert(number)
        return obeysCancellation ? state.open.removeValue(forKey: number) : nil
      }
      given?.resume(throwing: CancellationError())
    }
  }

  /// The requests that have come so far.
  var requests: [Request] { state.withLock { $0.requests } }

  /// Whether a request was told that nobody wants its answer.
  func wasCancelled(_ number: Int) -> Bool { state.withLock { $0.cancelled.contains(number) } }

  /// Returns when the request of that number, from 1, waits for its answer or has been cancelled.
  func arrival(of number: Int) async {
    await withCheckedContinuation { continuation in
      update { $0.watchers[number] = continuation }
    }
  }

  func answer(_ number: Int, _ page: Page<Item, Cursor>) {
    take(number)?.resume(returning: page)
  }

  func fail(_ number: Int, _ error: any Error) {
    take(number)?.resume(throwing: error)
  }

  private func take(_ number: Int) -> CheckedContinuation<Page<Item, Cursor>, any Error>? {
    let continuation = update { $0.open.removeValue(forKey: number) }
    if continuation == nil { Issue.record("request \(number) is not waiting for an answer") }
    return continuation
  }

  /// Changes the state and wakes those who waited for the change.
  private func update<Result>(_ change: (inout State) -> sending Result) -> sending Result {
    let (result, due) = state.withLock { state in
      let result = change(&state)
      let due = state.watchers.keys.filter { [state] number in
        state.open[number] != nil || state.cancelled.contains(number)
      }
      return (result, due.compactMap { state.watchers.removeValue(forKey: $0) })
    }
    for watcher in due { watcher.resume() }
    return result
  }
}
