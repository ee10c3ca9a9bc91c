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

  /// Commits `writes` and calls `completion` with the error, if any, on the queue of the settings.
  /// Without a completion an error goes to `onUnreportedError`.
  func submit(
    _ writes: Result<[Write], FirestoreErrorCode>, completion: (((any Error)?) -> Void)? = nil
  ) {
    var failure: FirestoreErrorCode?
    do throws(FirestoreErrorCode) { try commit(writes) } catch { failure = error }
    if let completion {
      call { [failure] in completion(failure) }
    } else if let failure {
      onUnreportedError(failure)
    }
  }

  /// Commits `writes` or throws the mistake that was made in building them.
  func commit(_ writes: Result<[Write], FirestoreErrorCode>) throws(FirestoreErrorCode) {
    try database.commit(try writes.get())
  }
}
