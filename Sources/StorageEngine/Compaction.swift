import Synchronization

/// Taking space back: a checkpoint of the newest version replaces the logs before it. Readers and
/// writers go on meanwhile; only the step to a new log, one sync, happens within the writer lock.
///
/// After each step a crash leaves a store that opens to the same state:
/// 1. the log is complete and durable, and a new one, empty, follows it;
/// 2. the checkpoint is written beside everything else, durable, and then gets its name;
/// 3. the older logs and checkpoint, which nobody reads any more, are removed.
///
/// In between the directory holds the old checkpoint, the logs since and the new checkpoint: with logs
/// that are compacted when they are as large as the checkpoint, about three times what is alive.
///
/// A checkpoint that the store was opened with stays mapped until the store is let go of, after its name
/// is gone too: versions refer into it. Until then its space is taken beside that of the newest one.
extension OrderedStore {
  /// Brings the state into one checkpoint and removes the logs before it. Waits for a compaction that
  /// runs already.
  ///
  /// - Complexity: O(n).
  package func compact() throws(StorageError) {
    guard let files else { return }
    try files.compaction.withLock { _ throws(StorageError) in
      let (state, sequence) = try writer.withLock { state throws(StorageError) in
        let sequence = try files.log.rotate { settle($0, files) }
        files.growth.withLock { growth in
          growth.olderLogs += growth.currentLog
          growth.currentLog = 0
        }
        return (state.newest ?? version, sequence)
      }
      guard sequence > 1 else { return }
      let size = try Checkpoint.write(
        state, before: sequence, nodeCapacity: nodeCapacity, in: files.log.directory,
        files.log.fileSystem,
        isCancelled: { files.isClosing.load(ordering: .acquiring) })
      files.growth.withLock { growth in
        growth.olderLogs = 0
        growth.threshold = max(files.options.compactionFloor, size)
      }
      let listing = try StoreListing(files.log.directory, files.log.fileSystem)
      listing.remove(listing.obsolete(before: sequence))
    }
  }

  /// Why the last compaction in the background failed; nil where it did not.
  package var compactionFailure: StorageError? { files?.growth.withLock { $0.failure } }

  /// Schedules a compaction or a sync where one is due.
  func scheduleMaintenance(_ files: StoreFiles) {
    guard let later = files.options.later else { return }
    var syncDelay: Duration?
    if case .grouped(let delay) = files.options.durability { syncDelay = delay }
    let (compacts, syncs) = files.growth.withLock { growth in
      let compacts = !growth.isCompactionScheduled && growth.logBytes > growth.threshold
      let syncs = !growth.isSyncScheduled && syncDelay != nil
      if compacts { growth.isCompactionScheduled = true }
      if syncs { growth.isSyncScheduled = true }
      return (compacts, syncs)
    }
    if let syncDelay, syncs {
      later(syncDelay) { [weak self] in
        files.growth.withLock { $0.isSyncScheduled = false }
        // A failure is kept by the log and refuses the next commit.
        try? self?.synchronize()
      }
    }
    if compacts {
      later(.zero) { [weak self] in
        guard let self else { return }
        var failure: StorageError?
        do throws(StorageError) { try compact() } catch {
          // The store was closed meanwhile; the next owner compacts it.
          if case .closed = error {} else { failure = error }
        }
        files.growth.withLock { [failure] growth in
          growth.isCompactionScheduled = false
          growth.failure = failure
          // A disk that is full now is not tried again at every commit.
          if failure != nil { growth.threshold = growth.logBytes * 2 }
        }
      }
    }
  }
}

/// The files of a store by what they are.
struct StoreListing {
  let directory: String
  let fileSystem: any FileSystem
  /// The first commits of the logs, ascending.
  private(set) var logs: [UInt64] = []
  private(set) var checkpoints: [UInt64] = []
  private(set) var temporaries: [String] = []
  private(set) var hasMark = false

  init(_ directory: String, _ fileSystem: any FileSystem) throws(StorageError) {
    self.directory = directory
    self.fileSystem = fileSystem
    for name in try fileSystem.names(in: directory) {
      if name == FileFormat.markName { hasMark = true }
      if name.hasSuffix(FileFormat.temporarySuffix) { temporaries.append(name) }
      if let sequence = FileFormat.sequence(of: name, .log) { logs.append(sequence) }
      if let sequence = FileFormat.sequence(of: name, .checkpoint) { checkpoints.append(sequence) }
    }
    logs.sort()
    checkpoints.sort()
  }

  /// The files of a store that is there, claimed; where there is none, nothing is left behind.
  static func ofExistingStore(
    _ directory: String, _ fileSystem: any FileSystem
  ) throws(StorageError) -> (StoreListing, any FileLock) {
    let before = try StoreListing(directory, fileSystem)
    if before.logs.isEmpty && before.checkpoints.isEmpty {
      throw .missing(file: before.path(.log, 1), reason: "there is no store in this directory")
    }
    let lock = try fileSystem.lock(directory)
    return (try StoreListing(directory, fileSystem), lock)
  }

  func path(_ kind: FileFormat.Kind, _ sequence: UInt64) -> String {
    "\(directory)/\(FileFormat.name(kind, sequence))"
  }

  /// What a checkpoint at `sequence` makes needless.
  func obsolete(before sequence: UInt64) -> [String] {
    logs.filter { $0 < sequence }.map { FileFormat.name(.log, $0) }
      + checkpoints.filter { $0 < sequence }.map { FileFormat.name(.checkpoint, $0) }
  }

  /// Removes files that nobody needs; what cannot be removed is tried again at the next opening.
  func remove(_ names: [String]) {
    for name in names { try? fileSystem.remove("\(directory)/\(name)") }
  }
}
