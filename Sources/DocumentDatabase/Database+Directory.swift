package import StorageEngine

/// A database that is kept in a directory: its documents and the numbers of its collections. Indexes are
/// not stored; each is built from the documents when a query first needs it.
extension Database {
  /// The database in `directory`, made where there is none.
  ///
  /// - Returns: the database, and what was cut off the end of its log, if anything was.
  /// - Throws: `DatabaseError.storage`; then the files are as they were.
  /// - Complexity: O(n) in the stored documents and in the log since the last checkpoint.
  package static func open(
    _ directory: String, name: DatabaseName = DatabaseName(project: "feedstore"),
    options: StoreOptions = StoreOptions(), in fileSystem: any FileSystem = DiskFileSystem(),
    nodeCapacity: Int = 64, now: @escaping @Sendable () -> Int64
  ) throws(DatabaseError) -> (database: Database, notice: RecoveryNotice?) {
    var newest = Int64.min
    do throws(StorageError) {
      let (store, notice) = try OrderedStore.open(
        directory, options: options, in: fileSystem, nodeCapacity: nodeCapacity
      ) { key, record in Database.problem(with: key, record, &newest) }
      return (try Database(name, store, directory, newest, now), notice)
    } catch { throw .storage(error) }
  }

  /// A copy in memory of the database in `directory`, whose files stay as they are.
  ///
  /// - Throws: `DatabaseError.storage` where the files are damaged or another process owns them.
  package static func read(
    _ directory: String, name: DatabaseName = DatabaseName(project: "feedstore"),
    in fileSystem: any FileSystem = DiskFileSystem(), now: @escaping @Sendable () -> Int64 = { 0 }
  ) throws(DatabaseError) -> (database: Database, notice: RecoveryNotice?) {
    var newest = Int64.min
    do throws(StorageError) {
      let (store, notice) = try OrderedStore.read(directory, in: fileSystem) { key, record in
        Database.problem(with: key, record, &newest)
      }
      return (try Database(name, store, directory, newest, now), notice)
    } catch { throw .storage(error) }
  }

  private convenience init(
    _ name: DatabaseName, _ store: OrderedStore, _ directory: String, _ lastCommit: Int64,
    _ now: @escaping @Sendable () -> Int64
  ) throws(StorageError) {
    guard let catalog = IndexCatalog(storedIn: store.version) else {
      throw .corrupt(
        file: directory, offset: 0, reason: "the stored catalog of collections contradicts itself")
    }
    self.init(name: name, store: store, catalog: catalog, lastCommit: lastCommit, now: now)
  }

  /// What is wrong with a stored record; nil where it can be read. `newest` becomes the latest update
  /// time.
  private static func problem(
    with key: ByteSlice, _ record: ByteSlice, _ newest: inout Int64
  ) -> String? {
    guard key.count > 4 else { return "a key is too short" }
    if key.isOfCatalog {
      let path = key.string(4, key.count)
      let isName = (try? CollectionName(path: path))?.path.hasSameBytes(as: path) == true
      return isName && record.count == 4 ? nil : "a collection's entry cannot be read"
    }
    guard StoredDocument.isWellFormed(record) else { return "a document cannot be read" }
    newest = max(newest, StoredDocument(record).updateTime)
    return nil
  }

  // MARK: Upkeep

  /// Makes every commit durable that was made so far, whatever the durability is.
  package func synchronize() throws(DatabaseError) {
    do { try store.synchronize() } catch { throw .storage(error) }
  }

  /// Brings the state into one checkpoint and takes back the space of what was overwritten.
  package func compact() throws(DatabaseError) {
    do { try store.compact() } catch { throw .storage(error) }
  }

  /// Makes every commit durable and lets another owner have the directory. Reads go on; writes are
  /// refused.
  package func close() throws(DatabaseError) {
    do { try store.close() } catch { throw .storage(error) }
  }
}

extension IndexCatalog {
  /// The collections that `version` has noted; nil where two of them share a number.
  init?(storedIn version: Version) {
    var cursor = TreeCursor(version, IndexCatalog.number)
    var numbers = Set<UInt32>()
    while let record = cursor.next() {
      var path = ByteWriter(capacity: 64)
      cursor.appendKey(dropping: 4, to: &path)
      guard let number = version.record(record)?.uint32(at: 0), numbers.insert(number).inserted,
        restore(
          CollectionName(trusted: String(decoding: path.bytes, as: UTF8.self)), number: number)
      else { return nil }
    }
  }
}
