/// What was cut off when a store was opened: the end of its log, which no acknowledged commit needs.
package struct RecoveryNotice: Hashable, Sendable, CustomStringConvertible {
  package let file: String
  package let offset: Int
  package let count: Int
  package let reason: String

  package var description: String {
    "'\(file)': the last \(count) bytes, from byte \(offset) on, are of a commit that was never "
      + "acknowledged, and were cut off (\(reason))."
  }
}

extension OrderedStore {
  /// Opens the store in `directory`, made where there is none: exactly the acknowledged commits, and
  /// perhaps, whole, those that were in flight when its last owner stopped. What the checkpoint holds is
  /// checked when it is first read; see `Version.checkUndamaged()`.
  ///
  /// - Throws: `StorageError`; then the files are as they were.
  /// - Complexity: O(n) in the log since the last checkpoint.
  package static func open<Keeper: RecordKeeper>(
    _ directory: String, options: StoreOptions = StoreOptions(),
    in fileSystem: any FileSystem = DiskFileSystem(), nodeCapacity: Int = 64,
    keeper: inout Keeper
  ) throws(StorageError) -> (store: OrderedStore, notice: RecoveryNotice?) {
    try fileSystem.createDirectory(directory)
    let lock = try fileSystem.lock(directory)
    let listing = try StoreListing(directory, fileSystem)
    let capacity = max(nodeCapacity, 4)
    var recovery = Recovery(listing)
    let (version, freeNumbers) = try recovery.run(capacity, &keeper)
    var outcome = recovery.outcome
    try outcome.repair(listing, isSynced: options.durability != .none)
    let log = try CommitLog(
      directory, in: fileSystem, lock: lock, at: outcome.position,
      step: options.durability == .perCommit ? options.logStep : 0)
    let files = StoreFiles(
      log, options, logBytes: outcome.logBytes, checkpointBytes: outcome.checkpointBytes)
    let store = OrderedStore(
      version, freeNumbers: freeNumbers, nodeCapacity: capacity, files: files)
    return (store, outcome.notice)
  }

  /// As `open(_:options:in:nodeCapacity:keeper:)`, of any records.
  package static func open(
    _ directory: String, options: StoreOptions = StoreOptions(),
    in fileSystem: any FileSystem = DiskFileSystem(), nodeCapacity: Int = 64
  ) throws(StorageError) -> (store: OrderedStore, notice: RecoveryNotice?) {
    var keeper = AnyRecords()
    return try open(
      directory, options: options, in: fileSystem, nodeCapacity: nodeCapacity, keeper: &keeper)
  }

  /// Reads the store in `directory`, every byte of it, and leaves its files as they are.
  ///
  /// - Throws: `StorageError` where anything is damaged.
  /// - Complexity: O(n).
  package static func read<Keeper: RecordKeeper>(
    _ directory: String, in fileSystem: any FileSystem = DiskFileSystem(), keeper: inout Keeper
  ) throws(StorageError) -> (store: OrderedStore, notice: RecoveryNotice?) {
    let (listing, lock) = try StoreListing.ofExistingStore(directory, fileSystem)
    defer { withExtendedLifetime(lock) {} }
    var recovery = Recovery(listing)
    recovery.readsEverything = true
    let (version, freeNumbers) = try recovery.run(64, &keeper)
    let store = OrderedStore(version, freeNumbers: freeNumbers, nodeCapacity: 64, files: nil)
    return (store, recovery.outcome.notice)
  }

  /// As `read(_:in:keeper:)`, of any records.
  package static func read(
    _ directory: String, in fileSystem: any FileSystem = DiskFileSystem()
  ) throws(StorageError) -> (store: OrderedStore, notice: RecoveryNotice?) {
    var keeper = AnyRecords()
    return try read(directory, in: fileSystem, keeper: &keeper)
  }
}

/// Reading a store's files.
struct Recovery: ~Copyable {
  private let listing: StoreListing
  private(set) var outcome = Outcome()
  private var applier = OperationApplier()
  /// Whether the whole checkpoint is to be checked now.
  var readsEverything = false

  struct Outcome {
    /// Where the log goes on; `offset` is 0 where there is no log yet.
    var position = CommitLog.Position(start: 1, seed: 0, offset: 0, next: 1, marked: 0)
    var notice: RecoveryNotice?
    var logBytes = 0
    var checkpointBytes = 0
    var checkpoint: UInt64 = 1
    /// The commits of the last log that nothing proves to be durable, with their offsets.
    var unproven: [(sequence: UInt64, offset: Int)] = []
  }

  init(_ listing: StoreListing) { self.listing = listing }

  /// Answers the newest state and the numbers that no record has.
  mutating func run(
    _ nodeCapacity: Int, _ keeper: inout some RecordKeeper
  ) throws(StorageError) -> (Version, freeNumbers: [UInt64]) {
    outcome.position.marked = mark
    if listing.logs.isEmpty && listing.checkpoints.isEmpty {
      guard outcome.position.marked == 0 else {
        throw .missing(file: listing.path(.log, 1), reason: "the mark says that it was there")
      }
      return (Version(), [])
    }
    var base = Version()
    if let sequence = listing.checkpoints.last {
      outcome.checkpoint = sequence
      outcome.position.next = sequence
      base = try readCheckpoint(sequence, &keeper)
    }
    var transaction = WriteTransaction(base: base, freeNumbers: [], nodeCapacity: nodeCapacity)
    do throws(StorageError) {
      try readLogs(into: &transaction, &keeper)
      try base.checkUndamaged()
      return (transaction.commit(after: base), transaction.freeNumbers)
    } catch {
      transaction.abort()
      throw error
    }
  }

