import StorageEngine
import TestSupport
import Testing

/// The zeros that a log is made longer by, ahead of what is written.
@Suite struct LogRoomTests {
  private static let directory = StoreDriver.directory
  private static let log = "store/log-00000000000000000001"

  private func open(
    _ disk: SimulatedFileSystem, _ durability: Durability = .perCommit
  ) throws -> OrderedStore {
    try OrderedStore.open(
      LogRoomTests.directory,
      options: StoreOptions(durability: durability, logStep: 10_000, later: nil), in: disk
    ).store
  }

  private func size(_ disk: SimulatedFileSystem) -> Int {
    disk.files[LogRoomTests.log]?.count ?? 0
  }

  @Test func `most durable commits are one write and one sync`() throws {
    let disk = SimulatedFileSystem()
    let store = try open(disk)
    try store.commit([[1]: [1]])
    #expect(size(disk) > 10_000)
    let (calls, length) = (disk.calls, size(disk))
    for number in UInt8(0)..<50 { try store.commit([[2, number]: [1]]) }
    #expect(disk.calls == calls + 100)
    #expect(size(disk) == length)
  }

  @Test(arguments: [Durability.none, .grouped(within: .seconds(1))])
  func `a log that is synced now and then has no room ahead`(durability: Durability) throws {
    let disk = SimulatedFileSystem()
    let store = try open(disk, durability)
    try store.commit([[1]: [1]])
    #expect(size(disk) < 100)
  }

  @Test func `closing and compacting take the room back`() throws {
    let disk = SimulatedFileSystem()
    let store = try open(disk)
    try store.commit([[1]: [1]])
    try store.close()
    #expect(size(disk) < 100)
    let again = try open(disk)
    try again.commit([[2]: [2]])
    try again.compact()
    #expect(disk.files.values.allSatisfy { $0.count < 1000 })
    try again.commit([[3]: [3]])
    try again.close()
    #expect(disk.files.values.allSatisfy { $0.count < 1000 })
    #expect(try open(disk).stored == [[1]: [1], [2]: [2], [3]: [3]])
  }

  @Test func `zeros are the end of the log, and the next owner goes on there`() throws {
    var disk = SimulatedFileSystem()
    let store = try open(disk)
    for number in UInt8(1)...5 { try store.commit([[number]: [number]]) }
    let length = size(disk)
    disk = disk.afterProcessDeath()
    let (next, notice) = try OrderedStore.open(
      LogRoomTests.directory, options: StoreOptions(logStep: 10_000, later: nil), in: disk)
    #expect(notice == nil)
    #expect(next.stored.count == 5)
    let calls = disk.calls
    try next.commit([[6]: [6]])
    // Its first commit makes the files' names durable too, which opening left to it.
    #expect(disk.calls == calls + 3)
    #expect(size(disk) == length)
    var random = Randomised.generator(case: 0)
    let found = try open(disk.afterPowerLoss(.everything, using: &random))
    #expect(found.stored.count == 6)
  }

  @Test func `a commit of which only the end was written is torn, not the end`() throws {
    let disk = SimulatedFileSystem()
    let store = try open(disk)
    try store.commit([[1]: [1]])
    let end = size(try closedCopy(of: disk))
    try store.commit([[2]: [UInt8](repeating: 7, count: 2000)])
    var files = disk.files
    // A block that never reached the disk.
    files[LogRoomTests.log]?.replaceSubrange(
      end..<(end + 512), with: [UInt8](repeating: 0, count: 512))
    let (found, notice) = try OrderedStore.open(
      LogRoomTests.directory, options: StoreOptions(later: nil),
      in: SimulatedFileSystem(files: files))
    #expect(found.stored == [[1]: [1]])
    #expect(notice?.offset == end)
  }

  /// The disk as it would be if its owner had closed the store.
  private func closedCopy(of disk: SimulatedFileSystem) throws -> SimulatedFileSystem {
    let copy = SimulatedFileSystem(files: disk.files)
    try open(copy).close()
    return copy
  }

  @Test func `where there is no room ahead a commit fits as long as there is room for it`() throws {
    let disk = SimulatedFileSystem()
    let store = try open(disk)
    disk.fail(disk.calls + 1, with: .diskFull)
    try store.commit([[1]: [1]])
    #expect(store.stored == [[1]: [1]])
    #expect(size(disk) < 100)
  }
}
