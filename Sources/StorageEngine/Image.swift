#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif
import Synchronization

/// A checkpoint in memory, read where it stands. Every version that is based on it holds it.
///
/// Nothing in it is relied on before it was checked: a node, a page of the table of records or a record
/// is checked when it is first touched, its checksum and all that reading it takes for granted, and a bit
/// notes that it was. What turns out to be damaged is read as if it were not there and noted: whoever
/// reads through a version must ask `Version.checkUndamaged()` before he hands out what he found.
///
/// Invariant of the unsafe code here: `bits` has a bit for every record, by its number, and behind them one
/// for every eight bytes of the rest of the file, by the offset; it is set only where an object was found
/// to be whole. Pages and nodes stand in different parts of the file, so a bit says of which kind it is.
@safe
final class Image: @unchecked Sendable {
  let path: String
  let header: ImageHeader
  let mapping: MappedBytes
  let bits: UnsafeMutablePointer<Atomic<UInt64>>
  private let isReadable: @Sendable (ByteSlice) -> Bool
  private let isDamaged = Atomic<Bool>(false)
  private let damage = Guarded<StorageError?>(nil)
  /// How many objects were checked.
  private let checked = Atomic<Int>(0)

  /// Maps the checkpoint at `path`; `isReadable` decides whether a record can be what readers take it
  /// for.
  init(
    _ path: String, in fileSystem: any FileSystem,
    isReadable: @escaping @Sendable (ByteSlice) -> Bool
  ) throws(StorageError) {
    mapping = try fileSystem.map(path)
    header = try unsafe ImageHeader(
      mapping.prefix(ImageHeader.size), of: path, count: mapping.bytes.count)
    // The system gives zeros, and memory for them only where a bit is set.
    let marks = header.mark(ofOffset: header.byteCount) + 1
    guard let bits = unsafe calloc(marks / 64 + 1, 8) else {
      throw .failed(file: path, operation: "map", reason: "there is no memory left")
    }
    unsafe self.bits = unsafe bits.assumingMemoryBound(to: Atomic<UInt64>.self)
    self.path = path
    self.isReadable = isReadable
  }

  deinit { unsafe free(bits) }

  var base: UnsafeRawPointer {
    // A file with a header is not empty.
    unsafe mapping.bytes.baseAddress.unsafelyUnwrapped
  }

  var view: ImageView {
    unsafe ImageView(
      base: base, bits: bits, recordCount: UInt64(header.recordCount),
      pagesStart: header.pagesStart, firstMark: header.mark(ofOffset: header.pagesStart),
      image: self)
  }

  /// How many objects were found to be whole so far.
  var checkedCount: Int { checked.load(ordering: .relaxed) }

  // MARK: Damage

  var hasDamage: Bool { isDamaged.load(ordering: .acquiring) }

  /// What was found first, if anything was.
  var foundDamage: StorageError? { hasDamage ? damage.withLock { $0 } : nil }

  func note(damageAt offset: Int, _ reason: String) {
    damage.withLock { damage in
      if damage == nil { damage = .corrupt(file: path, offset: offset, reason: reason) }
    }
    isDamaged.store(true, ordering: .releasing)
  }

  // MARK: First touch

  private func remember(_ mark: Int) {
    checked.wrappingAdd(1, ordering: .relaxed)
    unsafe bits[mark >> 6].bitwiseOr(1 << UInt64(mark & 63), ordering: .relaxed)
  }

  /// Checks the node at `offset`, which is inside the part of the nodes.
  func admitsNode(_ offset: Int) -> Bool {
    if let reason = problem(ofNodeAt: offset) {
      note(damageAt: offset, reason)
      return false
    }
    remember(header.mark(ofOffset: offset))
    return true
  }

  /// Checks the page of the table of records at `offset`, which is there.
  func admitsPage(_ offset: Int) -> Bool {
    if let reason = problem(ofPageAt: offset) {
      note(damageAt: offset, reason)
      return false
    }
    remember(header.mark(ofOffset: offset))
    return true
  }

