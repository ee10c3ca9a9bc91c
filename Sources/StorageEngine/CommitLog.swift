import Synchronization

/// When a commit is durable, which is when a loss of power cannot undo it any more. No choice loses
/// commits when only the process dies, and none leaves half a commit.
package enum Durability: Hashable, Sendable {
  /// Before the call returns and before readers see it. Concurrent commits share one sync.
  case perCommit
  /// At most this long after the call returns: a loss of power may take the commits since.
  case grouped(within: Duration)
  /// When the system writes it back, or at `synchronize()` or closing: a loss of power may take all
  /// commits since.
  case none
}

/// The log that commits are appended to: one file at a time, left for a new one by `rotate()`.
///
/// `tail` is what the store's one writer appends to; it is taken within the store's writer lock. `syncing`
/// is held while the file is synced: who waits for it finds, more often than not, that the sync before
/// covered its own commit too. `hasFailed` is set within `syncing` and never cleared.
final class CommitLog: Sendable {
  let directory: String
  let fileSystem: any FileSystem
  private let tail: Guarded<Tail>
  private let syncing: Guarded<Syncing>
  private let appended: Atomic<UInt64>
  private let durable: Atomic<UInt64>
  private let failed = Atomic<Bool>(false)

  private struct Tail {
    var file: any StoredFile
    var seed: UInt32
    var start: UInt64
    var position: Int
    var next: UInt64
  }

  private struct Syncing {
    var file: any StoredFile
    var name: String
    /// Nil once the log is closed.
    var lock: (any FileLock)?
    var failure: StorageError?
    /// The last commit that a mark says is durable.
    var marked: UInt64
    /// Whether the names of the files may not be durable: nothing in them is before they are.
    var hasNewNames: Bool
  }

  /// Where the log goes on.
  struct Position {
    /// The log's own first commit.
    var start: UInt64
    var seed: UInt32
    /// Where in the file the next frame goes.
    var offset: Int
    var next: UInt64
    var marked: UInt64
    /// Whether the names of the files may not be durable.
    var hasNewNames = false
  }

  init(
    _ directory: String, in fileSystem: any FileSystem, lock: any FileLock, at position: Position
  ) throws(StorageError) {
    self.directory = directory
    self.fileSystem = fileSystem
    let name = FileFormat.name(.log, position.start)
    let file = try fileSystem.open("\(directory)/\(name)", for: .writing)
    tail = Guarded(
      Tail(
        file: file, seed: position.seed, start: position.start, position: position.offset,
        next: position.next))
    syncing = Guarded(
      Syncing(
        file: file, name: name, lock: lock, marked: position.marked,
        hasNewNames: position.hasNewNames))
    appended = Atomic(position.next - 1)
    durable = Atomic(position.next - 1)
  }

  deinit { try? close() }

  var hasFailed: Bool { failed.load(ordering: .acquiring) }

  /// Appends a commit whose payload stands in `frame` behind room for its header. Called by one thread
  /// at a time.
  ///
  /// - Returns: the commit's number and the bytes that the file has grown to.
  /// - Throws: where nothing was appended.
  func append(_ frame: inout ByteWriter) throws(StorageError) -> (sequence: UInt64, size: Int) {
    if hasFailed { throw failure ?? .closed(directory: directory) }
    guard frame.count - FileFormat.frameHeaderSize <= UInt32.max else {
      throw .failed(file: directory, operation: "write to", reason: "a commit exceeds 4 GiB")
    }
    let (sequence, seed, file, position) = tail.withLock { tail in
      (tail.next, tail.seed, tail.file, tail.position)
    }
    FrameHeader.complete(
      &frame, sequence: sequence, durable: durable.load(ordering: .acquiring), seed: seed)
    do throws(StorageError) { try file.writeAll(frame, at: position) } catch {
      // What was written of the commit must not be found later: it is reported as failed.
      do throws(StorageError) {
        try file.truncate(to: position)
        try file.sync()
      } catch { fail(with: error) }
      throw error
    }
    let size = position + frame.count
    tail.withLock { tail in
      tail.next = sequence + 1
      tail.position = size
    }
    appended.store(sequence, ordering: .releasing)
    return (sequence, size)
  }

