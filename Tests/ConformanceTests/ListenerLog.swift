import Dispatch
import FeedStore
import Synchronization

/// What a listener of a case was told, in order.
final class ListenerLog<Snapshot: Sendable>: Sendable {
  private let heard = Mutex<[Snapshot]>([])
  private let queue = DispatchQueue(label: "listener")

  init(_ firestore: Firestore) {
    let settings = firestore.settings
    settings.dispatchQueue = queue
    firestore.settings = settings
  }

  func hear(_ snapshot: Snapshot?) {
    if let snapshot { heard.withLock { $0.append(snapshot) } }
  }

  /// What came since the last call.
  func take() -> [Snapshot] {
    queue.sync {}
    return heard.withLock { heard in
      defer { heard = [] }
      return heard
    }
  }
}

extension DocumentChange {
  /// `added a -1>0`, with -1 for no index.
  var text: String {
    func index(_ index: UInt) -> String { index == UInt(NSNotFound) ? "-1" : "\(index)" }
    return "\(type) \(document.documentID) \(index(oldIndex))>\(index(newIndex))"
  }
}
