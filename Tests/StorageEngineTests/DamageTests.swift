import StorageEngine
import TestSupport
import Testing

/// Files that are not what was written: every bit, every length, and what somebody may put there.
@Suite struct DamageTests {
  /// A store with a checkpoint and commits after it, and every state that it went through.
  private struct Sample {
    var files: [String: [UInt8]] = [:]
    var states: [Model] = [[:]]
    var last: Model { states.last ?? [:] }

    init(isClosed: Bool) throws {
      var random = Randomised.generator(case: 7)
      var driver = StoreDriver(disk: SimulatedFileSystem())
      try driver.open()
      for step in 0..<8 {
        try driver.commit([
          [1, UInt8(step)]: (0..<UInt8.random(in: 0...30, using: &random)).map { $0 },
          [2, UInt8(step / 3)]: step % 3 == 2 ? nil : [9, 9],
        ])
        states.append(driver.acknowledged)
        if step == 3 { try driver.store?.compact() }
      }
      if isClosed {
        try driver.store?.close()
        files = driver.disk.files
      } else {
        files = driver.disk.files
        driver.store = nil
      }
    }

    /// Opens `files` and checks that what is found is right or known to be damaged.
    func check(_ files: [String: [UInt8]], mayLoseTail: Bool, _ what: String) {
      let disk = SimulatedFileSystem(files: files)
      var isOpen = false
      do {
        let (store, notice) = try OrderedStore.open(
          StoreDriver.directory, options: StoreOptions(later: nil), in: disk)
        isOpen = true
        let found = store.stored
        try store.version.checkUndamaged()
        #expect(
          found == last || (mayLoseTail && states.contains(found)), "\(what): a wrong answer")
        if found != last && !what.contains("cut") { #expect(notice != nil, "\(what): silent") }
      } catch {
        // A store that was opened before its checkpoint was found to be damaged is closed in order.
        let after = isOpen ? disk.files.filter { $0.key.contains("checkpoint") } : disk.files
        let before = isOpen ? files.filter { $0.key.contains("checkpoint") } : files
        #expect(after == before, "\(what): a store that is refused was changed")
      }
      _ = try? OrderedStore.read(StoreDriver.directory, in: disk)
      _ = try? OrderedStore.salvage(StoreDriver.directory, in: disk)
    }
  }

  @Test(arguments: [true, false])
  func `every flipped bit is found or harmless`(isClosed: Bool) throws {
    let sample = try Sample(isClosed: isClosed)
    for (name, bytes) in sample.files {
      for position in 0..<(bytes.count * 8) {
        var files = sample.files
        files[name]?[position / 8] ^= 1 << UInt8(position % 8)
        sample.check(files, mayLoseTail: !isClosed, "bit \(position) of \(name)")
      }
    }
  }

  @Test(arguments: [true, false])
  func `every truncation is found or harmless, and so is a missing file`(isClosed: Bool) throws {
    let sample = try Sample(isClosed: isClosed)
    for (name, bytes) in sample.files {
      for count in 0..<bytes.count {
        var files = sample.files
        files[name] = Array(bytes.prefix(count))
        sample.check(files, mayLoseTail: !isClosed, "\(name) cut to \(count) bytes")
      }
      var files = sample.files
      files[name] = nil
      sample.check(files, mayLoseTail: false, "\(name) missing")
    }
  }

  @Test func `bytes that somebody put there are found or harmless`() throws {
    let sample = try Sample(isClosed: true)
    let patterns: [[UInt8]] = [
      [UInt8](repeating: 0, count: 8), [UInt8](repeating: 0xFF, count: 8),
      [0, 0, 0, 0, 0, 0, 0, 0x80], [0xFF, 0xFF, 0xFF, 0x7F], [1], Array("CMIT".utf8),
    ]
    var random = Randomised.generator(case: 0)
    for (name, bytes) in sample.files {
      for position in bytes.indices {
        for pattern in patterns where position + pattern.count <= bytes.count {
          var files = sample.files
          files[name]?.replaceSubrange(position..<(position + pattern.count), with: pattern)
          sample.check(files, mayLoseTail: false, "\(pattern) at \(position) of \(name)")
        }
      }
      var files = sample.files
      files[name] = [UInt8](repeating: 0, count: bytes.count)
      sample.check(files, mayLoseTail: false, "\(name) zeroed")
      for _ in Randomised.cases(200) {
        let count = Int.random(in: 0...200, using: &random)
        files[name] =
          bytes.prefix(Int.random(in: 0...bytes.count, using: &random))
          + (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
        sample.check(files, mayLoseTail: false, "\(name) with a random end")
      }
    }
  }

  @Test func `a file of a later version is refused and left alone`() throws {
    var sample = try Sample(isClosed: true)
    for name in sample.files.keys where !name.hasSuffix("mark") {
      let files = sample.files
      sample.files[name] = sample.files[name].map(FileVersions.raised)
      let disk = SimulatedFileSystem(files: sample.files)
      let error = #expect(throws: StorageError.self) {
        try OrderedStore.open(StoreDriver.directory, in: disk)
      }
      #expect(error == .newerFormat(file: name, version: 3))
      #expect(disk.files == sample.files)
      sample.files = files
    }
  }

  @Test func `damage within the log is not taken for its torn end`() throws {
    let sample = try Sample(isClosed: false)
    let log = try #require(sample.files.keys.first { $0.contains("log") })
    var files = sample.files
    files[log]?[80] ^= 1
    let error = #expect(throws: StorageError.self) {
      try OrderedStore.open(StoreDriver.directory, in: SimulatedFileSystem(files: files))
    }
    guard case .corrupt(log, 40, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let (store, _, problems) = try OrderedStore.salvage(
      StoreDriver.directory, in: SimulatedFileSystem(files: files))
    #expect(problems.count == 1)
    #expect(Set(store.stored.keys).isSuperset(of: [[1, 5], [1, 7]]))
  }

  @Test func `a torn end is cut off and said to be`() throws {
    let sample = try Sample(isClosed: false)
    let log = try #require(sample.files.keys.first { $0.contains("log") })
    var files = sample.files
    // Behind the last commit is room for others.
    while files[log]?.last == 0 { files[log]?.removeLast() }
    files[log]?.removeLast(5)
    let disk = SimulatedFileSystem(files: files)
    let (store, notice) = try OrderedStore.open(StoreDriver.directory, in: disk)
    #expect(store.stored == sample.states[sample.states.count - 2])
    #expect(notice?.file == log)
    try store.close()
    #expect(try OrderedStore.open(StoreDriver.directory, in: disk).notice == nil)
  }
}
