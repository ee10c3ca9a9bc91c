import StorageEngine
import TestSupport
import Testing

/// Checkpoints as they are read: in place, checked when they are first touched.
@Suite struct ImageTests {
  @Test(arguments: [4, 5, 64], 0..<4)
  func `a store that is opened again and again holds what was put, and derived keys in step`(
    capacity: Int, seed: Int
  ) throws {
    var random = Randomised.generator(case: seed)
    let disk = SimulatedFileSystem()
    var store = try DerivingStore(disk, capacity: capacity)
    var model: Model = [:]
    for step in Randomised.cases(250) {
      let changes = DerivingStore.changes(model, using: &random)
      try store.commit(changes)
      for (key, record) in changes { model[key] = record }
      switch Int.random(in: 0..<12, using: &random) {
      case 0: try store.store.compact()
      case 1:
        try store.store.close()
        store = try DerivingStore(disk, capacity: capacity)
      case 2:
        try store.store.compact()
        try store.store.close()
        store = try DerivingStore(disk, capacity: capacity)
      default: break
      }
      guard step.isMultiple(of: 5) else { continue }
      #expect(store.store.stored == model)
      #expect(store.derived == DerivingStore.derived(model))
      #expect(store.store.version.violations(nodeCapacity: capacity) == [])
      try store.store.version.checkUndamaged()
    }
    try store.store.close()
    var keeper = DerivingKeeper()
    let read = try OrderedStore.read("store", in: disk, keeper: &keeper).store
    #expect(read.stored == model)
  }

