import StorageEngine

/// The writes of one commit, applied within one transaction: documents, their orders and all indexes
/// together, or nothing where one of them is refused.
struct Commit: ~Copyable {
  private(set) var catalog: IndexCatalog
  private let time: Int64
  private var key = ByteWriter()
  private var record = ByteWriter()
  private var before = ByteWriter()
  private var after = ByteWriter()
  /// Where the last write went. Most commits stay in one collection.
  private var place: IndexCatalog.Place?
  private(set) var changes: ChangeRecord
  /// Whether the documents could be too large for one request.
  private let isLarge: Bool
  private var requestSize = 0
  private var transformCounts: [DocumentName: Int] = [:]

  /// A commit of `writeCount` writes.
  init(
    catalog: IndexCatalog, time: Int64, writeCount: Int = 0, notesChanges: Bool = false
  ) {
    self.catalog = catalog
    self.time = time
    isLarge = writeCount > 10
    changes = ChangeRecord(isWanted: notesChanges)
  }

  mutating func apply(
    _ write: Write, to transaction: inout WriteTransaction
  ) throws(DatabaseError) {
    let name = write.document
    let isChecked: Bool
    do { isChecked = try count(write) } catch { throw .write(error, name) }
    let place = place(of: name)
    setKey(place.number, name)
    let number = transaction.value(for: key)
    let stored = number.flatMap { transaction.record($0) }.map { StoredDocument($0) }
    try write.check(stored)
    switch write.operation {
    case .delete:
      guard let number, let stored else { return }
      try updateIndexes(
        place, of: name, from: stored, to: nil, record: number, in: &transaction)
      transaction.take(number, under: key)
      changes.note(name, from: stored, to: nil)
    case .update(_, let fields, let mask):
      let outcome = try write.outcome(fields, mask, on: stored, time: .commit(time))
      if outcome.isSame { return }
      let changed = outcome.fields
      if !isChecked {
        do { try DocumentLimits.check(changed, name: name) } catch { throw .write(error, name) }
      }
      record.removeAll()
      StoredDocument.append(
        name: name, createTime: stored?.createTime ?? time, updateTime: time, fields: changed,
        to: &record)
      if transaction.isLogged && !place.isStored { store(place, in: &transaction) }
      let target = transaction.put(record, under: key, replacing: number)
      try updateIndexes(
        place, of: name, from: stored, to: changed, touching: outcome.touched,
        record: target, in: &transaction)
      changes.note(name, from: stored, to: StoredDocument(ByteSlice(record)))
    }
  }

  private mutating func place(of name: DocumentName) -> IndexCatalog.Place {
    if let place, name.isChild(of: place.collection) { return place }
    let new = catalog.place(in: name.parent)
    place = new
    return new
  }

  /// Counts what the commit asks for, of which no more than one request can hold is allowed.
  ///
  /// - Returns: Whether the document that the write makes was found to be within all limits.
  ///
  /// Source: https://firebase.google.com/docs/firestore/quotas#writes_and_transactions
  private mutating func count(_ write: Write) throws(WriteError) -> Bool {
    if !write.transforms.isEmpty {
      let count = transformCounts[write.document, default: 0] + write.transforms.count
      transformCounts[write.document] = count
      if count > DocumentLimits.mostTransforms { throw .tooManyTransforms(count) }
    }
    guard isLarge, case .update(let name, let fields, let mask) = write.operation else {
      return false
    }
    // The fields of a whole document are looked at once for both.
    let isWhole = mask == nil && write.transforms.isEmpty
    let checked = isWhole ? try? DocumentLimits.check(fields, name: name) : nil
    requestSize += checked ?? DocumentLimits.size(of: fields, named: name)
    if requestSize > DocumentLimits.largestRequest {
      throw .requestTooLarge(bytes: requestSize)
    }
    return checked != nil
  }

  /// Checks that a document is still the one that was read.
  mutating func verify(
    _ read: DocumentVersion, in transaction: borrowing WriteTransaction
  ) throws(DatabaseError) {
    var updateTime: Int64?
    if let collection = catalog.number(of: read.name.parent) {
      setKey(collection, read.name)
      updateTime = transaction.value(for: key).flatMap { transaction.record($0) }
        .map { StoredDocument($0).updateTime }
    }
    if updateTime != read.updateTime { throw .contention(read.name) }
  }

  /// Notes in the store which number the documents of a collection stand under.
  private mutating func store(
    _ place: IndexCatalog.Place, in transaction: inout WriteTransaction
  ) {
    var key = ByteWriter(capacity: 64)
    IndexCatalog.append(keyOf: place.collection, to: &key)
    if transaction.value(for: key) == nil {
      var record = ByteWriter(capacity: 16)
      record.append(word: place.number.littleEndian)
      _ = transaction.put(record, under: key, replacing: nil)
    }
    catalog.noteStored(place.collection)
    self.place?.isStored = true
  }

