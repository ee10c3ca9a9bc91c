package import StorageEngine

/// A database that is kept in a directory. Its checkpoints have the documents, the catalog and the
/// indexes, its log the documents alone: what the log has changed since is entered into the indexes again
/// when it is opened. An index that no checkpoint has is built when a query first needs it.
extension Database {
  /// The database in `directory`, made where there is none.
  ///
  /// - Returns: the database, and what was cut off the end of its log, if anything was.
  /// - Throws: `DatabaseError.storage`; then the files are as they were.
  /// - Complexity: O(n) in the collections and in the log since the last checkpoint.
  package static func open(
    _ directory: String, name: DatabaseName = DatabaseName(project: "feedstore"),
    options: StoreOptions = StoreOptions(), in fileSystem: any FileSystem = DiskFileSystem(),
    nodeCapacity: Int = 64, now: @escaping @Sendable () -> Int64
  ) throws(DatabaseError) -> (database: Database, notice: RecoveryNotice?) {
    var keeper = DocumentKeeper()
    do throws(StorageError) {
      let (store, notice) = try OrderedStore.open(
        directory, options: options, in: fileSystem, nodeCapacity: nodeCapacity, keeper: &keeper)
      return (try Database(name, store, keeper, directory, now), notice)
    } catch { throw .storage(error) }
  }

  /// The database in `directory`, whose files stay as they are. All of it is read and checked.
  ///
  /// - Throws: `DatabaseError.storage` where the files are damaged or another process owns them.
  /// - Complexity: O(n).
  package static func read(
    _ directory: String, name: DatabaseName = DatabaseName(project: "feedstore"),
    in fileSystem: any FileSystem = DiskFileSystem(), now: @escaping @Sendable () -> Int64 = { 0 }
  ) throws(DatabaseError) -> (database: Database, notice: RecoveryNotice?) {
    var keeper = DocumentKeeper()
    do throws(StorageError) {
      let (store, notice) = try OrderedStore.read(directory, in: fileSystem, keeper: &keeper)
      return (try Database(name, store, keeper, directory, now), notice)
    } catch { throw .storage(error) }
  }

  private convenience init(
    _ name: DatabaseName, _ store: OrderedStore, _ keeper: DocumentKeeper, _ directory: String,
    _ now: @escaping @Sendable () -> Int64
  ) throws(StorageError) {
    guard keeper.isConsistent else {
      throw .corrupt(
        file: directory, offset: 0, reason: "the stored catalog of collections contradicts itself")
    }
    self.init(
      name: name, store: store, catalog: keeper.catalog, lastCommit: store.version.stamp, now: now)
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
