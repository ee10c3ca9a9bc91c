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
/// Where every commit is synced, the file is made longer in steps, ahead of what is written: its end are
/// zeros then, until the log is left or closed.
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
  /// How far ahead the file is made longer; 0 where it grows by what is written.
  private let step: Int

  private struct Tail {
    var file: any StoredFile
    var seed: UInt32
    var start: UInt64
    var position: Int
    var next: UInt64
    /// How long the file is; zeros stand behind `position`.
    var size: Int
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
    _ directory: String, in fileSystem: any FileSystem, lock: any FileLock, at position: Position,
    step: Int
  ) throws(StorageError) {
    self.directory = directory
    self.step = step
    self.fileSystem = fileSystem
    let name = FileFormat.name(.log, position.start)
    let file = try fileSystem.open("\(directory)/\(name)", for: .writing)
    tail = Guarded(
      Tail(
        file: file, seed: position.seed, start: position.start, position: position.offset,
        next: position.next, size: try file.size()))
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
      extend(&tail, by: frame.count)
      return (tail.next, tail.seed, tail.file, tail.position)
    }
    FrameHeader.complete(
      &frame, sequence: sequence, durable: durable.load(ordering: .acquiring), seed: seed)
    do throws(StorageError) { try file.writeAll(frame, at: position) } catch {
      // What was written of the commit must not be found later: it is reported as failed.
      do throws(StorageError) {
        try file.truncate(to: position)
        tail.withLock { $0.size = position }
        try file.sync()
      } catch { fail(with: error) }
      throw error
    }
    let size = position + frame.count
    tail.withLock { tail in
      tail.next = sequence + 1
      tail.position = size
      tail.size = max(tail.size, size)
    }
    appended.store(sequence, ordering: .releasing)
    return (sequence, size)
  }

  /// Makes sure that `count` bytes and more can be written without the file becoming longer.
  private func extend(_ tail: inout Tail, by count: Int) {
    let needed = tail.position + count
    guard step > 0, needed > tail.size else { return }
    // Where there is no room ahead, the write itself will tell whether there is enough.
    do throws(StorageError) {
      try tail.file.extend(from: tail.size, to: needed + step)
      tail.size = needed + step
    } catch {}
  }

  /// Takes off what was added ahead. Called by the store's writer, or once there is none.
  private func cut() {
    tail.withLock { tail in
      guard tail.size > tail.position else { return }
      // Zeros that stay do no harm.
      do throws(StorageError) {
        try tail.file.truncate(to: tail.position)
        tail.size = tail.position
      } catch {}
    }
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
      if state.failure == nil { cut() }
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
            file: file, seed: header.seed, start: next, position: FileFormat.headerSize, next: next,
            size: FileFormat.headerSize)
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
  /// refused. Called by the store's writer.
  func close(settled: (UInt64) -> Void = { _ in }) throws(StorageError) {
    try syncing.withLock { state throws(StorageError) in
      guard state.lock != nil else { return }
      defer {
        state.lock = nil
        if state.failure == nil { state.failure = .closed(directory: directory) }
        failed.store(true, ordering: .releasing)
      }
      if state.failure == nil { cut() }
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
