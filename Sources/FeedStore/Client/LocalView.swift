import DocumentDatabase
import ReadBilling

/// What the client sees while its network is disabled: the database as it was then, with the client's
/// own writes on top. They wait here until they can be sent.
///
/// Only the documents that differ from the database are held: those that wait to be written, and those
/// that others have changed since.
struct LocalView: Sendable {
  /// Writes that were made together.
  struct PendingWrites: Sendable {
    let writes: [Write]
    let completion: @Sendable (FirestoreErrorCode?) -> Void
  }

  struct Overlay: Sendable {
    var document: StoredDocument?
    var hasPendingWrites: Bool
  }

  /// Microseconds since 1970.
  let since: Int64
  private(set) var overlays: [DocumentName: Overlay] = [:]
  /// What the server has changed since, in the order of its first changes, each document once.
  private(set) var serverChanges: [ChangedDocument] = []
  private var serverChangePlaces: [DocumentName: Int] = [:]
  private(set) var pending: [PendingWrites] = []

  init(since: Int64) { self.since = since }

  /// Takes note of what the server did; it is not shown.
  mutating func note(_ changes: [ChangedDocument]) {
    for change in changes {
      if overlays[change.name] == nil {
        overlays[change.name] = Overlay(document: change.before, hasPendingWrites: false)
      }
      if let place = serverChangePlaces[change.name] {
        serverChanges[place] = serverChanges[place].followed(by: change)
      } else {
        serverChangePlaces[change.name] = serverChanges.count
        serverChanges.append(change)
      }
    }
  }

  /// Puts writes on top of what is shown.
  ///
  /// - Returns: What changed for those who look.
  mutating func append(
    _ writes: PendingWrites, to database: MeteredDatabase, time: Int64
  ) -> [ChangedDocument] {
    var changes: [DocumentName: ChangedDocument] = [:]
    for write in writes.writes {
      let name = write.document
      let before = document(name, in: database)
      let after = write.preview(on: before, time: time)
      overlays[name] = Overlay(document: after, hasPendingWrites: true)
      let change = ChangedDocument(name: name, before: before, after: after)
      changes[name] = changes[name]?.followed(by: change) ?? change
    }
    pending.append(writes)
    return Array(changes.values)
  }

  /// The document as it is seen; none where the files are damaged, which whoever reads it is told.
  func document(_ name: DocumentName, in database: MeteredDatabase) -> StoredDocument? {
    guard let overlay = overlays[name] else { return try? database.database.get(name) }
    return overlay.document
  }

  /// The result of a query as it is seen.
  ///
  /// - Complexity: That of the query with its limit raised by the number of documents that differ.
  func rows(
    of query: LiveQuery, running run: StructuredQuery, in database: MeteredDatabase
  ) throws(FirestoreErrorCode) -> [LiveRow] {
    var run = run
    run.limit = run.limit.map { $0 + overlays.count }
    var rows = try database.rerun(run).documents.compactMap { document -> LiveRow? in
      guard overlays[document.name] == nil else { return nil }
      return query.position(of: document).map { LiveRow(position: $0, document: document) }
    }
    for overlay in overlays.values {
      guard let document = overlay.document, let position = query.position(of: document) else {
        continue
      }
      rows.append(
        LiveRow(
          position: position, document: document, hasPendingWrites: overlay.hasPendingWrites))
    }
    rows.sort { $0.position.lexicographicallyPrecedes($1.position) }
    guard let limit = query.limit else { return rows }
    return Array(query.takesLast ? rows.suffix(limit) : rows.prefix(limit))
  }
}
