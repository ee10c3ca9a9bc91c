import Synchronization

/// A listener that was added, to remove it again. It need not be kept: a listener stays until it is
/// removed.
public protocol ListenerRegistration: AnyObject, Sendable {
  /// Removes the listener. On the settings' queue no call follows once this has returned. Removing it
  /// again does nothing.
  func remove()
}

/// A listener of the engine; the mutex guards its number, which it has unless it could not begin.
package final class ActiveListener: ListenerRegistration {
  private enum State {
    case starting
    case active(Int)
    case removed
  }

  private let engine: SyncEngine
  private let cancel: @Sendable () -> Void
  private let state = Mutex(State.starting)

  init(engine: SyncEngine, cancel: @escaping @Sendable () -> Void) {
    self.engine = engine
    self.cancel = cancel
  }

  /// Takes the number of the listener, which may have been removed by its first event.
  func begin(_ number: Int) {
    let isRemoved = state.withLock { state in
      if case .removed = state { return true }
      state = .active(number)
      return false
    }
    if isRemoved { engine.remove(number) }
  }

  package func remove() {
    cancel()
    let number = state.withLock { state -> Int? in
      defer { state = .removed }
      if case .active(let number) = state { return number }
      return nil
    }
    if let number { engine.remove(number) }
  }
}