  private mutating func setKey(_ collection: UInt32, _ name: DocumentName) {
    key.removeAll()
    key.append(word: collection.bigEndian)
    KeyEncoding.append(idOf: name, to: &key)
  }

  // MARK: Indexes

  /// Finds the document's key in `key` and leaves it there.
  private mutating func updateIndexes(
    _ place: IndexCatalog.Place, of name: DocumentName, from old: StoredDocument?, to new: Fields?,
    touching paths: [FieldReference]? = nil, record: UInt64,
    in transaction: inout WriteTransaction
  ) throws(DatabaseError) {
    if place.indexes.isEmpty { return }
    let oldMap = old?.map
    for index in place.indexes {
      if let paths, !index.definition.hasFields(touchedBy: paths) { continue }
      if index.definition.containsField != nil {
        try updateContains(index, name, oldMap, new, record, in: &transaction)
        setKey(place.number, name)
        continue
      }
      before.removeAll()
      after.removeAll()
      let had = oldMap.map { index.append(keyOf: name, $0, to: &before) } ?? false
      let has = new.map { index.append(keyOf: name, in: key, $0, to: &after) } ?? false
      if had && has && before.hasSameBytes(as: after) { continue }
      if had { transaction.remove(before) }
      if has { try insert(after, of: name, record, into: &transaction) }
    }
  }

  private mutating func updateContains(
    _ index: IndexCatalog.Index, _ name: DocumentName, _ old: EncodedMap?, _ new: Fields?,
    _ record: UInt64, in transaction: inout WriteTransaction
  ) throws(DatabaseError) {
    let before = old.map { old in
      index.definition.containsKeys(number: index.number, of: name) { old[$0]?.decoded }
    }
    let after = new.map { new in
      index.definition.containsKeys(number: index.number, of: name) { new[$0] }
    }
    for bytes in (before ?? []).subtracting(after ?? []) {
      setKey(bytes)
      transaction.remove(key)
    }
    for bytes in (after ?? []).subtracting(before ?? []) {
      setKey(bytes)
      try insert(key, of: name, record, into: &transaction)
    }
  }

  private mutating func setKey(_ bytes: [UInt8]) {
    key.removeAll()
    key.append(bytes)
  }

  private func insert(
    _ key: borrowing ByteWriter, of name: DocumentName, _ record: UInt64,
    into transaction: inout WriteTransaction
  ) throws(DatabaseError) {
    guard key.count <= WriteTransaction.longestKey else {
      throw .write(.indexEntryTooLarge(bytes: key.count), name)
    }
    transaction.insert(key, value: record)
  }

  /// Builds an index that a query needs out of the documents that are there, and keeps it from then
  /// on.
  ///
  /// - Throws: `DatabaseError.write` where an entry of a document would be too large.
  mutating func build(
    _ definition: IndexDefinition, from version: Version, in transaction: inout WriteTransaction
  ) throws(DatabaseError) {
    if catalog.number(of: definition) != nil { return }
    if definition.isPrimary, case .collection(let name) = definition.scope {
      _ = catalog.addCollection(name)
      return
    }
    let index = IndexCatalog.Index(number: catalog.addIndex(definition), definition: definition)
    var after = ByteWriter()
    for (collection, number) in catalog.collections where definition.scope.contains(collection) {
      let all = ByteRange.starting(with: IndexCatalog.prefix(number))
      var cursor = TreeCursor(version, from: all.lower, to: all.upper ?? [], isReversed: false)
      while let record = cursor.next() {
        guard let bytes = version.record(record) else { continue }
        let document = StoredDocument(bytes)
        if definition.containsField != nil {
          try updateContains(
            index, document.name, nil, document.fields, record, in: &transaction)
          continue
        }
        after.removeAll()
        guard index.append(keyOf: document.name, document.map, to: &after) else { continue }
        try insert(after, of: document.name, record, into: &transaction)
      }
    }
    if transaction.isLogged { catalog.store(index, in: &transaction) }
  }
}

extension IndexCatalog.Index {
  fileprivate func append(
    keyOf name: DocumentName, _ map: EncodedMap, to writer: inout ByteWriter
  ) -> Bool {
    definition.appendKey(number: number, of: name, to: &writer) { field, writer in
      guard let value = map[field] else { return false }
      KeyEncoding.append(value.decoded, to: &writer)
      return true
    }
  }

  /// `key` is that of the document in its collection: behind four bytes it has the encoded id.
  fileprivate func append(
    keyOf name: DocumentName, in key: borrowing ByteWriter, _ fields: Fields,
    to writer: inout ByteWriter
  ) -> Bool {
    let append = { (field: FieldReference, writer: inout ByteWriter) -> Bool in
      guard let value = fields[field] else { return false }
      KeyEncoding.append(value, to: &writer)
      return true
    }
    guard case .collection = definition.scope else {
      return definition.appendKey(number: number, of: name, to: &writer, append)
    }
    return definition.appendKey(
      number: number, name: { $0.append(key, from: 4) }, to: &writer, append)
  }
}
