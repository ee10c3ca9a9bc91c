import StorageEngine

/// The writes of one commit, applied within one transaction: documents, their orders and all indexes
/// together, or nothing where one of them is refused.
struct Commit: ~Copyable {
  private(set) var catalog: IndexCatalog
  private let time: Int64
  private var key = ByteWriter()
  private var record = ByteWriter()
  private(set) var changes: ChangeRecord

  init(catalog: IndexCatalog, time: Int64, notesChanges: Bool = false) {
    self.catalog = catalog
    self.time = time
    changes = ChangeRecord(isWanted: notesChanges)
  }

  mutating func apply(
    _ write: Write, to transaction: inout WriteTransaction
  ) throws(DatabaseError) {
    let name = write.document
    let collection = catalog.addCollection(name.parent)
    setKey(collection, name)
    let number = transaction.value(for: key)
    let stored = number.flatMap { transaction.record($0) }.map { StoredDocument($0) }
    try write.check(stored)
    switch write.operation {
    case .delete:
      guard let number, let stored else { return }
      updateIndexes(of: name, from: stored, to: nil, record: number, in: &transaction)
      setKey(collection, name)
      transaction.remove(key)
      transaction.removeRecord(number)
      changes.note(name, from: stored, to: nil)
    case .update(_, let fields, let mask):
      let changed = try write.fields(fields, mask, on: stored, time: .commit(time))
      if let stored, stored.fields == changed { return }
      do { try DocumentLimits.check(changed, name: name) } catch { throw .write(error, name) }
      record.removeAll()
      StoredDocument.append(
        name: name, createTime: stored?.createTime ?? time, updateTime: time, fields: changed,
        to: &record)
      let target = put(number, in: &transaction)
      updateIndexes(of: name, from: stored, to: changed, record: target, in: &transaction)
      changes.note(name, from: stored, to: StoredDocument(ByteSlice(record)))
    }
  }

  /// Checks that a document is still the one that was read.
  mutating func verify(
    _ read: DocumentVersion, in transaction: borrowing WriteTransaction
  ) throws(DatabaseError) {
    var updateTime: Int64?
    if let collection = catalog.collections[read.name.parent] {
      setKey(collection, read.name)
      updateTime = transaction.value(for: key).flatMap { transaction.record($0) }
        .map { StoredDocument($0).updateTime }
    }
    if updateTime != read.updateTime { throw .contention(read.name) }
  }

  /// Stores the prepared record under the prepared key; answers its number.
  private mutating func put(
    _ number: UInt64?, in transaction: inout WriteTransaction
  ) -> UInt64 {
    if let number {
      transaction.replaceRecord(number, with: record)
      return number
    }
    let number = transaction.addRecord(record)
    transaction.insert(key, value: number)
    return number
  }

  private mutating func setKey(_ collection: UInt32, _ name: DocumentName) {
    key.removeAll()
    key.append(word: collection.bigEndian)
    KeyEncoding.append(id: name.id, to: &key)
  }

  private mutating func updateIndexes(
    of name: DocumentName, from old: StoredDocument?, to new: Fields?, record: UInt64,
    in transaction: inout WriteTransaction
  ) {
    for index in catalog.indexes(of: name.parent) {
      let before = old.map { old in index.definition.keys(of: name) { old[$0] } } ?? []
      let after = new.map { new in index.definition.keys(of: name) { new[$0] } } ?? []
      if before == after { continue }
      for suffix in before where !after.contains(suffix) {
        setKey(index.number, suffix: suffix)
        transaction.remove(key)
      }
      for suffix in after where !before.contains(suffix) {
        setKey(index.number, suffix: suffix)
        transaction.insert(key, value: record)
      }
    }
  }

  private mutating func setKey(_ index: UInt32, suffix: [UInt8]) {
    key.removeAll()
    key.append(word: index.bigEndian)
    key.append(suffix)
  }

  /// Builds an index that a query needs out of the documents that are there, and keeps it from then
  /// on.
  mutating func build(
    _ definition: IndexDefinition, from version: Version, in transaction: inout WriteTransaction
  ) {
    if catalog.number(of: definition) != nil { return }
    if definition.isPrimary, case .collection(let name) = definition.scope {
      _ = catalog.addCollection(name)
      return
    }
    let index = catalog.addIndex(definition)
    for (collection, number) in catalog.collections where definition.scope.contains(collection) {
      let all = ByteRange.starting(with: IndexCatalog.prefix(number))
      var cursor = TreeCursor(version, from: all.lower, to: all.upper ?? [], isReversed: false)
      while let record = cursor.next() {
        guard let bytes = version.record(record) else { continue }
        let document = StoredDocument(bytes)
        for suffix in definition.keys(of: document.name, { document[$0] }) {
          setKey(index, suffix: suffix)
          transaction.insert(key, value: record)
        }
      }
    }
  }
}
