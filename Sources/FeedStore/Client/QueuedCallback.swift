import Dispatch
import Synchronization

// `@unchecked` because Firebase's closures are not `@Sendable`: one written in a class of the main actor
// touches that class, which is right since it is called on the settings' queue, the main queue unless
// set. The closure is a constant and is called on that queue alone.

/// A closure of Firebase's kind that is called for events, in their order, until it is cancelled.
final class QueuedCallback<Event: Sendable>: @unchecked Sendable {
  private let callback: (Event) -> Void
  private let isCancelled = Atomic(false)

  init(_ callback: @escaping (Event) -> Void) { self.callback = callback }

  /// Calls the closure on `queue`, after all that was sent before.
  func send(_ event: Event, on queue: DispatchQueue) {
    queue.async {
      if !self.isCancelled.load(ordering: .acquiring) { self.callback(event) }
    }
  }

  /// Lets no further call begin.
  func cancel() { isCancelled.store(true, ordering: .releasing) }
}