  /// Checks the record `number` at `offset`, which is inside the part of the records; `isRaw` leaves out
  /// whether it is one for readers, and does not set its bit.
  func admitsRecord(_ number: UInt64, at offset: Int, isRaw: Bool) -> Bool {
    if let reason = problem(ofRecordAt: offset) {
      note(damageAt: offset, reason)
      return false
    }
    if isRaw { return true }
    let record = unsafe MappedBytes.copy(of: RecordTable.bytes(at: base + offset))
    guard isReadable(record) else {
      note(damageAt: offset, "a record cannot be read")
      return false
    }
    remember(Int(number))
    return true
  }
}

/// An image as readers touch it: its address and its bits at hand, without a reference count.
///
/// Invariant of the unsafe code here: whoever has one holds the image, through a version.
@unsafe
struct ImageView {
  let base: UnsafeRawPointer
  let bits: UnsafeMutablePointer<Atomic<UInt64>>
  let recordCount: UInt64
  let pagesStart: Int
  /// That of the first page of the table.
  let firstMark: Int
  unowned(unsafe) let image: Image

  private func isMarked(_ mark: Int) -> Bool {
    let word = unsafe bits[mark >> 6].load(ordering: .relaxed)
    return word >> UInt64(mark & 63) & 1 != 0
  }

  /// Whether the page or node at `offset` was found to be whole.
  private func knows(_ offset: Int) -> Bool {
    unsafe isMarked(firstMark + (offset - pagesStart) >> 3)
  }

  /// The node at `offset`, to which a node that was checked refers; an empty leaf where it is damaged.
  func node(_ offset: Int, level: Int, total: Int) -> TreeNode {
    if unsafe knows(offset) || image.admitsNode(offset) {
      let node = unsafe TreeNode(base: UnsafeMutableRawPointer(mutating: base + offset))
      // Each level is one lower than the one above, and every rank below a total is in some leaf.
      if unsafe node.level == level && node.total == total { return unsafe node }
      unsafe image.note(damageAt: offset, "a node is not what the node above says")
    }
    return unsafe TreeNode.empty
  }

  /// The record `number`, which is below `recordCount`; nil where it is damaged.
  func record(_ number: UInt64, isRaw: Bool) -> UnsafeRawPointer? {
    guard let offset = unsafe offset(ofRecord: number) else { return nil }
    if unsafe !isRaw && isMarked(Int(number))
      || image.admitsRecord(number, at: offset, isRaw: isRaw)
    {
      return unsafe base + offset
    }
    return nil
  }

  private func offset(ofRecord number: UInt64) -> Int? {
    let page = unsafe pagesStart + Int(number >> 7) * ImageHeader.pageSize
    guard unsafe knows(page) || image.admitsPage(page) else { return nil }
    return unsafe ImageView.offset(ofSlot: Int(number & 127), inPageAt: base + page)
  }

  static func offset(ofSlot slot: Int, inPageAt page: UnsafeRawPointer) -> Int {
    let start = unsafe page.load(fromByteOffset: 8, as: UInt64.self)
    let distance = unsafe page.load(fromByteOffset: 16 + slot * 4, as: UInt32.self)
    return Int(truncatingIfNeeded: start) + Int(distance) << 3
  }
}

extension TreeNode {
  /// Stands where a node is damaged.
  ///
  /// Invariant of the unsafe code here: it is made once, never written and never freed.
  nonisolated(unsafe) static let empty: TreeNode = {
    let nothing = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    return unsafe allocate(
      owner: 0, level: 0, prefix: nothing, room: Room(slots: 4, keyBytes: 0))
  }()
}

extension Version {
  /// Where something was damaged that was read through this version, or another one of the same image,
  /// what was found instead must not be handed out.
  ///
  /// - Throws: `StorageError.corrupt`.
  package func checkUndamaged() throws(StorageError) {
    if let damage = image?.foundDamage { throw damage }
  }

  /// How many objects of the image were checked so far; 0 where there is none.
  package var checkedObjects: Int { image?.checkedCount ?? 0 }
}