  /// Returns once commit `sequence` is durable. `settled` hears within the lock up to which commit all
  /// are durable.
  func makeDurable(
    _ sequence: UInt64, settled: (UInt64) -> Void
  ) throws(StorageError) {
    try syncing.withLock { state throws(StorageError) in
      let reached = durable.load(ordering: .acquiring)
      if reached >= sequence { return settled(reached) }
      try sync(&state, settled)
    }
  }

  /// Makes everything appended durable.
  func makeDurable(settled: (UInt64) -> Void) throws(StorageError) {
    try makeDurable(appended.load(ordering: .acquiring), settled: settled)
  }

  private func sync(
    _ state: inout Syncing, _ settled: (UInt64) -> Void
  ) throws(StorageError) {
    if let failure = state.failure { throw failure }
    let target = appended.load(ordering: .acquiring)
    do throws(StorageError) {
      try state.file.sync()
      if state.hasNewNames { try fileSystem.syncDirectory(directory) }
      state.hasNewNames = false
    } catch {
      let failure = StorageError.syncFailed(
        file: "\(directory)/\(state.name)", reason: error.reason)
      state.failure = failure
      failed.store(true, ordering: .releasing)
      throw failure
    }
    durable.store(target, ordering: .releasing)
    settled(target)
  }

  private func fail(with error: StorageError) {
    syncing.withLock { state in
      if state.failure == nil { state.failure = error }
      failed.store(true, ordering: .releasing)
    }
  }

  /// The number of the newest commit.
  var newest: UInt64 { appended.load(ordering: .acquiring) }

  private var failure: StorageError? { syncing.withLock { $0.failure } }

  /// Leaves the file for a new one; the old one is durable and complete then. Called by the store's
  /// writer.
  ///
  /// - Returns: the number of the new file's first commit.
  func rotate(settled: (UInt64) -> Void) throws(StorageError) -> UInt64 {
    try syncing.withLock { state throws(StorageError) in
      try sync(&state, settled)
      let (start, next) = tail.withLock { ($0.start, $0.next) }
      // A log without a commit would have the name of the new one.
      if start == next { return start }
      let header = FileHeader(.log, sequence: next)
      let name = FileFormat.name(.log, next)
      do throws(StorageError) {
        try CommitLog.create(header, in: directory, fileSystem)
        let file = try fileSystem.open("\(directory)/\(name)", for: .writing)
        state.file = file
        state.name = name
        tail.withLock { tail in
          tail = Tail(
            file: file, seed: header.seed, start: next, position: FileFormat.headerSize, next: next)
        }
      } catch {
        // Where the new file may exist, the old one must not go on.
        if (try? fileSystem.names(in: directory))?.contains(name) != false {
          state.failure = error
          failed.store(true, ordering: .releasing)
        }
        throw error
      }
      return next
    }
  }

  static func create(
    _ header: FileHeader, in directory: String, _ fileSystem: any FileSystem
  ) throws(StorageError) {
    let kind = header.kind
    let name = kind == .mark ? FileFormat.markName : FileFormat.name(kind, header.sequence)
    try fileSystem.createWhole(name, in: directory) { file throws(StorageError) in
      var bytes = ByteWriter(capacity: 64)
      header.append(to: &bytes)
      try file.writeAll(bytes, at: 0)
    }
  }

  /// Makes everything durable, notes that it is, and lets go of the directory. Later commits are
  /// refused.
  func close(settled: (UInt64) -> Void = { _ in }) throws(StorageError) {
    try syncing.withLock { state throws(StorageError) in
      guard state.lock != nil else { return }
      defer {
        state.lock = nil
        if state.failure == nil { state.failure = .closed(directory: directory) }
        failed.store(true, ordering: .releasing)
      }
      let target = appended.load(ordering: .acquiring)
      if durable.load(ordering: .acquiring) < target { try sync(&state, settled) }
      if state.failure == nil && target > state.marked {
        try CommitLog.create(
          FileHeader(.mark, sequence: target), in: directory, fileSystem)
      }
    }
  }
}

extension StorageError {
  /// What the system said.
  fileprivate var reason: String {
    switch self {
    case .failed(_, _, let reason), .syncFailed(_, let reason): reason
    case .diskFull: "the disk is full"
    default: description
    }
  }
}
