import Dispatch
import FeedStore
import Synchronization

/// What a listener was told, in order. Closures are called on a queue of the test's own.
final class Recorder<Snapshot: Sendable>: Sendable {
  private let heard = Mutex<[Snapshot]>([])
  private let failures = Mutex<[FirestoreErrorCode]>([])
  private let db: Firestore
  private var queue: DispatchQueue { db.settings.dispatchQueue }

  init(_ db: Firestore) {
    self.db = db
    let settings = db.settings
    guard settings.dispatchQueue === DispatchQueue.main else { return }
    settings.dispatchQueue = DispatchQueue(label: "recorder")
    db.settings = settings
  }

  func hear(_ snapshot: Snapshot?, _ error: (any Error)?) {
    if let snapshot { heard.withLock { $0.append(snapshot) } }
    if let error = error as? FirestoreErrorCode { failures.withLock { $0.append(error) } }
  }

  /// All that came, once nothing is on its way any more.
  var snapshots: [Snapshot] {
    queue.sync {}
    return heard.withLock { $0 }
  }

  var errors: [FirestoreErrorCode] {
    queue.sync {}
    return failures.withLock { $0 }
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

extension Recorder where Snapshot == QuerySnapshot {
  convenience init(
    listeningTo query: Query, includeMetadataChanges: Bool = false, on db: Firestore? = nil
  ) {
    self.init(db ?? query.firestore)
    query.addSnapshotListener(includeMetadataChanges: includeMetadataChanges) {
      self.hear($0, $1)
    }
  }

  /// What came since the last call: `ab` for the documents, then the changes.
  func events() -> [String] { take().map(\.text) }
}

extension QuerySnapshot {
  /// `ab: +a0 ~b1>0 -c2`, with `*` for pending writes and `?` for the cache.
  var text: String {
    let changes = documentChanges.map(\.text).joined(separator: " ")
    let marks = (metadata.hasPendingWrites ? "*" : "") + (metadata.isFromCache ? "?" : "")
    return "\(documents.map(\.documentID).joined())\(marks): \(changes)"
  }
}

extension DocumentChange {
  var text: String {
    switch type {
    case .added: "+\(document.documentID)\(newIndex)"
    case .removed: "-\(document.documentID)\(oldIndex)"
    case .modified: "~\(document.documentID)\(oldIndex)>\(newIndex)"
    }
  }
}

/// A value that closures on many threads change.
final class Shared<Value: Sendable>: Sendable {
  private let mutex: Mutex<Value>

  init(_ value: Value) { mutex = Mutex(value) }

  var value: Value { mutex.withLock { $0 } }

  func change(_ body: @Sendable (inout Value) -> Void) {
    mutex.withLock { body(&$0) }
  }
}
