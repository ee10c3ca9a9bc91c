import Dispatch
import DocumentDatabase
import Foundation

// Closures given to Firebase's methods are not `@Sendable`: one written in a class of the main actor
// may touch that class directly, because it is called on the settings' queue, which is the main
// queue unless set. A `DispatchWorkItem` carries such a closure to that queue.
extension Firestore {
  /// Calls `callback` on the queue of the settings.
  func call(_ callback: @escaping () -> Void) {
    callbackQueue.async(execute: DispatchWorkItem(block: callback))
  }

  /// Calls `completion` with an outcome on the queue of the settings.
  func call<Success>(
    _ completion: @escaping (Success?, (any Error)?) -> Void,
    with outcome: Result<Success, FirestoreErrorCode>
  ) {
    call {
      switch outcome {
      case .success(let value): completion(value, nil)
      case .failure(let error): completion(nil, error)
      }
    }
  }

  /// Commits `writes` and calls `completion` with the error, if any, on the queue of the settings, once
  /// the server has taken or refused them. Without a completion an error goes to `onUnreportedError`.
  func submit(
    _ writes: Result<[Write], FirestoreErrorCode>, completion: (((any Error)?) -> Void)? = nil
  ) {
    let report: @Sendable (FirestoreErrorCode?) -> Void
    if let completion {
      let callback = QueuedCallback<FirestoreErrorCode?>(completion)
      report = { callback.send($0, on: self.callbackQueue) }
    } else {
      report = { failure in if let failure { self.onUnreportedError(failure) } }
    }
    switch writes {
    case .success(let writes): engine.write(writes, in: self, completion: report)
    case .failure(let mistake): report(mistake)
    }
  }

  /// As `submit(_:completion:)` for one write.
  func submit(
    _ write: Result<Write, FirestoreErrorCode>, completion: (((any Error)?) -> Void)? = nil
  ) {
    submit(write.map { [$0] }, completion: completion)
  }

  /// As `commit(_:)` for one write.
  nonisolated(nonsending) func commit(
    _ write: Result<Write, FirestoreErrorCode>
  ) async throws(FirestoreErrorCode) {
    try await commit(write.map { [$0] })
  }

  /// Commits `writes`, or throws the mistake that was made in building them. While the network is
  /// disabled it waits until they have been sent.
  nonisolated(nonsending) func commit(
    _ writes: Result<[Write], FirestoreErrorCode>
  ) async throws(FirestoreErrorCode) {
    let writes = try writes.get()
    if try engine.begin() { return try engine.commit(writes, in: self) }
    let failure = await withCheckedContinuation { continuation in
      engine.write(writes, in: self) { continuation.resume(returning: $0) }
    }
    if let failure { throw failure }
  }
}
