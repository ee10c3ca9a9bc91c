import Synchronization

/// What a store is kept with, and how eager it is to sync and to tidy up.
package struct StoreOptions: Sendable {
  package var durability: Durability
  /// How large the log may grow, in bytes, before it is compacted; once the checkpoint is larger than
  /// that, the log may grow as large as the checkpoint.
  package var compactionFloor: Int
  /// How far ahead of its end the file of the log is made longer, in bytes, where every commit is synced:
  /// a sync of a file that grows costs more.
  package var logStep: Int
  /// Runs something after a while beside everything else; nil never does.
  package var later: (@Sendable (Duration, @escaping @Sendable () -> Void) -> Void)?

  package init(
    durability: Durability = .perCommit, compactionFloor: Int = 16 << 20,
    logStep: Int = 1 << 20,
    later: (@Sendable (Duration, @escaping @Sendable () -> Void) -> Void)? = StoreOptions.inTask
  ) {
    self.durability = durability
    self.compactionFloor = compactionFloor
    self.logStep = logStep
    self.later = later
  }

  /// In a task of low priority.
  package static let inTask: @Sendable (Duration, @escaping @Sendable () -> Void) -> Void = {
    delay, work in
    Task.detached(priority: .utility) {
      if delay > .zero { try? await Task.sleep(for: delay) }
      work()
    }
  }
}

/// What an `OrderedStore` in a directory has beside its tree.
///
/// `pending` is appended to within the writer lock and taken from within the log's sync lock.
/// `compaction` is held while one runs. `growth` is held for a moment.
final class StoreFiles: Sendable {
  let log: CommitLog
  let options: StoreOptions
  let pending = Guarded<[Pending]>([])
  let compaction: Guarded<Void> = Guarded(())
  let growth: Guarded<Growth>
  let isClosing = Atomic<Bool>(false)

  /// A version that readers may see once commit `sequence` is durable.
  struct Pending: Sendable {
    let sequence: UInt64
    let version: Version
    let publish: @Sendable () -> Void

    init(_ sequence: UInt64, _ version: Version, _ publish: @escaping @Sendable () -> Void) {
      self.sequence = sequence
      self.version = version
      self.publish = publish
    }
  }

  /// What decides when to compact and to sync.
  struct Growth: Sendable {
    /// Bytes in logs that were left behind and are not in a checkpoint yet.
    var olderLogs = 0
    var currentLog = 0
    var threshold: Int
    var isCompactionScheduled = false
    var isSyncScheduled = false
    /// Why the last compaction in the background failed; nil after one that did not.
    var failure: StorageError?

    var logBytes: Int { olderLogs + currentLog }
  }

  init(_ log: CommitLog, _ options: StoreOptions, logBytes: Int, checkpointBytes: Int) {
    self.log = log
    self.options = options
    growth = Guarded(
      Growth(olderLogs: logBytes, threshold: max(options.compactionFloor, checkpointBytes)))
  }

  /// Whether readers see a commit only when it is durable.
  var isDelayed: Bool { options.durability == .perCommit }

  /// Appends what `transaction` has for the log. Answers the commit whose durability the result depends
  /// on; nil where there is nothing to wait for.
  func append<Failure: Error>(
    _ transaction: inout WriteTransaction, _ refusal: (StorageError) -> Failure
  ) throws(Failure) -> UInt64? {
    guard var frame = transaction.takeFrame() else {
      // Derived keys alone: they stand on what the newest commit left, which readers may not see yet.
      return log.hasFailed ? nil : log.newest
    }
    do throws(StorageError) {
      let (sequence, size) = try log.append(&frame)
      growth.withLock { $0.currentLog = size }
      return sequence
    } catch { throw refusal(error) }
  }
}