  @Test func `versions of an image keep what they held while later ones change`() throws {
    var random = Randomised.generator(case: 0)
    let sample = try DerivingStore.sample(records: 60, capacity: 4)
    let store = try DerivingStore(SimulatedFileSystem(files: sample.files), capacity: 4)
    var model = sample.model
    var held: [(version: Version, model: Model)] = [(store.store.version, model)]
    for _ in Randomised.cases(200) {
      let changes = DerivingStore.changes(model, using: &random)
      try store.commit(changes)
      for (key, record) in changes { model[key] = record }
      if held.count < 20 { held.append((store.store.version, model)) }
      if held.count > 5 { held.remove(at: Int.random(in: 0..<held.count, using: &random)) }
    }
    for (version, model) in held { #expect(version.stored == model) }
  }

  @Test func `opening and one read check as many objects of a large image as of a small one`()
    throws
  {
    var counts: [Int] = []
    for records in [500, 4000] {
      let sample = try DerivingStore.sample(records: records, capacity: 64)
      let store = try DerivingStore(SimulatedFileSystem(files: sample.files), capacity: 64)
      #expect(store.store.version.checkedObjects <= 1)
      let (key, record) = try #require(sample.model.first)
      #expect(store.store.version.stored(under: key) == record)
      counts.append(store.store.version.checkedObjects)
      #expect(counts.allSatisfy { $0 <= 6 })
    }
    print("opening checked \(counts) objects")
  }

  @Test func `every flipped bit of an image is found, or harmless, when it is touched`() throws {
    let sample = try DerivingStore.sample(records: 14, capacity: 4)
    let name = try #require(sample.files.keys.first { $0.contains("checkpoint") })
    let bytes = try #require(sample.files[name])
    var found = 0
    for position in 0..<(bytes.count * 8) {
      var files = sample.files
      files[name]?[position / 8] ^= 1 << UInt8(position % 8)
      let disk = SimulatedFileSystem(files: files)
      do {
        let store = try DerivingStore(disk, capacity: 4)
        let (stored, derived) = (store.store.stored, store.derived)
        try store.store.version.checkUndamaged()
        #expect(stored == sample.model, "bit \(position): a wrong answer")
        #expect(derived == DerivingStore.derived(sample.model), "bit \(position)")
      } catch {
        found += 1
        #expect(throws: StorageError.self, "bit \(position)") {
          var keeper = DerivingKeeper()
          _ = try OrderedStore.read("store", in: disk, keeper: &keeper)
        }
      }
      let saved = try OrderedStore.salvage("store", in: disk)
      for (key, record) in saved.store.stored { #expect(sample.model[key] == record) }
    }
    // Only what fills the space between objects may be flipped.
    #expect(found > bytes.count * 7)
  }

  @Test func `what is damaged is refused once it was found, to readers and writers`() throws {
    let sample = try DerivingStore.sample(records: 60, capacity: 4)
    let name = try #require(sample.files.keys.first { $0.contains("checkpoint") })
    var files = sample.files
    // The first record.
    files[name]?[130] ^= 1
    let disk = SimulatedFileSystem(files: files)
    let store = try DerivingStore(disk, capacity: 4)
    try store.store.version.checkUndamaged()
    _ = store.store.stored
    let error = try #require(
      #expect(throws: StorageError.self) { try store.store.version.checkUndamaged() })
    guard case .corrupt(name, 112, _) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    let before = store.store.version.number
    #expect(throws: error) { try store.commit([[1, 2]: [3]]) }
    #expect(throws: error) { try store.store.compact() }
    #expect(store.store.version.number == before)
    #expect(disk.files[name] == files[name])
  }

  @Test func `a write that meets damage first is refused, and nothing of it is kept`() throws {
    let sample = try DerivingStore.sample(records: 60, capacity: 4)
    let name = try #require(sample.files.keys.first { $0.contains("checkpoint") })
    let bytes = try #require(sample.files[name])
    var refused = 0
    for position in stride(from: 120, to: bytes.count, by: 24) {
      var files = sample.files
      files[name]?[position] ^= 0x10
      let disk = SimulatedFileSystem(files: files)
      guard let store = try? DerivingStore(disk, capacity: 4) else { continue }
      let log = disk.files.filter { $0.key.contains("log") }
      for key in sample.model.keys.sorted(by: { $0.lexicographicallyPrecedes($1) }) {
        do throws(StorageError) { try store.commit([key: nil]) } catch {
          refused += 1
          #expect(throws: error) { try store.store.version.checkUndamaged() }
          break
        }
      }
      if store.store.version.number == 1 {
        #expect(disk.files.filter { $0.key.contains("log") } == log)
      }
    }
    #expect(refused > 100)
  }

  @Test func `a record whose leaf is lost is saved without its key`() throws {
    let sample = try DerivingStore.sample(records: 60, capacity: 4)
    let name = try #require(sample.files.keys.first { $0.contains("checkpoint") })
    let bytes = try #require(sample.files[name])
    let nodes = Int(bytes.word(at: 56))
    var files = sample.files
    // The first leaf, which is one of stored keys.
    files[name]?[nodes + 40] ^= 1
    let saved = try OrderedStore.salvage("store", in: SimulatedFileSystem(files: files))
    #expect(saved.problems.count == 1)
    #expect(saved.strays.count == 60 - saved.store.stored.count)
    #expect(saved.strays.count > 0)
    let records = Set(sample.model.values)
    #expect(saved.strays.allSatisfy { records.contains($0.array(0, $0.count)) })
  }
}

extension [UInt8] {
  /// The number of eight bytes at `offset`.
  func word(at offset: Int) -> UInt64 {
    (0..<8).reduce(0) { $0 | UInt64(self[offset + $1]) << UInt64(8 * $1) }
  }
}

extension Version {
  /// The record under a stored key.
  func stored(under key: [UInt8]) -> [UInt8]? {
    var writer = ByteWriter()
    writer.append(key)
    return value(for: writer).flatMap { record($0) }.map { $0.array(0, $0.count) }
  }

  /// Every stored key with its record.
  var stored: Model {
    var model: Model = [:]
    var cursor = TreeCursor(self, from: [], to: [OrderedStore.derivedKeys], isReversed: false)
    while let number = cursor.next() {
      var key = ByteWriter()
      cursor.appendKey(dropping: 0, to: &key)
      model[key.bytes] = record(number).map { $0.array(0, $0.count) }
    }
    return model
  }
}
