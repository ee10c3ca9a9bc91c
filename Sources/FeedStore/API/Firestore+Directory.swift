import DocumentDatabase
public import Foundation
public import ReadBilling
import StorageEngine

/// When a write to a database in a directory is safe from a loss of power.
///
/// Whatever the choice, a batch is there whole or not at all, and nothing is lost when only the process
/// dies.
public enum Durability: Hashable, Sendable {
  /// Before the write is acknowledged, and before a query sees it. Concurrent writes share the wait for
  /// the disk. Nothing that was acknowledged is lost.
  case perCommit
  /// At most this long afterwards. A loss of power may take the writes of that time.
  case grouped(within: Duration)
  /// When the system sees fit, or at `synchronize()` or `close()`. A loss of power may take every write
  /// since.
  case none
}

/// A database in a directory.
extension Firestore {
  /// Opens the database in a directory, which is made where there is none.
  ///
  /// One `Firestore` at a time owns a directory, until it is closed or let go of. Nothing is read in
  /// advance: a document is read, and its checksum verified, when a query first meets it. Damage that is
  /// found then fails that query and every one after it with `.dataLoss`.
  ///
  /// ```swift
  /// let folder = FileManager.default.temporaryDirectory.appending(path: "posts-\(UUID())")
  /// let stored = try Firestore(directory: folder)
  /// try await stored.collection("posts").document("first").setData(["title": "Kept"])
  /// try stored.close()
  /// ```
  ///
  /// - Parameters:
  ///   - directory: The folder, which belongs to the database alone.
  ///   - durability: When a write is safe from a loss of power.
  ///   - readMeter: The meter that records its reads.
  /// - Throws: `FirestoreErrorCode` with `.unavailable` where another process owns the directory,
  ///   `.dataLoss` where a file is damaged or missing, `.failedPrecondition` where another version
  ///   wrote it, `.resourceExhausted` where the disk is full. The files are left as they were.
  /// - Complexity: O(n) in what was written since the last checkpoint.
  public convenience init(
    directory: URL, durability: Durability = .perCommit, readMeter: ReadMeter = ReadMeter()
  ) throws(FirestoreErrorCode) {
    try self.init(
      path: directory.standardizedFileURL.path(percentEncoded: false), durability, readMeter)
  }

  private convenience init(
    path: String, _ durability: Durability, _ readMeter: ReadMeter
  ) throws(FirestoreErrorCode) {
    let options = StoreOptions(durability: StorageEngine.Durability(durability))
    do throws(DatabaseError) {
      let (database, notice) = try Database.open(
        path.count > 1 && path.hasSuffix("/") ? String(path.dropLast()) : path, options: options,
        now: { Timestamp().microseconds ?? 0 })
      self.init(database, recoveryNotice: notice?.description, readMeter: readMeter)
    } catch { throw FirestoreErrorCode(error) }
  }

  /// Opens the database in a directory given by its path.
  ///
  /// - Parameters:
  ///   - directory: The path of the folder, which belongs to the database alone.
  ///   - durability: When a write is safe from a loss of power.
  ///   - readMeter: The meter that records its reads.
  /// - Throws: as `init(directory:durability:readMeter:)` with a URL.
  public convenience init(
    directory: String, durability: Durability = .perCommit, readMeter: ReadMeter = ReadMeter()
  ) throws(FirestoreErrorCode) {
    // A path from the root stays right when the process goes elsewhere.
    if directory.hasPrefix("/") {
      try self.init(path: directory, durability, readMeter)
    } else {
      try self.init(
        directory: URL(filePath: directory), durability: durability, readMeter: readMeter)
    }
  }

  /// Makes every write durable that was acknowledged so far. In memory it does nothing.
  ///
  /// - Throws: `FirestoreErrorCode` where the disk refuses; the database takes no more writes then,
  ///   until it is opened again.
  public func synchronize() throws(FirestoreErrorCode) { try database.synchronize() }

  /// Takes back the space of what was overwritten or deleted, which otherwise happens now and then in
  /// the background. Reads and writes go on meanwhile. In memory it does nothing.
  ///
  /// - Throws: `FirestoreErrorCode` where the disk is full or refuses; nothing is lost.
  /// - Complexity: O(n) in the stored documents.
  public func compact() throws(FirestoreErrorCode) { try database.compact() }

  /// Makes every write durable and lets another owner have the directory; letting go of the last
  /// reference does the same. Reads go on, writes are refused from then on. In memory it does nothing.
  ///
  /// - Throws: `FirestoreErrorCode` where the disk refuses.
  public func close() throws(FirestoreErrorCode) { try database.close() }
}

extension StorageEngine.Durability {
  fileprivate init(_ durability: FeedStore.Durability) {
    self =
      switch durability {
      case .perCommit: .perCommit
      case .grouped(let delay): .grouped(within: delay)
      case .none: .none
      }
  }
}
