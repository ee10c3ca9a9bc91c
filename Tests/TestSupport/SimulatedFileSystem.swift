import Foundation
package import StorageEngine
import Synchronization

/// A disk in memory that fails and loses power on demand.
///
/// Every file has what a reader sees (live) and what a loss of power leaves (durable), with the changes
/// in between; a directory's names likewise. Every call that changes something is counted, and a fault
/// can be set for any count.
package final class SimulatedFileSystem: FileSystem {
  package enum Fault: CaseIterable, Sendable {
    /// The power goes while the call runs: from then on every call fails.
    case powerLoss
    /// Nothing is written.
    case failedCall
    /// Half of what was to be written is, and the rest refused.
    case shortWrite
    /// Everything is written, and yet the call reports a failure.
    case failureAfterwards
    case diskFull
  }

  /// What becomes of changes that were not synced when the power goes.
  package enum Loss: CaseIterable, Sendable {
    case everything
    case nothing
    /// All from some change on.
    case latest
    /// Any, in blocks of 512 bytes, whatever their order was.
    case anyBlock
  }

  struct State: Sendable {
    var files: [Int: Contents] = [:]
    var names: [String: Int] = [:]
    var durableNames: [String: Int] = [:]
    var nameChanges: [(path: String, file: Int?)] = []
    var locked: Set<String> = []
    var nextFile = 0
    var calls = 0
    var faults: [Int: Fault] = [:]
    var isDown = false
    var syncs = 0
    var heldUntilCalls: Int?
  }

  struct Contents: Sendable {
    var live: [UInt8] = []
    var durable: [UInt8] = []
    var changes: [Change] = []
  }

  enum Change: Sendable {
    case write([UInt8], at: Int)
    case truncate(Int)
    /// By zeros, to this size.
    case extend(Int)

    func apply(to bytes: inout [UInt8]) {
      switch self {
      case .write(let new, let offset):
        if bytes.count < offset + new.count {
          bytes += [UInt8](repeating: 0, count: offset + new.count - bytes.count)
        }
        bytes.replaceSubrange(offset..<(offset + new.count), with: new)
      case .truncate(let size):
        if size < bytes.count {
          bytes.removeLast(bytes.count - size)
        } else {
          bytes += [UInt8](repeating: 0, count: size - bytes.count)
        }
      case .extend(let size):
        if size > bytes.count { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
      }
    }
  }

  let state: Mutex<State>

  package init() { state = Mutex(State()) }

  private init(_ state: State) { self.state = Mutex(state) }

  /// A disk with these files, all durable.
  package convenience init(files: [String: [UInt8]]) {
    var state = State()
    for (number, file) in files.sorted(by: { $0.key < $1.key }).enumerated() {
      state.files[number] = Contents(live: file.value, durable: file.value)
      state.names[file.key] = number
    }
    state.durableNames = state.names
    state.nextFile = files.count
    self.init(state)
  }

  /// How many calls changed something or tried to.
  package var calls: Int { state.withLock { $0.calls } }

  /// Sets what happens at the `call`-th change from the beginning; 1 is the first.
  package func fail(_ call: Int, with fault: Fault) { state.withLock { $0.faults[call] = fault } }

  /// How often a file was synced.
  package var syncs: Int { state.withLock { $0.syncs } }

  /// Lets the next sync of a file last until there were so many calls.
  package func holdNextSync(untilCalls calls: Int) {
    state.withLock { $0.heldUntilCalls = calls }
  }

  /// Waits where a sync is to be held.
  func hold() {
    let calls = state.withLock { state in
      state.syncs += 1
      return state.heldUntilCalls.take()
    }
    while let calls, self.calls < calls { sched_yield() }
  }

  /// The files as readers see them.
  package var files: [String: [UInt8]] {
    state.withLock { state in state.names.compactMapValues { state.files[$0]?.live } }
  }

  /// The disk as it is found after the power was lost.
  package func afterPowerLoss(
    _ loss: Loss, using random: inout some RandomNumberGenerator
  ) -> SimulatedFileSystem {
    let state = state.withLock { $0 }
    var names = state.durableNames
    for change in SimulatedFileSystem.survivors(state.nameChanges, loss, using: &random) {
      names[change.path] = change.file
    }
    var files: [String: [UInt8]] = [:]
    for (path, number) in names.sorted(by: { $0.key < $1.key }) {
      guard let contents = state.files[number] else { continue }
      let changes = loss == .anyBlock ? contents.changes.flatMap(\.blocks) : contents.changes
      var bytes = contents.durable
      for change in SimulatedFileSystem.survivors(changes, loss, using: &random) {
        change.apply(to: &bytes)
      }
      files[path] = bytes
    }
    return SimulatedFileSystem(files: files)
  }

  /// The same disk without its owners: what the next process finds where one was killed. What the old
  /// one does from now on does not reach it.
  package func afterProcessDeath() -> SimulatedFileSystem {
    var state = state.withLock { $0 }
    state.locked = []
    return SimulatedFileSystem(state)
  }

  private static func survivors<Change>(
    _ changes: [Change], _ loss: Loss, using random: inout some RandomNumberGenerator
  ) -> [Change] {
    switch loss {
    case .everything: []
    case .nothing: changes
    case .latest: Array(changes.prefix(Int.random(in: 0...changes.count, using: &random)))
    case .anyBlock: changes.filter { _ in Bool.random(using: &random) }
    }
  }

  // MARK: FileSystem

  package func createDirectory(_ path: String) throws(StorageError) {}

  package func names(in directory: String) throws(StorageError) -> [String] {
    let names = state.withLock { $0.isDown ? nil : Array($0.names.keys) }
    guard let names else { throw .simulated(directory) }
    return names.filter { $0.hasPrefix(directory + "/") }
      .map { String($0.dropFirst(directory.count + 1)) }
  }

  package func open(_ path: String, for access: FileAccess) throws(StorageError) -> any StoredFile {
    if access == .creating {
      try change(path) { state, _ in
        state.files[state.nextFile] = Contents()
        state.names[path] = state.nextFile
        state.nameChanges.append((path, state.nextFile))
        state.nextFile += 1
      }
    }
    guard let number = state.withLock({ $0.isDown ? nil : $0.names[path] }) else {
      throw .failed(file: path, operation: "open", reason: "no such file")
    }
    return SimulatedFile(path: path, number: number, system: self)
  }

  package func rename(_ path: String, to newPath: String) throws(StorageError) {
    try change(newPath) { state, _ in
      guard let file = state.names.removeValue(forKey: path) else { return }
      state.names[newPath] = file
      state.nameChanges += [(newPath, file), (path, nil)]
    }
  }

  package func remove(_ path: String) throws(StorageError) {
    try change(path) { state, _ in
      if state.names.removeValue(forKey: path) != nil { state.nameChanges.append((path, nil)) }
    }
  }

  package func syncDirectory(_ path: String) throws(StorageError) {
    try change(path) { state, _ in
      state.durableNames = state.names
      state.nameChanges = []
    }
  }

  package func lock(_ directory: String) throws(StorageError) -> any FileLock {
    guard state.withLock({ $0.locked.insert(directory).inserted }) else {
      throw .locked(directory: directory, process: nil)
    }
    return SimulatedLock(directory: directory, system: self)
  }

  /// Counts a call and runs it unless its fault is to do nothing. `body` hears whether only half of it
  /// is to be done.
  func change(
    _ path: String, _ body: (inout State, _ isHalf: Bool) -> Void
  ) throws(StorageError) {
    let fault = state.withLock { state in
      state.calls += 1
      if state.isDown { return Fault?.some(.powerLoss) }
      let fault = state.faults[state.calls]
      switch fault {
      case nil, .failureAfterwards: body(&state, false)
      case .powerLoss:
        body(&state, false)
        state.isDown = true
      case .shortWrite: body(&state, true)
      case .failedCall, .diskFull: break
      }
      return fault
    }
    switch fault {
    case nil: return
    case .diskFull: throw .diskFull(file: path)
    default: throw .simulated(path)
    }
  }
}

extension SimulatedFileSystem.Change {
  /// The change in the parts in which a disk makes it.
  var blocks: [SimulatedFileSystem.Change] {
    guard case .write(let bytes, let offset) = self else { return [self] }
    var parts: [SimulatedFileSystem.Change] = []
    var start = 0
    while start < bytes.count {
      let end = min(bytes.count, start + 512 - (offset + start) % 512)
      parts.append(.write(Array(bytes[start..<end]), at: offset + start))
      start = end
    }
    return parts
  }
}

extension StorageError {
  fileprivate static func simulated(_ path: String) -> StorageError {
    .failed(file: path, operation: "use", reason: "simulated")
  }
}

private final class SimulatedFile: StoredFile {
  let path: String
  let number: Int
  let system: SimulatedFileSystem

  init(path: String, number: Int, system: SimulatedFileSystem) {
    self.path = path
    self.number = number
    self.system = system
  }

  private func live() throws(StorageError) -> [UInt8] {
    guard let live = system.state.withLock({ $0.isDown ? nil : $0.files[number]?.live }) else {
      throw .simulated(path)
    }
    return live
  }

  func size() throws(StorageError) -> Int { try live().count }

  func read(_ count: Int, at offset: Int) throws(StorageError) -> ByteSlice {
    ByteSlice(Array(try live().dropFirst(offset).prefix(count)))
  }

  func write(_ bytes: borrowing ByteWriter, from start: Int, at offset: Int)
    throws(StorageError) -> Int
  {
    let bytes = Array(bytes.bytes[start...])
    try change { contents, isHalf in
      let taken = isHalf ? Array(bytes.prefix(bytes.count / 2)) : bytes
      let change = SimulatedFileSystem.Change.write(taken, at: offset)
      change.apply(to: &contents.live)
      contents.changes.append(change)
    }
    return bytes.count
  }

  func truncate(to size: Int) throws(StorageError) { try resize(.truncate(size)) }

  func extend(from size: Int, to newSize: Int) throws(StorageError) { try resize(.extend(newSize)) }

  private func resize(_ size: SimulatedFileSystem.Change) throws(StorageError) {
    try change { contents, _ in
      size.apply(to: &contents.live)
      contents.changes.append(size)
    }
  }

  /// A sync that fails for good reasons loses what it was to bring to the disk: the system takes the
  /// pages for clean from then on.
  func sync() throws(StorageError) {
    do throws(StorageError) {
      try change { contents, isHalf in
        if !isHalf { contents.durable = contents.live }
        contents.changes = []
      }
      system.hold()
    } catch {
      system.state.withLock { state in
        if !state.isDown { state.files[number]?.changes = [] }
      }
      throw error
    }
  }

  private func change(
    _ body: (inout SimulatedFileSystem.Contents, _ isHalf: Bool) -> Void
  ) throws(StorageError) {
    try system.change(path) { state, isHalf in
      if var contents = state.files[number] {
        body(&contents, isHalf)
        state.files[number] = contents
      }
    }
  }
}

private final class SimulatedLock: FileLock {
  let directory: String
  let system: SimulatedFileSystem

  init(directory: String, system: SimulatedFileSystem) {
    self.directory = directory
    self.system = system
  }

  deinit { _ = system.state.withLock { [directory] in $0.locked.remove(directory) } }
}
