import StorageEngine
import TestSupport

/// Derives for each record a key that starts with it.
struct DerivingKeeper: RecordKeeper {
  static func isReadable(_ record: ByteSlice) -> Bool { true }
  func problem(with record: ByteSlice, under key: ByteSlice) -> String? { nil }
  func start(with version: Version) -> String? { nil }

  func follow(_ change: RecordChange, in transaction: inout WriteTransaction) {
    let key = change.key.array(0, change.key.count)
    if let before = change.before {
      transaction.remove(.derived(key, before.array(0, before.count)))
    }
    if let after = change.after {
      transaction.insert(.derived(key, after.array(0, after.count)), value: change.number)
    }
  }
}

extension ByteWriter {
  static func derived(_ key: [UInt8], _ record: [UInt8]) -> ByteWriter {
    of([0x80] + record.prefix(12) + key)
  }

  static func of(_ bytes: [UInt8]) -> ByteWriter {
    var writer = ByteWriter()
    writer.append(bytes)
    return writer
  }
}

/// A store whose writers keep derived keys.
struct DerivingStore {
  let store: OrderedStore

  init(_ disk: SimulatedFileSystem, capacity: Int) throws(StorageError) {
    var keeper = DerivingKeeper()
    store = try OrderedStore.open(
      "store", options: StoreOptions(durability: .none, later: nil), in: disk,
      nodeCapacity: capacity, keeper: &keeper
    ).store
  }

  func commit(_ changes: [[UInt8]: [UInt8]?]) throws(StorageError) {
    try store.write(
      { transaction throws(StorageError) in
        for (key, record) in changes.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) {
          let number = transaction.value(for: .of(key))
          if let number, let old = transaction.record(number) {
            transaction.remove(.derived(key, old.array(0, old.count)))
          }
          if let record {
            let number = transaction.put(.of(record), under: .of(key), replacing: number)
            transaction.insert(.derived(key, record), value: number)
          } else if let number {
            transaction.take(number, under: .of(key))
          }
        }
      }, accepted: { _ in {} }, refusal: { $0 })
  }

  /// Every derived key with the record that it stands for.
  var derived: Model {
    let version = store.version
    var model: Model = [:]
    for entry in version.entries where entry.key.first.map({ $0 >= 0x80 }) == true {
      model[entry.key] = version.record(entry.value).map { $0.array(0, $0.count) } ?? []
    }
    return model
  }

  static func derived(_ model: Model) -> Model {
    Model(
      uniqueKeysWithValues: model.map { (ByteWriter.derived($0.key, $0.value).bytes, $0.value) })
  }

  /// Short and long keys, for leaves of both layouts.
  static func key(_ number: Int) -> [UInt8] {
    number.isMultiple(of: 3)
      ? [1, UInt8(truncatingIfNeeded: number)]
      : [2] + Array("a long key for record \(number * 7919 % 10007)".utf8)
  }

  static func changes(
    _ model: Model, using random: inout SeededGenerator
  ) -> [[UInt8]: [UInt8]?] {
    var changes: [[UInt8]: [UInt8]?] = [:]
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let key = key(Int.random(in: 0..<150, using: &random))
      if Int.random(in: 0..<3, using: &random) == 0 {
        changes.updateValue(nil, forKey: key)
      } else {
        let count = Int.random(in: 0...40, using: &random)
        changes[key] = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
      }
    }
    return changes
  }

  /// The files of a closed store whose image has all of its records.
  static func sample(
    records: Int, capacity: Int
  ) throws -> (files: [String: [UInt8]], model: Model) {
    let disk = SimulatedFileSystem()
    let store = try DerivingStore(disk, capacity: capacity)
    var model: Model = [:]
    for number in 0..<records {
      let long = [UInt8](repeating: 1, count: number % 5)
      model[number < 256 || number % 3 > 0 ? key(number) : [3] + key(number * 3 + 1)] =
        Array("record \(number) \(long)".utf8)
    }
    try store.commit(model.mapValues { $0 })
    try store.store.compact()
    try store.store.close()
    return (disk.files, model)
  }
}
