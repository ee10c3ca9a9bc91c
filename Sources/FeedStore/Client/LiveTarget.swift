import DocumentDatabase
import ReadBilling

/// What all listeners of one query share: its result, which is kept, and billed, once.
struct LiveTarget: Sendable {
  /// What is listened to.
  struct Request: Hashable, Sendable {
    /// The query to run; of a query for the last n, reversed.
    var run: StructuredQuery
    var takesLast: Bool
    /// The document, where it is one document that is listened to.
    var document: DocumentName?
    var isCacheOnly: Bool
    /// For people and for the ledger.
    var text: String
  }

  let request: Request
  let query: LiveQuery
  /// The result as the server has it; nil while the server has not been asked.
  var server: LiveResult?
  /// The number of the newest version that `server` contains.
  var version: UInt64 = 0
  /// The result with the writes that the server has not seen; nil where that is the server's.
  var local: LiveResult?
  /// What was shown last: a snapshot for each row.
  private(set) var documents: [QueryDocumentSnapshot] = []
  private(set) var metadata: SnapshotMetadata
  var listeners: [LiveListener] = []
  /// Identifies the query without its limit; known once the server was asked.
  var fingerprint: UInt64 = 0
  /// The label under which the first of the listeners was attached.
  let label = ReadMeter.currentLabel

  init(_ request: Request, query: LiveQuery) {
    self.request = request
    self.query = query
    metadata = .fromCache
  }

  /// What there is to show.
  var rows: [LiveRow] { local?.rows ?? server?.rows ?? [] }

  /// The part of the order where a change can concern what is shown.
  var window: ByteRange { local?.window ?? server?.window ?? .all }

  /// The rows of a run of the query.
  func rows(_ result: QueryResult) -> [LiveRow] {
    let rows = result.documents.compactMap { document in
      query.position(of: document).map { LiveRow(position: $0, document: document) }
    }
    return request.takesLast ? rows.reversed() : rows
  }

  /// Takes `rows` for the first, or the whole, of what is shown.
  mutating func restart(in firestore: Firestore, isFromCache: Bool) {
    documents = rows.map { $0.snapshot(in: firestore, isFromCache: isFromCache) }
    updateMetadata(isFromCache: isFromCache)
  }

  /// Shows the changes that led to `rows`, to each listener that they concern.
  mutating func show(
    _ changes: [ResultChange], in firestore: Firestore, isFromCache: Bool, billed: BilledReads
  ) -> Bool {
    let before = metadata
    var documentChanges: [DocumentChange] = []
    for change in changes {
      let document = change.row.snapshot(in: firestore, isFromCache: isFromCache)
      if let index = change.oldIndex { documents.remove(at: index) }
      if let index = change.newIndex { documents.insert(document, at: index) }
      documentChanges.append(
        DocumentChange(change.kind, document, from: change.oldIndex, to: change.newIndex))
    }
    if before.isFromCache != isFromCache {
      restart(in: firestore, isFromCache: isFromCache)
    } else {
      updateMetadata(isFromCache: isFromCache)
    }
    let isContent = changes.contains { $0.kind != .metadata }
    let isAnything = isContent || !changes.isEmpty || before != metadata
    let event = LiveEvent(
      documents: documents, changes: documentChanges, metadata: metadata, billed: billed)
    var isShown = false
    for listener in listeners where isContent || (isAnything && listener.wantsMetadata) {
      listener.deliver(.success(event))
      isShown = true
    }
    return isShown
  }

  /// The whole result as a first event.
  func firstEvent(billed: BilledReads) -> LiveEvent {
    LiveEvent(documents: documents, changes: nil, metadata: metadata, billed: billed)
  }

  private mutating func updateMetadata(isFromCache: Bool) {
    let hasPendingWrites = local != nil && rows.contains(where: \.hasPendingWrites)
    metadata = SnapshotMetadata(hasPendingWrites: hasPendingWrites, isFromCache: isFromCache)
  }
}

/// Somebody who listens.
struct LiveListener: Sendable {
  let id: Int
  let wantsMetadata: Bool
  let deliver: @Sendable (Result<LiveEvent, FirestoreErrorCode>) -> Void
  /// Says that no event will follow.
  let end: @Sendable () -> Void
}

/// What a listener is told.
struct LiveEvent: Sendable {
  let documents: [QueryDocumentSnapshot]
  /// Nil in a first event.
  let changes: [DocumentChange]?
  let metadata: SnapshotMetadata
  let billed: BilledReads
}

extension LiveRow {
  func snapshot(in firestore: Firestore, isFromCache: Bool) -> QueryDocumentSnapshot {
    QueryDocumentSnapshot(
      firestore: firestore, stored: document,
      metadata: hasPendingWrites || isFromCache
        ? SnapshotMetadata(hasPendingWrites: hasPendingWrites, isFromCache: isFromCache)
        : .fromServer)
  }
}
