package import StorageEngine

/// What `check` and `salvage` look at.
extension Database {
  /// How much there is.
  package struct Census: Hashable, Sendable {
    package var collections = 0
    package var documents = 0
    package var indexes = 0
    package var indexEntries = 0
  }

  /// Counts everything in the newest version and compares every index with the documents. What the files
  /// were found to lack is among what is wrong.
  ///
  /// - Returns: what is there, and what is wrong, a sentence each; none where all is well.
  /// - Complexity: O(n) in the documents and index entries.
  package func check() -> (census: Census, problems: [String]) {
    let snapshot = published.withLock { $0 }
    let version = snapshot.version
    var census = Census()
    var problems = version.violations(nodeCapacity: store.nodeCapacity)
    var expected: [UInt32: [[UInt8]: UInt64]] = [:]
    for (collection, number) in snapshot.catalog.collections {
      var cursor = TreeCursor(version, number)
      var isUsed = false
      while let record = cursor.next() {
        isUsed = true
        census.documents += 1
        guard let bytes = version.record(record) else {
          problems.append("a document of '\(collection)' has no record")
          continue
        }
        let document = StoredDocument(bytes)
        let found = ByteWriter.key(of: cursor)
        let key = ByteWriter.key(of: document.name, number)
        if document.name.parent != collection || !found.hasSameBytes(as: key) {
          problems.append("the document '\(document.name)' stands in another place than its name's")
        }
        for index in snapshot.catalog.indexes(of: collection) {
          for key in index.keys(of: document) {
            expected[index.number, default: [:]][key] = record
          }
        }
      }
      if isUsed { census.collections += 1 }
    }
    for index in snapshot.catalog.indexes {
      census.indexes += 1
      var missing = expected[index.number] ?? [:]
      var cursor = TreeCursor(version, index.number)
      while let record = cursor.next() {
        census.indexEntries += 1
        if missing.removeValue(forKey: ByteWriter.key(of: cursor).bytes) != record {
          problems.append("index \(index.number) has an entry that no document has")
        }
      }
      if !missing.isEmpty {
        problems.append("index \(index.number) lacks \(missing.count) entries of documents")
      }
    }
    do { try version.checkUndamaged() } catch { problems.append(error.description) }
    return (census, problems)
  }

  /// Hands every document that can be read in a damaged directory to `body`, in the order of the stored
  /// keys; the files stay as they are.
  ///
  /// - Returns: every place that could not be read.
  /// - Throws: `DatabaseError.storage` where nothing can be tried, or what `body` throws.
  package static func salvage(
    _ directory: String, in fileSystem: any FileSystem = DiskFileSystem(),
    _ body: (StoredDocument) throws -> Void
  ) throws -> [StorageError] {
    let (store, strays, problems): (OrderedStore, [ByteSlice], [StorageError])
    do throws(StorageError) {
      (store, strays, problems) = try OrderedStore.salvage(
        directory, in: fileSystem, keeper: DocumentKeeper())
    } catch { throw DatabaseError.storage(error) }
    let version = store.version
    let first = IndexCatalog.prefix(IndexCatalog.number + 1)
    var cursor = TreeCursor(
      version, from: first, to: [OrderedStore.derivedKeys], isReversed: false)
    var found = Set<DocumentName>()
    while let record = cursor.next() {
      guard let bytes = version.record(record) else { continue }
      let document = StoredDocument(bytes)
      if !strays.isEmpty { found.insert(document.name) }
      try body(document)
    }
    // A document says itself where it belongs; what the log has of it is newer.
    for stray in strays where StoredDocument.isWellFormed(stray) {
      let document = StoredDocument(stray)
      if found.insert(document.name).inserted { try body(document) }
    }
    return problems
  }
}

extension ByteSlice {
  /// Whether this key is one of the catalog, not of a document.
  var isOfCatalog: Bool { uint32(at: 0) == IndexCatalog.number }
}

extension TreeCursor {
  /// All keys under one number of the catalog.
  init(_ version: Version, _ number: UInt32) {
    let all = ByteRange.starting(with: IndexCatalog.prefix(number))
    self.init(version, from: all.lower, to: all.upper ?? [], isReversed: false)
  }
}

extension ByteWriter {
  /// The key that `cursor` returned last.
  fileprivate static func key(of cursor: TreeCursor) -> ByteWriter {
    var key = ByteWriter()
    cursor.appendKey(dropping: 0, to: &key)
    return key
  }

  /// Where a document of the collection `number` belongs.
  fileprivate static func key(of name: DocumentName, _ number: UInt32) -> ByteWriter {
    var key = ByteWriter()
    key.append(word: number.bigEndian)
    KeyEncoding.append(id: name.id, to: &key)
    return key
  }
}

extension IndexCatalog.Index {
  /// Every key that `document` must have.
  func keys(of document: StoredDocument) -> Set<[UInt8]> {
    let map = document.map
    if definition.containsField != nil {
      return definition.containsKeys(number: number, of: document.name) { map[$0]?.decoded }
    }
    var key = ByteWriter()
    let isWhole = definition.appendKey(number: number, of: document.name, to: &key) { field, key in
      guard let value = map[field]?.decoded else { return false }
      KeyEncoding.append(value, to: &key)
      return true
    }
    return isWhole ? [key.bytes] : []
  }
}
