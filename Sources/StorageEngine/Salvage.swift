extension OrderedStore {
  /// Reads what can be read of a damaged store, and leaves its files as they are. Where something is
  /// missing, a record may be an older one, or one that was taken out since.
  ///
  /// - Returns: the records, in memory, those whose keys were lost, and every place that could not be
  ///   read.
  /// - Throws: `StorageError` where nothing can be tried: another owner has the store, or there is none.
  package static func salvage(
    _ directory: String, in fileSystem: any FileSystem = DiskFileSystem(),
    keeper: some RecordKeeper = AnyRecords()
  ) throws(StorageError) -> (store: OrderedStore, strays: [ByteSlice], problems: [StorageError]) {
    let (listing, lock) = try StoreListing.ofExistingStore(directory, fileSystem)
    defer { withExtendedLifetime(lock) {} }
    let base = Version()
    var transaction = WriteTransaction(base: base, freeNumbers: [], nodeCapacity: 64)
    var salvage = Salvage(listing, KeptRecords(keeper))
    salvage.run(into: &transaction)
    let store = OrderedStore(
      transaction.commit(after: base), freeNumbers: transaction.freeNumbers, nodeCapacity: 64,
      files: nil)
    return (store, salvage.strays, salvage.problems)
  }
}

/// Knows records as another keeper does, and derives nothing.
private struct KeptRecords<Keeper: RecordKeeper>: RecordKeeper {
  let keeper: Keeper

  init(_ keeper: Keeper) { self.keeper = keeper }

  static func isReadable(_ record: ByteSlice) -> Bool { Keeper.isReadable(record) }
  func problem(with record: ByteSlice, under key: ByteSlice) -> String? {
    keeper.problem(with: record, under: key)
  }
  mutating func start(with version: Version) -> String? { nil }
  mutating func follow(_ change: RecordChange, in transaction: inout WriteTransaction) {}
}

/// Reading past what cannot be read.
private struct Salvage<Keeper: RecordKeeper>: ~Copyable {
  private let listing: StoreListing
  private(set) var problems: [StorageError] = []
  private(set) var strays: [ByteSlice] = []
  private var applier = OperationApplier()
  private var keeper: Keeper
  /// The commit that should come next.
  private var next: UInt64 = 1

  init(_ listing: StoreListing, _ keeper: Keeper) {
    self.listing = listing
    self.keeper = keeper
  }

  mutating func run(into transaction: inout WriteTransaction) {
    for sequence in listing.checkpoints.reversed() {
      do throws(StorageError) {
        let path = listing.path(.checkpoint, sequence)
        let image = try Image(path, in: listing.fileSystem, isReadable: { _ in true })
        next = sequence
        read(image, into: &transaction)
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
        try readFrames(of: &reader, from: start, into: &transaction)
      } catch { problems.append(error) }
    }
  }

  /// Takes every leaf and every record that is whole; a record under no stored key is a stray.
  private mutating func read(_ image: Image, into transaction: inout WriteTransaction) {
    var hasKey = Set<UInt64>()
    let leaves = image.wholeLeaves { problems.append($0) }
    var records: [UInt64: ByteSlice] = [:]
    image.wholeRecords(found: { records[$0] = $1 }, damage: { problems.append($0) })
    for entry in leaves {
      guard let first = entry.key.first, first < OrderedStore.derivedKeys else { continue }
      hasKey.insert(entry.number)
      guard let record = records[entry.number] else { continue }
      do throws(StorageError) {
        try applier.put(
          ByteSlice(entry.key), record, into: &transaction, &keeper, at: (image.path, 0))
      } catch { problems.append(error) }
    }
    strays = records.filter { !hasKey.contains($0.key) }.sorted { $0.key < $1.key }.map(\.value)
  }

  private mutating func readFrames(
    of reader: inout LogReader, from start: UInt64, into transaction: inout WriteTransaction
  ) throws(StorageError) {
    while true {
      let offset = reader.offset
      switch try reader.next(next) {
      case .end: return
      case .frame(let frame):
        next += 1
        guard frame.header.sequence >= start else { continue }
        do throws(StorageError) {
          try applier.apply(
            frame, into: &transaction, &keeper, at: (reader.reader.path, offset))
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
