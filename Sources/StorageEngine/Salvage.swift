extension OrderedStore {
  /// Reads what can be read of a damaged store, and leaves its files as they are. Where something is
  /// missing, a record may be an older one, or one that was taken out since.
  ///
  /// - Returns: the records, in memory, and every place that could not be read.
  /// - Throws: `StorageError` where nothing can be tried: another owner has the store, or there is none.
  package static func salvage(
    _ directory: String, in fileSystem: any FileSystem = DiskFileSystem(),
    check: RecordCheck = { _, _ in nil }
  ) throws(StorageError) -> (store: OrderedStore, problems: [StorageError]) {
    let (listing, lock) = try StoreListing.ofExistingStore(directory, fileSystem)
    defer { withExtendedLifetime(lock) {} }
    let base = unsafe Version(number: 0, tree: nil, records: RecordTable())
    var transaction = WriteTransaction(base: base, freeNumbers: [], nodeCapacity: 64)
    var salvage = Salvage(listing)
    salvage.run(into: &transaction, check)
    let store = OrderedStore(
      transaction.commit(after: base), freeNumbers: transaction.freeNumbers, nodeCapacity: 64,
      files: nil)
    return (store, salvage.problems)
  }
}

/// Reading past what cannot be read.
private struct Salvage: ~Copyable {
  private let listing: StoreListing
  private(set) var problems: [StorageError] = []
  private var applier = OperationApplier()
  /// The commit that should come next.
  private var next: UInt64 = 1

  init(_ listing: StoreListing) { self.listing = listing }

  mutating func run(into transaction: inout WriteTransaction, _ check: OrderedStore.RecordCheck) {
    for sequence in listing.checkpoints.reversed() {
      do throws(StorageError) {
        let path = listing.path(.checkpoint, sequence)
        var reader = try CheckpointReader(path, in: listing.fileSystem)
        next = sequence
        readBlocks(of: &reader, path, into: &transaction, check)
        break
      } catch { problems.append(error) }
    }
    let start = next
    for (index, log) in listing.logs.enumerated() {
      // A log ends where the next one starts.
      if index + 1 < listing.logs.count && listing.logs[index + 1] <= start { continue }
      if log > next {
        problems.append(
          .missing(file: listing.path(.log, next), reason: "it has the commits from there on"))
      }
      do throws(StorageError) {
        var reader = try LogReader(listing.path(.log, log), in: listing.fileSystem)
        next = log
        try readFrames(of: &reader, from: start, into: &transaction, check)
      } catch { problems.append(error) }
    }
  }

  private mutating func readBlocks(
    of reader: inout CheckpointReader, _ path: String, into transaction: inout WriteTransaction,
    _ check: OrderedStore.RecordCheck
  ) {
    var hasMore = true
    while hasMore {
      let offset = reader.offset
      do throws(StorageError) {
        hasMore = try reader.readBlock { key, record throws(StorageError) in
          do throws(StorageError) {
            try applier.put(key, record, into: &transaction, check, at: (path, offset))
          } catch { problems.append(error) }
        }
      } catch {
        problems.append(error)
        // Where the length of a block is damaged, nobody knows where the next one is.
        if reader.offset == offset { return }
      }
    }
  }

  private mutating func readFrames(
    of reader: inout LogReader, from start: UInt64, into transaction: inout WriteTransaction,
    _ check: OrderedStore.RecordCheck
  ) throws(StorageError) {
    while true {
      let offset = reader.offset
      switch try reader.next(next) {
      case .end: return
      case .frame(let frame):
        next += 1
        guard frame.header.sequence >= start else { continue }
        do throws(StorageError) {
          try applier.apply(frame, into: &transaction, check, at: (reader.reader.path, offset))
        } catch { problems.append(error) }
      case .unreadable(let reason):
        problems.append(reader.reader.damage(at: offset, reason))
        let expected = next
        let found = try reader.findHeader(from: offset + 1) { $0.sequence > expected }
        guard let found else { return }
        next = found.header.sequence
        reader.skip(to: found.offset)
      }
    }
  }
}
