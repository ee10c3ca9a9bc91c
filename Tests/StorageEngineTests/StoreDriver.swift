import StorageEngine
import TestSupport
import Testing

/// What a store in a directory must hold.
typealias Model = [[UInt8]: [UInt8]]

extension OrderedStore {
  /// Every stored key with its record.
  var stored: Model {
    let version = version
    var model: Model = [:]
    var cursor = TreeCursor(version, from: [], to: [OrderedStore.derivedKeys], isReversed: false)
    while let number = cursor.next() {
      var key = ByteWriter()
      cursor.appendKey(dropping: 0, to: &key)
      model[key.bytes] = version.record(number).map { $0.array(0, $0.count) }
    }
    return model
  }

  /// Makes the changes of one commit: a key without a record is taken out.
  func commit(_ changes: [[UInt8]: [UInt8]?]) throws(StorageError) {
    try write(
      { transaction throws(StorageError) in
        for (key, record) in changes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
          var keyWriter = ByteWriter()
          keyWriter.append(key)
          let number = transaction.value(for: keyWriter)
          if let record {
            var recordWriter = ByteWriter()
            recordWriter.append(record)
            _ = transaction.put(recordWriter, under: keyWriter, replacing: number)
          } else if let number {
            transaction.take(number, under: keyWriter)
          }
        }
      }, accepted: { _ in {} }, refusal: { $0 })
  }
}

/// A store, the disk below it, and what it acknowledged.
struct StoreDriver {
  var disk: SimulatedFileSystem
  var store: OrderedStore?
  var acknowledged: Model = [:]
  /// States that may be found too, since a commit was in flight or its outcome is open.
  var inFlight: [Model] = []
  var options: StoreOptions
  var notices = 0

  static let directory = "store"

  init(disk: SimulatedFileSystem, options: StoreOptions = StoreOptions(logStep: 700, later: nil)) {
    self.disk = disk
    self.options = options
  }

  mutating func open() throws(StorageError) {
    store = nil
    let (store, notice) = try OrderedStore.open(
      StoreDriver.directory, options: options, in: disk, nodeCapacity: 4)
    if notice != nil { notices += 1 }
    self.store = store
    let found = store.stored
    let isExpected = found == acknowledged || inFlight.contains(found)
    #expect(
      isExpected,
      """
      found \(found.count) records, acknowledged were \(acknowledged.count); \(inFlight.count) in flight; \
      different: \(Set(found.keys).union(acknowledged.keys).filter { found[$0] != acknowledged[$0] })
      files: \(disk.files.map { "\($0.key): \($0.value.count)" })
      """)
    #expect(store.version.violations(nodeCapacity: 4).isEmpty)
    acknowledged = found
    inFlight = []
  }

  mutating func commit(_ changes: [[UInt8]: [UInt8]?]) throws(StorageError) {
    var after = acknowledged
    for (key, record) in changes { after[key] = record }
    do throws(StorageError) {
      try store?.commit(changes)
      // A commit that changes nothing is granted even where the log has failed.
      if after != acknowledged { inFlight = [] }
      acknowledged = after
    } catch {
      inFlight.append(after)
      #expect(store?.stored == acknowledged, "a commit that failed is not seen")
      throw error
    }
  }

  /// One random step: mostly commits, sometimes a compaction or a new owner.
  mutating func step(using random: inout SeededGenerator) throws(StorageError) {
    switch Int.random(in: 0..<20, using: &random) {
    case 0, 1: try store?.compact()
    case 2:
      try store?.close()
      try open()
    case 3:
      disk = disk.afterProcessDeath()
      try open()
    default: try commit(StoreDriver.changes(acknowledged, using: &random))
    }
  }

  static func changes(
    _ model: Model, using random: inout SeededGenerator
  ) -> [[UInt8]: [UInt8]?] {
    var changes: [[UInt8]: [UInt8]?] = [:]
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let key = [1, UInt8.random(in: 0..<40, using: &random)]
      if Int.random(in: 0..<4, using: &random) == 0 {
        changes.updateValue(nil, forKey: key)
      } else {
        let size = Int.random(in: 0..<10, using: &random) == 0 ? 3000 : 40
        let count = Int.random(in: 0...size, using: &random)
        let byte = UInt8.random(in: 0...255, using: &random)
        changes[key] = (0..<count).map { byte &+ UInt8(truncatingIfNeeded: $0) }
      }
    }
    return changes
  }
}
