import Foundation
import StorageEngine
import Synchronization
import TestSupport
import Testing

/// Stores in directories of the real disk.
@Suite struct DirectoryStoreTests {
  private static func withDirectory<Result>(
    _ body: (String) async throws -> Result
  ) async rethrows -> Result {
    let directory = URL.temporaryDirectory.appending(path: "feedstore-\(UUID())")
    defer { try? FileManager.default.removeItem(at: directory) }
    return try await body(directory.appending(path: "new/store").path)
  }

  @Test(arguments: [Durability.perCommit, .grouped(within: .milliseconds(5)), .none])
  func `random commits, compactions and openings leave what a dictionary has`(
    durability: Durability
  ) async throws {
    try await DirectoryStoreTests.withDirectory { directory in
      var random = Randomised.generator(case: 1)
      let options = StoreOptions(durability: durability, compactionFloor: 20_000)
      var store = try OrderedStore.open(directory, options: options, nodeCapacity: 8).store
      var model: Model = [:]
      var operations = 0
      for step in Randomised.cases(1500) {
        let changes = StoreDriver.changes(model, using: &random)
        try store.commit(changes)
        for (key, record) in changes { model[key] = record }
        operations += changes.count
        switch Int.random(in: 0..<100, using: &random) {
        case 0: try store.compact()
        case 1:
          try store.close()
          store = try OrderedStore.open(directory, options: options, nodeCapacity: 8).store
        default: break
        }
        if step.isMultiple(of: 50) {
          #expect(store.stored == model)
          #expect(store.version.violations(nodeCapacity: 8).isEmpty)
        }
      }
      try store.close()
      #expect(try OrderedStore.read(directory).store.stored == model)
      #expect(store.compactionFailure == nil)
      print("\(operations) random operations in a directory, \(durability)")
    }
  }

  @Test func `a second owner is refused by name until the first one lets go`() async throws {
    try await DirectoryStoreTests.withDirectory { directory in
      let store = try OrderedStore.open(directory).store
      let error = #expect(throws: StorageError.self) { try OrderedStore.open(directory) }
      let own = Int(ProcessInfo.processInfo.processIdentifier)
      #expect(error == .locked(directory: directory, process: own))
      try store.close()
      _ = try OrderedStore.open(directory)
    }
  }

  @Test func `compaction takes back the space of what was overwritten`() async throws {
    try await DirectoryStoreTests.withDirectory { directory in
      let store = try OrderedStore.open(directory, options: StoreOptions(later: nil)).store
      let record = [UInt8](repeating: 7, count: 1000)
      for _ in 0..<200 { try store.commit([[1]: record, [2]: record]) }
      try store.compact()
      let sizes = try FileManager.default.contentsOfDirectory(atPath: directory).map {
        try FileManager.default.attributesOfItem(atPath: "\(directory)/\($0)")[.size] as? Int ?? 0
      }
      #expect(sizes.reduce(0, +) < 3000)
      #expect(store.stored == [[1]: record, [2]: record])
    }
  }

  /// Writers, readers and compactions at once: no reader sees half a commit, or one that goes back.
  @Test func `readers beside writers and compactions see whole commits in order`() async throws {
    try await DirectoryStoreTests.withDirectory { directory in
      let options = StoreOptions(compactionFloor: 5000)
      let store = try OrderedStore.open(directory, options: options, nodeCapacity: 4).store
      let count = Randomised.cases(150).count
      try await withThrowingTaskGroup(of: Void.self) { group in
        for writer in 0..<3 {
          group.addTask {
            for number in 1...count {
              let record = Array("\(number)".utf8)
              try store.commit([[1, UInt8(writer)]: record, [2, UInt8(writer)]: record])
            }
          }
        }
        for _ in 0..<2 {
          group.addTask {
            var last = [0, 0, 0]
            while last != [count, count, count] {
              let seen = store.stored
              for writer in 0..<3 {
                let (one, two) = (seen[[1, UInt8(writer)]], seen[[2, UInt8(writer)]])
                #expect(one == two)
                let number = one.flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? 0
                #expect(number >= last[writer])
                last[writer] = number
              }
              await Task.yield()
            }
          }
        }
        try await group.waitForAll()
      }
      let expected = store.stored
      try store.close()
      #expect(try OrderedStore.open(directory).store.stored == expected)
    }
  }
}

/// Commits that wait for the same disk.
@Suite struct GroupCommitTests {
  @Test func `commits that wait for a sync share the next one`() throws {
    let disk = SimulatedFileSystem()
    let store = try OrderedStore.open(
      "store", options: StoreOptions(logStep: 0, later: nil), in: disk
    ).store
    // The sync of the first commit does not end before the others are appended.
    let others = 8
    let before = disk.syncs
    disk.holdNextSync(untilCalls: disk.calls + 2 + others)
    let group = DispatchGroup()
    for number in 0...others {
      group.enter()
      // Threads of their own: each waits for the disk.
      Thread.detachNewThread {
        defer { group.leave() }
        #expect(throws: Never.self) { try store.commit([[1, UInt8(number)]: [1]]) }
      }
    }
    group.wait()
    #expect(store.stored.count == others + 1)
    #expect(1...2 ~= disk.syncs - before)
  }

  @Test func `a commit is not seen before it is durable`() throws {
    let disk = SimulatedFileSystem()
    let store = try OrderedStore.open(
      "store", options: StoreOptions(logStep: 0, later: nil), in: disk
    ).store
    disk.fail(disk.calls + 2, with: .failureAfterwards)
    #expect(throws: StorageError.self) { try store.commit([[1]: [1]]) }
    #expect(store.stored.isEmpty)
    #expect(throws: StorageError.self) { try store.commit([[2]: [2]]) }
    #expect(throws: StorageError.self) { try store.compact() }
  }
}
