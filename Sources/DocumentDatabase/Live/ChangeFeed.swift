import StorageEngine
import Synchronization

/// A document as it was before a commit and as it is after it.
package struct ChangedDocument: Sendable {
  package let name: DocumentName
  /// Nil where there was no document.
  package let before: StoredDocument?
  /// Nil where there is none any more.
  package let after: StoredDocument?

  package init(name: DocumentName, before: StoredDocument?, after: StoredDocument?) {
    self.name = name
    self.before = before
    self.after = after
  }

  /// This change and a later one of the same document as one.
  package func followed(by later: ChangedDocument) -> ChangedDocument {
    ChangedDocument(name: name, before: before, after: later.after)
  }

  /// Whether the document is another one than before.
  package var isChange: Bool { before?.fields != after?.fields }
}

/// All that one commit changed, each document once.
package struct CommittedChanges: Sendable {
  /// The number of the version that the commit made; it grows from commit to commit.
  package let version: UInt64
  package let documents: [ChangedDocument]
}

/// The commits of a database, in order, for those who asked to hear of them. While nobody has, nothing
/// is kept.
///
/// `queues` guards who listens. A commit is appended to their queues before it can be read, by the
/// writer, so that whoever reads a version finds the commits up to it in its queue.
final class ChangeFeed: Sendable {
  private let queues = Guarded<[ObjectIdentifier: ChangeQueue]>([:])
  private let listeners = Atomic<Int>(0)

  init() {}

  /// Whether a commit must note what it changes.
  var isObserved: Bool { listeners.load(ordering: .acquiring) > 0 }

  /// A queue of all commits from now on.
  func open() -> ChangeQueue {
    let queue = ChangeQueue()
    queues.withLock { $0[ObjectIdentifier(queue)] = queue }
    listeners.add(1, ordering: .acquiringAndReleasing)
    return queue
  }

  /// Puts no further commit into `queue`.
  func close(_ queue: ChangeQueue) {
    let removed = queues.withLock { $0.removeValue(forKey: ObjectIdentifier(queue)) }
    if removed != nil { listeners.subtract(1, ordering: .acquiringAndReleasing) }
  }

  func append(_ documents: [ChangedDocument], version: UInt64) {
    let changes = CommittedChanges(version: version, documents: documents)
    queues.withLock { queues in
      for queue in queues.values { queue.append(changes) }
    }
  }
}

/// Commits that somebody has not looked at yet, oldest first; a lock guards them.
package final class ChangeQueue: Sendable {
  private let commits = Guarded<[CommittedChanges]>([])

  fileprivate func append(_ changes: CommittedChanges) {
    commits.withLock { $0.append(changes) }
  }

  /// Hands over what has come in.
  package func take() -> [CommittedChanges] {
    commits.withLock { commits in
      defer { commits = [] }
      return commits
    }
  }
}

/// What a commit has changed so far, each document once.
struct ChangeRecord: ~Copyable {
  private var changes: [ChangedDocument] = []
  private var places: [DocumentName: Int] = [:]
  private var isRepeated = false
  private let isWanted: Bool

  init(isWanted: Bool) { self.isWanted = isWanted }

  /// The changes that remain: several writes can leave a document as it was.
  var documents: [ChangedDocument] { isRepeated ? changes.filter(\.isChange) : changes }

  mutating func note(
    _ name: DocumentName, from before: StoredDocument?, to after: @autoclosure () -> StoredDocument?
  ) {
    if !isWanted { return }
    let change = ChangedDocument(name: name, before: before, after: after())
    if let place = places[name] {
      changes[place] = changes[place].followed(by: change)
      isRepeated = true
    } else {
      places[name] = changes.count
      changes.append(change)
    }
  }
}
