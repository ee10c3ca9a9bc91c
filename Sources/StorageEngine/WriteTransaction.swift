/// The changes between one version and the next. Reads see the changes made so far.
@safe
package struct WriteTransaction: ~Copyable {
  /// The version's number that this transaction will have.
  package let number: UInt64
  /// What the version notes; that of the version before unless it is set.
  package var stamp: Int64
  private let image: Image?
  private let view: ImageView?
  private var tree: TreeWriter
  private var records: RecordTable
  private(set) var freeNumbers: [UInt64]
  private var retiredPages: [UnsafeMutableRawPointer] = unsafe []
  private var retiredRecords: [UnsafeMutableRawPointer] = unsafe []
  private var freshRecords: [UnsafeMutableRawPointer] = unsafe []
  /// The commit as the log will hold it; nil where there is no log.
  private var frame: ByteWriter?

  init(base: Version, freeNumbers: [UInt64], nodeCapacity: Int, isLogged: Bool = false) {
    if isLogged {
      var frame = ByteWriter()
      FrameHeader.reserve(in: &frame)
      self.frame = consume frame
    }
    number = base.number + 1
    stamp = base.stamp
    image = base.image
    unsafe view = unsafe base.view
    unsafe tree = unsafe TreeWriter(
      root: base.tree, owner: number, capacity: nodeCapacity, image: base.view)
    unsafe records = unsafe base.records
    self.freeNumbers = freeNumbers
  }

  /// The longest key there can be.
  package static let longestKey = 32_767

  /// Sets the value of `key` and returns the one it had.
  ///
  /// - Complexity: O(log n).
  @discardableResult
  package mutating func insert(_ key: borrowing ByteWriter, value: UInt64) -> UInt64? {
    precondition(key.count <= WriteTransaction.longestKey, "the caller checks the length of keys")
    return unsafe tree.insert(key.raw, value: value)
  }

  /// Takes `key` out and returns the value it had.
  ///
  /// - Complexity: O(log n).
  @discardableResult
  package mutating func remove(_ key: borrowing ByteWriter) -> UInt64? {
    unsafe tree.remove(key.raw)
  }

  package func value(for key: borrowing ByteWriter) -> UInt64? {
    unsafe tree.root?.value(for: key.raw, in: view)
  }

  /// A copy of the record `number`; nil where there is none.
  package func record(_ number: UInt64) -> ByteSlice? { unsafe records.copy(number, in: view) }

  /// As `record(_:)`, also of records that are not for readers.
  func note(_ number: UInt64) -> ByteSlice? {
    unsafe records.copy(number, in: view, isRaw: true)
  }

  /// Whether what is put and taken is also written to a log.
  package var isLogged: Bool { frame != nil }

  /// Stores `record` under `key`, in place of the record `number` that stands there; answers its
  /// number. This is what a store in a directory keeps.
  package mutating func put(
    _ record: borrowing ByteWriter, under key: borrowing ByteWriter, replacing number: UInt64?
  ) -> UInt64 {
    frame?.append(putting: record, under: key)
    if let number {
      replaceRecord(number, with: record)
      return number
    }
    let number = addRecord(record)
    insert(key, value: number)
    return number
  }

  /// Takes out `key` and the record `number` that stands under it.
  package mutating func take(_ number: UInt64, under key: borrowing ByteWriter) {
    frame?.append(removing: key)
    remove(key)
    removeRecord(number)
  }

  /// Stores a new record and returns its number.
  package mutating func addRecord(_ bytes: borrowing ByteWriter) -> UInt64 {
    let number = unsafe freeNumbers.popLast() ?? records.end
    unsafe set(number, to: allocateRecord(bytes))
    return number
  }

  /// Replaces the record `number`, which exists.
  package mutating func replaceRecord(_ number: UInt64, with bytes: borrowing ByteWriter) {
    if let old = unsafe records.record(number) { unsafe retiredRecords.append(old) }
    unsafe set(number, to: allocateRecord(bytes))
  }

  /// Takes the record `number` out; the number will be given to another record.
  package mutating func removeRecord(_ number: UInt64) {
    guard unsafe records.has(number, in: view) else { return }
    if let old = unsafe records.record(number) { unsafe retiredRecords.append(old) }
    let isOfImage = unsafe number < view?.recordCount ?? 0
    unsafe set(number, to: isOfImage ? RecordTable.gone : nil)
    freeNumbers.append(number)
  }

  private mutating func set(_ number: UInt64, to record: UnsafeMutableRawPointer?) {
    unsafe records.set(number, to: record, owner: self.number, retired: &retiredPages)
  }

  private mutating func allocateRecord(_ bytes: borrowing ByteWriter) -> UnsafeMutableRawPointer {
    let record = UnsafeMutableRawPointer.allocate(byteCount: 8 + bytes.count, alignment: 8)
    unsafe record.storeBytes(of: UInt32(bytes.count), as: UInt32.self)
    unsafe (record + 8).copyMemory(from: bytes.base, byteCount: bytes.count)
    unsafe freshRecords.append(record)
    return unsafe record
  }

  /// The commit as the log will hold it; nil where nothing is to be logged.
  mutating func takeFrame() -> ByteWriter? {
    guard let frame = frame.take(), frame.count > FileFormat.frameHeaderSize else { return nil }
    return consume frame
  }

  /// Where the image was found to be damaged, a transaction that may have read there is not committed.
  var foundDamage: StorageError? { image?.foundDamage }

  func commit(after base: Version) -> Version {
    let next = unsafe Version(
      number: number, stamp: stamp, tree: tree.root, records: records, image: image)
    unsafe base.succeed(
      by: next,
      retiring: .init(nodes: tree.retired, pages: retiredPages, records: retiredRecords))
    return next
  }

  /// Frees everything this transaction made; nothing of it was published.
  func abort() {
    unsafe tree.root?.freeAll(ownedBy: number)
    unsafe records.freeAll(ownedBy: number)
    unsafe freshRecords.forEach { unsafe $0.deallocate() }
  }
}
