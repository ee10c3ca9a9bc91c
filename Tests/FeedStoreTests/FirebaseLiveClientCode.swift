import FeedStore

// Client code as it is written for Firebase, with one import changed: listeners, transactions, the
// network. That it compiles without a warning in both language modes is half of the test.

@MainActor
final class ClientLiveModel {
  private let db: Firestore
  private var registration: (any ListenerRegistration)?
  private var documentRegistration: (any ListenerRegistration)?
  private(set) var titles: [String] = []
  private(set) var isStale = false
  private(set) var errorMessage: String?
  private(set) var snapshotCount = 0

  init(db: Firestore) { self.db = db }

  func start() {
    registration = db.collection("posts").order(by: "title")
      .addSnapshotListener(includeMetadataChanges: true) { [weak self] snapshot, error in
        guard let self else { return }
        guard let snapshot else {
          self.errorMessage = error?.localizedDescription
          return
        }
        self.snapshotCount += 1
        self.isStale = snapshot.metadata.isFromCache || snapshot.metadata.hasPendingWrites
        snapshot.documentChanges.forEach { change in
          let title = change.document.data()["title"] as? String ?? ""
          switch change.type {
          case .added: self.titles.insert(title, at: Int(change.newIndex))
          case .modified:
            self.titles.remove(at: Int(change.oldIndex))
            self.titles.insert(title, at: Int(change.newIndex))
          case .removed: self.titles.remove(at: Int(change.oldIndex))
          }
        }
      }
    documentRegistration = db.document("posts/first").addSnapshotListener { snapshot, _ in
      guard let document = snapshot, document.exists else { return }
      self.isStale = document.metadata.isFromCache
    }
  }

  func stop() {
    registration?.remove()
    documentRegistration?.remove()
  }

  func like(_ document: DocumentReference) async throws -> Int {
    let likes = try await db.runTransaction { transaction, errorPointer -> Any? in
      let snapshot: DocumentSnapshot
      do {
        snapshot = try transaction.getDocument(document)
      } catch let fetchError as NSError {
        errorPointer?.pointee = fetchError
        return nil
      }
      guard let old = snapshot.data()?["likes"] as? Int else {
        errorPointer?.pointee = NSError(
          domain: "AppErrorDomain", code: -1, userInfo: [NSLocalizedDescriptionKey: "no likes"])
        return nil
      }
      transaction.updateData(["likes": old + 1], forDocument: document)
      return old + 1
    }
    return likes as? Int ?? 0
  }
}

func clientListeners(_ db: Firestore) -> [any ListenerRegistration] {
  let query = db.collectionGroup("likes").whereField("at", isGreaterThan: 0).limit(to: 3)
  let options = SnapshotListenOptions().withIncludeMetadataChanges(true).withSource(.default)
  query.addSnapshotListener { _, _ in }.remove()
  query.addSnapshotListener { _, _ in }
  return [
    query.addSnapshotListener(options: options) { snapshot, _ in
      _ = snapshot?.documentChanges(includeMetadataChanges: true).map { ($0.oldIndex, $0.newIndex) }
      _ = snapshot?.documentChanges.first?.newIndex == UInt(NSNotFound)
    },
    db.document("a/b").addSnapshotListener(options: options) { _, _ in },
    db.document("a/b").addSnapshotListener(includeMetadataChanges: true) { _, _ in },
    db.addSnapshotsInSyncListener { print("in sync") },
  ]
}

func clientTransaction(_ db: Firestore, _ document: DocumentReference) {
  let options = TransactionOptions()
  options.maxAttempts = 10
  db.runTransaction(
    with: options,
    block: { (transaction, errorPointer) -> Any? in
      transaction.setData(["a": 1], forDocument: document)
        .setData(["b": 1], forDocument: document, merge: true)
        .setData(["b": 1], forDocument: document, mergeFields: ["b"])
        .updateData(["c": 1], forDocument: document)
        .deleteDocument(document)
      return nil
    },
    completion: { object, error in
      if let error {
        print("Transaction failed: \(error)")
      } else {
        print("\(object ?? "nothing")")
      }
    })
  db.runTransaction({ transaction, errorPointer in
    do {
      let value = try transaction.getDocument(document)["a"]
      try transaction.setData(from: ["a": 1], forDocument: document)
      return value
    } catch {
      errorPointer?.pointee = error as NSError
      return nil
    }
  }) { _, _ in }
}

func clientSnapshots(_ db: Firestore) async throws -> Int {
  var count = 0
  for try await snapshot in db.collection("posts").snapshots {
    count = snapshot.count
    break
  }
  for try await snapshot in db.document("posts/first").snapshots(includeMetadataChanges: true) {
    count += snapshot.exists ? 1 : 0
    break
  }
  return count
}

func clientNetwork(_ db: Firestore) async throws {
  try await db.disableNetwork()
  try await db.enableNetwork()
  try await db.waitForPendingWrites()
  try await db.terminate()
  try await db.clearPersistence()
}

func clientNetworkWithClosures(_ db: Firestore, then done: @escaping () -> Void) {
  db.disableNetwork()
  db.disableNetwork { _ in }
  db.enableNetwork()
  db.enableNetwork { error in if error == nil { done() } }
  db.waitForPendingWrites { _ in }
}

func clientCacheSettings() -> FirestoreSettings {
  Firestore.enableLogging(false)
  let settings = FirestoreSettings()
  settings.cacheSettings = MemoryCacheSettings(garbageCollectorSettings: MemoryLRUGCSettings())
  settings.cacheSettings = MemoryCacheSettings(garbageCollectorSettings: MemoryEagerGCSetting())
  settings.cacheSettings = PersistentCacheSettings(sizeBytes: 1_048_576 as NSNumber)
  settings.dispatchQueue = .global()
  return settings
}
