import StorageEngine

/// What a store is told of documents while it is opened. It collects the catalog, and enters into the
/// indexes of the checkpoint what the log has changed since.
struct DocumentKeeper: RecordKeeper {
  private(set) var catalog = IndexCatalog()
  /// Whether no two collections share a number.
  private(set) var isConsistent = true
  /// The numbers of the collections; nil until the log has one.
  private var numbers: Set<UInt32>?

  static func isReadable(_ record: ByteSlice) -> Bool { StoredDocument.isWellFormed(record) }

  func problem(with record: ByteSlice, under key: ByteSlice) -> String? {
    guard key.count > 4 else { return "a key is too short" }
    if key.isOfCatalog {
      let path = key.string(4, key.count)
      let isName = (try? CollectionName(path: path))?.path.hasSameBytes(as: path) == true
      return isName && record.count == 4 ? nil : "a collection's entry cannot be read"
    }
    return StoredDocument.isWellFormed(record) ? nil : "a document cannot be read"
  }

  mutating func start(with version: Version) -> String? {
    guard let stored = IndexCatalog(storedIn: version) else {
      return "the stored catalog contradicts itself"
    }
    catalog = stored
    return nil
  }

  mutating func follow(_ change: RecordChange, in transaction: inout WriteTransaction) {
    guard !change.key.isOfCatalog else { return note(change) }
    if let after = change.after {
      transaction.stamp = max(transaction.stamp, StoredDocument(after).updateTime)
    }
    // What was there before is a document too, but for a store that was made to do harm.
    let before = change.before.flatMap {
      StoredDocument.isWellFormed($0) ? StoredDocument($0) : nil
    }
    let after = change.after.map { StoredDocument($0) }
    guard let name = (after ?? before)?.name else { return }
    var key = ByteWriter()
    for index in catalog.indexes(of: name.parent) {
      let old = before.map { index.keys(of: $0) } ?? []
      let new = after.map { index.keys(of: $0) } ?? []
      for bytes in old.subtracting(new) {
        key.removeAll()
        key.append(bytes)
        transaction.remove(key)
      }
      for bytes in new.subtracting(old) where bytes.count <= WriteTransaction.longestKey {
        key.removeAll()
        key.append(bytes)
        transaction.insert(key, value: change.number)
      }
    }
  }

  private mutating func note(_ change: RecordChange) {
    guard let number = change.after?.uint32(at: 0) else { return }
    let name = CollectionName(trusted: change.key.string(4, change.key.count))
    if let known = catalog.number(of: name) {
      if known != number { isConsistent = false }
    } else {
      var used = numbers.take() ?? Set(catalog.collections.map(\.number))
      let isFree = used.insert(number).inserted
      if !isFree || !catalog.restore(name, number: number) { isConsistent = false }
      numbers = used
    }
  }
}