  private mutating func readLogs(
    into transaction: inout WriteTransaction, _ keeper: inout some RecordKeeper
  ) throws(StorageError) {
    let logs = listing.logs.filter { $0 >= outcome.checkpoint }
    for (index, log) in logs.enumerated() {
      guard log == outcome.position.next else { break }
      outcome.position.start = log
      try readLog(log, isLast: index == logs.count - 1, into: &transaction, &keeper)
    }
    guard let last = logs.last, last == outcome.position.start, outcome.position.offset > 0 else {
      throw .missing(
        file: listing.path(.log, outcome.position.next), reason: "it has the commits from there on")
    }
    let (next, marked) = (outcome.position.next, outcome.position.marked)
    if next <= marked {
      throw .missing(
        file: listing.path(.log, last),
        reason: "its end is: it has the commits up to \(next - 1) of \(marked)")
    }
  }

  /// The last commit that the mark says is durable. A mark that cannot be read says nothing.
  private var mark: UInt64 {
    let path = "\(listing.directory)/\(FileFormat.markName)"
    guard listing.hasMark, var reader = try? FileReader(path, in: listing.fileSystem),
      let header = try? FileHeader(.mark, from: &reader)
    else { return 0 }
    return header.sequence
  }

  // MARK: Checkpoint

  private mutating func readCheckpoint<Keeper: RecordKeeper>(
    _ sequence: UInt64, _ keeper: inout Keeper
  ) throws(StorageError) -> Version {
    let path = listing.path(.checkpoint, sequence)
    let image = try Image(path, in: listing.fileSystem, isReadable: { Keeper.isReadable($0) })
    guard image.header.file.sequence == sequence else {
      throw .corrupt(file: path, offset: 16, reason: "its name says that it is another checkpoint")
    }
    outcome.checkpointBytes = image.header.byteCount
    let version = try Version(image)
    if readsEverything { try version.checkEverything(keeper) }
    let reason = keeper.start(with: version)
    try version.checkUndamaged()
    if let reason { throw .corrupt(file: path, offset: 0, reason: reason) }
    return version
  }

  // MARK: Log

  private mutating func readLog(
    _ start: UInt64, isLast: Bool, into transaction: inout WriteTransaction,
    _ keeper: inout some RecordKeeper
  ) throws(StorageError) {
    let path = listing.path(.log, start)
    var reader = try LogReader(path, in: listing.fileSystem)
    guard reader.header.sequence == start else {
      throw reader.reader.damage(at: 16, "its name says that it is another log")
    }
    outcome.position.seed = reader.header.seed
    outcome.unproven = []
    frames: while true {
      let offset = reader.offset
      switch try reader.next(outcome.position.next) {
      case .end: break frames
      case .frame(let frame):
        try applier.apply(frame, into: &transaction, &keeper, at: (path, offset))
        let proven = max(frame.header.durable, outcome.position.marked)
        if outcome.unproven.first.map({ $0.sequence <= proven }) == true {
          outcome.unproven.removeAll { $0.sequence <= proven }
        }
        if outcome.position.next > proven {
          outcome.unproven.append((outcome.position.next, offset))
        }
        outcome.position.next += 1
      case .unreadable(let reason):
        let isTorn = try isTornEnd(&reader, isLast: isLast)
        guard isTorn else { throw reader.reader.damage(at: offset, reason) }
        outcome.notice = RecoveryNotice(
          file: path, offset: offset, count: reader.reader.size - offset, reason: reason)
        break frames
      }
    }
    outcome.position.offset = reader.offset
    outcome.logBytes += reader.offset
  }

  /// Whether what cannot be read is of a commit that was never acknowledged: nothing after it and no
  /// mark says that it was durable once.
  private func isTornEnd(
    _ reader: inout LogReader, isLast: Bool
  ) throws(StorageError) -> Bool {
    let next = outcome.position.next
    guard isLast, outcome.position.marked < next else { return false }
    return try reader.findHeader(from: reader.offset) { $0.durable >= next } == nil
  }
}

extension Recovery.Outcome {
  /// Brings the files into the state that was read. `isSynced` makes it durable too: what the last owner
  /// wrote may have reached readers without ever reaching the disk, and a system that once failed to
  /// write a page does not try again unless it is written anew.
  mutating func repair(_ listing: StoreListing, isSynced: Bool) throws(StorageError) {
    if position.offset == 0 {
      let header = FileHeader(.log, sequence: 1)
      try CommitLog.create(header, in: listing.directory, listing.fileSystem)
      position.seed = header.seed
      position.offset = FileFormat.headerSize
      return
    }
    let file = try listing.fileSystem.open(listing.path(.log, position.start), for: .writing)
    if notice != nil { try file.truncate(to: position.offset) }
    if isSynced, var offset = unproven.first?.offset {
      var bytes = ByteWriter()
      while offset < position.offset {
        bytes.removeAll()
        bytes.append(try file.read(min(position.offset - offset, 1 << 20), at: offset))
        guard bytes.count > 0 else {
          throw .missing(file: listing.path(.log, position.start), reason: "it shrank meanwhile")
        }
        try file.writeAll(bytes, at: offset)
        offset += bytes.count
      }
    }
    if isSynced && !unproven.isEmpty || notice != nil { try file.sync() }
    // The last owner may have made the log, or the checkpoint that replaces others, and stopped before
    // their names were durable. That can wait for the first commit that is to be.
    let leftOver = listing.obsolete(before: checkpoint) + listing.temporaries
    position.hasNewNames = leftOver.isEmpty
    if leftOver.isEmpty { return }
    try listing.fileSystem.syncDirectory(listing.directory)
    listing.remove(leftOver)
  }
}
