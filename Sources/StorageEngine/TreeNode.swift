#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// One node of the tree in raw memory.
///
///     header | heads | values | counts (inner nodes) | offsets | lengths | free ... | keys | prefix
///
/// All keys of a node share `prefix`, stored once; what follows it is the key's suffix. `heads` holds
/// the first eight bytes of each suffix as a big-endian number, so that a search compares numbers in
/// one array and reads key bytes only where heads are equal. In an inner node an entry's key is the
/// lower bound of its child, except that the first child has no lower bound and its suffix is empty;
/// `counts` says how many entries each child holds. A child is named by its address or, where it stands
/// in the image that the version is based on, by its offset there times two plus one.
///
/// A node that stands in an image belongs to no transaction: its owner is 0. It has no free bytes, and
/// `slotCapacity` 0 where it is a leaf in the tight layout of `TreeNode+Tight.swift`.
///
/// Invariant of the unsafe code here: `base` points at `byteCount` bytes laid out as above; those of an
/// image were checked to be before a node is made of them. A node is written only while `owner` is the
/// number of the transaction that runs, which is before any other thread can reach it; from then on it
/// never changes and is freed once no version reaches it.
@unsafe
struct TreeNode {
  let base: UnsafeMutableRawPointer

  /// How many slots and key bytes a new node should have room for.
  struct Room {
    var slots: Int
    var keyBytes: Int
  }

  enum Offset {
    static let owner = 0
    static let count = 8
    static let level = 12
    static let prefixCount = 16
    static let slotCapacity = 20
    static let heapStart = 24
    /// In an image, which has no free bytes.
    static let checksum = 24
    static let byteCount = 28
    static let header = 32
  }

  static let slotSize = 8 + 8 + 4 + 2
  static let countSize = 8

  static func allocate(
    owner: UInt64, level: Int, prefix: UnsafeRawBufferPointer, room: Room
  ) -> TreeNode {
    let slots = (room.slots + 3) & ~3
    let perSlot = unsafe slotSize + (level > 0 ? countSize : 0)
    let needed = Offset.header + slots * perSlot + room.keyBytes + prefix.count
    let byteCount = (needed + NodeMemory.grain - 1) / NodeMemory.grain * NodeMemory.grain
    let node = unsafe TreeNode(base: NodeMemory.take(byteCount))
    unsafe node.base.storeBytes(of: owner, toByteOffset: Offset.owner, as: UInt64.self)
    unsafe node.setField(0, at: Offset.count)
    unsafe node.setField(level, at: Offset.level)
    unsafe node.setField(prefix.count, at: Offset.prefixCount)
    unsafe node.setField(slots, at: Offset.slotCapacity)
    unsafe node.setField(byteCount, at: Offset.byteCount)
    unsafe node.setField(byteCount - prefix.count, at: Offset.heapStart)
    if let address = prefix.baseAddress, prefix.count > 0 {
      unsafe (node.base + (byteCount - prefix.count)).copyMemory(
        from: address, byteCount: prefix.count)
    }
    return unsafe node
  }

  func free() { unsafe NodeMemory.give(base, byteCount) }

  // MARK: Header

  var owner: UInt64 { unsafe base.load(fromByteOffset: Offset.owner, as: UInt64.self) }
  var count: Int { unsafe field(Offset.count) }
  var level: Int { unsafe field(Offset.level) }
  var isLeaf: Bool { unsafe level == 0 }
  var byteCount: Int { unsafe field(Offset.byteCount) }
  /// Whether this node stands in an image, where nobody writes it.
  var isMapped: Bool { unsafe owner == 0 }
  var prefixCount: Int { unsafe field(Offset.prefixCount) }
  var slotCapacity: Int { unsafe field(Offset.slotCapacity) }
  var heapStart: Int { unsafe field(Offset.heapStart) }

  var prefix: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: base + (byteCount - prefixCount), count: prefixCount)
  }

  private func field(_ offset: Int) -> Int {
    unsafe Int(truncatingIfNeeded: base.load(fromByteOffset: offset, as: UInt32.self))
  }

  private func setField(_ value: Int, at offset: Int) {
    unsafe base.storeBytes(
      of: UInt32(truncatingIfNeeded: value), toByteOffset: offset, as: UInt32.self)
  }

  // MARK: Arrays

  var heads: UnsafeMutablePointer<UInt64> {
    unsafe (base + Offset.header).assumingMemoryBound(to: UInt64.self)
  }
  var values: UnsafeMutablePointer<UInt64> { unsafe heads + slotCapacity }
  var counts: UnsafeMutablePointer<UInt64> { unsafe values + slotCapacity }
  var offsets: UnsafeMutablePointer<UInt32> {
    unsafe UnsafeMutableRawPointer(isLeaf ? counts : counts + slotCapacity)
      .assumingMemoryBound(to: UInt32.self)
  }
  var lengths: UnsafeMutablePointer<UInt16> {
    unsafe UnsafeMutableRawPointer(offsets + slotCapacity).assumingMemoryBound(to: UInt16.self)
  }
  var heapFloor: Int {
    unsafe Offset.header + slotCapacity * (TreeNode.slotSize + (isLeaf ? 0 : TreeNode.countSize))
  }

  /// The value of a leaf's entry.
  func value(at index: Int) -> UInt64 {
    unsafe isTight ? UInt64(tightValues[index]) : values[index]
  }
  func setValue(_ value: UInt64, at index: Int) { unsafe values[index] = value }

  /// How the child at `index` is named.
  func reference(at index: Int) -> UInt64 { unsafe values[index] }

  /// The child at `index`, which may stand in `image`; an empty leaf where it is damaged there.
  func child(at index: Int, in image: ImageView?) -> TreeNode {
    let reference = unsafe values[index]
    // A child's address was never zero, and no node refers to an image that its version does not hold.
    if reference & 1 == 0 {
      return unsafe TreeNode(
        base: UnsafeMutableRawPointer(bitPattern: UInt(reference)).unsafelyUnwrapped)
    }
    return unsafe image.unsafelyUnwrapped.node(
      Int(reference >> 1), level: level - 1, total: total(at: index))
  }

  func setChild(_ child: TreeNode, total: Int, at index: Int) {
    unsafe values[index] = unsafe UInt64(UInt(bitPattern: child.base))
    unsafe counts[index] = UInt64(total)
  }

  /// How many entries the leaves below the child at `index` hold.
  func total(at index: Int) -> Int { unsafe Int(truncatingIfNeeded: counts[index]) }

  /// How many entries the leaves below this node hold.
  var total: Int {
    if unsafe isLeaf { return unsafe count }
    // A node in an image has it in the slot behind its children.
    return unsafe isMapped ? total(at: count) : total(before: count)
  }

  /// How many entries the leaves below the children before `index` hold.
  func total(before index: Int) -> Int {
    let counts = unsafe counts
    var sum: UInt64 = 0
    for position in 0..<index { unsafe sum &+= counts[position] }
    return Int(truncatingIfNeeded: sum)
  }

  /// How long the suffix at `index` is.
  func suffixCount(at index: Int) -> Int {
    unsafe isTight ? tightSuffixCount(at: index) : Int(lengths[index])
  }

  /// Where the suffix at `index` goes on behind its head; nothing stands there where that is all.
  func tail(at index: Int) -> UnsafeMutableRawPointer {
    unsafe isTight ? tightTail(at: index) : base + (Int(offsets[index]) + 8)
  }

  /// Hands the suffix at `index` to `body`.
  func withSuffix<Result>(at index: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    if unsafe isTight { return unsafe withTightSuffix(at: index, body) }
    return unsafe body(
      UnsafeRawBufferPointer(start: base + Int(offsets[index]), count: Int(lengths[index])))
  }

  func keyCount(at index: Int) -> Int { unsafe prefixCount + suffixCount(at: index) }

  // MARK: Search

  /// Where `key` compares with this node's prefix: -1 before it, 1 after it, 0 sharing it.
  private func comparePrefix(_ key: UnsafeRawBufferPointer) -> Int {
    let prefixCount = unsafe prefixCount
    guard prefixCount > 0 else { return 0 }
    guard let address = key.baseAddress else { return -1 }
    let order = unsafe memcmp(
      address, base + (byteCount - prefixCount), min(key.count, prefixCount))
    if order != 0 { return order < 0 ? -1 : 1 }
    return key.count < prefixCount ? -1 : 0
  }

  /// The first index whose key is not below `key`, and whether it equals `key`. Inner nodes are
  /// searched from 1: their first key is no bound.
  func lowerBound(
    _ key: UnsafeRawBufferPointer, from first: Int = 0
  ) -> (index: Int, isEqual: Bool) {
    switch unsafe comparePrefix(key) {
    case -1: return (first, false)
    case 1: return unsafe (count, false)
    default: break
    }
    let suffix = unsafe UnsafeRawBufferPointer(rebasing: key[prefixCount...])
    let head = unsafe TreeNode.head(of: suffix)
    let heads = unsafe heads
    var low = first
    var high = unsafe count
    while low < high {
      let middle = (low + high) >> 1
      let other = unsafe heads[middle]
      if unsafe other < head || (other == head && compareTail(at: middle, suffix) < 0) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    let isEqual = unsafe low < count && heads[low] == head && compareTail(at: low, suffix) == 0
    return (low, isEqual)
  }

  /// The child whose range holds `key`.
  func childIndex(for key: UnsafeRawBufferPointer) -> Int {
    let (index, isEqual) = unsafe lowerBound(key, from: 1)
    return isEqual ? index : index - 1
  }

  /// The order of the suffix at `index` and `suffix`, whose heads are equal.
  private func compareTail(at index: Int, _ suffix: UnsafeRawBufferPointer) -> Int {
    let length = unsafe suffixCount(at: index)
    let common = min(length, suffix.count)
    if common > 8, let address = suffix.baseAddress {
      let order = unsafe memcmp(tail(at: index), address + 8, common - 8)
      if order != 0 { return Int(order) }
    }
    return length - suffix.count
  }

  static func head(of suffix: UnsafeRawBufferPointer) -> UInt64 {
    if suffix.count >= 8 { return unsafe UInt64(bigEndian: suffix.loadUnaligned(as: UInt64.self)) }
    var head: UInt64 = 0
    for index in suffix.indices { unsafe head = head << 8 | UInt64(suffix[index]) }
    return unsafe suffix.isEmpty ? 0 : head << UInt64(8 * (8 - suffix.count))
  }

  // MARK: Changes, by the owning transaction only

  /// Whether an entry whose suffix has `length` bytes fits without moving this node.
  func hasRoom(forSuffix length: Int) -> Bool {
    unsafe !isMapped && count < slotCapacity && heapStart - heapFloor >= length
  }

  /// How many bytes of this node's prefix `key` starts with.
  func prefixCount(sharedWith key: UnsafeRawBufferPointer) -> Int {
    if unsafe comparePrefix(key) == 0 { return unsafe prefixCount }
    return unsafe zip(prefix, key).prefix { $0 == $1 }.count
  }

  func suffix(of key: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(rebasing: key[prefixCount...])
  }

  /// Puts an entry before `index`; the caller made sure that it fits.
  func insert(suffix: UnsafeRawBufferPointer, value: UInt64, total: Int, at index: Int) {
    let count = unsafe count
    let arrays = unsafe arrays
    let moved = count - index
    unsafe TreeNode.move(arrays.heads + index, by: 1, count: moved)
    unsafe TreeNode.move(arrays.values + index, by: 1, count: moved)
    unsafe TreeNode.move(arrays.offsets + index, by: 1, count: moved)
    unsafe TreeNode.move(arrays.lengths + index, by: 1, count: moved)
    let start = unsafe heapStart - suffix.count
    if let address = suffix.baseAddress, suffix.count > 0 {
      unsafe (base + start).copyMemory(from: address, byteCount: suffix.count)
    }
    unsafe arrays.heads[index] = unsafe TreeNode.head(of: suffix)
    unsafe arrays.values[index] = value
    unsafe arrays.offsets[index] = UInt32(start)
    unsafe arrays.lengths[index] = UInt16(suffix.count)
    if let counts = unsafe arrays.counts {
      unsafe TreeNode.move(counts + index, by: 1, count: moved)
      unsafe counts[index] = UInt64(total)
    }
    unsafe setEnd(count: count + 1, heapStart: start)
  }

  /// Takes the entry at `index` out; its key bytes stay unused until the node is copied.
  func remove(at index: Int) {
    let count = unsafe count
    let arrays = unsafe arrays
    let moved = count - index - 1
    unsafe TreeNode.move(arrays.heads + (index + 1), by: -1, count: moved)
    unsafe TreeNode.move(arrays.values + (index + 1), by: -1, count: moved)
    unsafe TreeNode.move(arrays.offsets + (index + 1), by: -1, count: moved)
    unsafe TreeNode.move(arrays.lengths + (index + 1), by: -1, count: moved)
    if let counts = unsafe arrays.counts {
      unsafe TreeNode.move(counts + (index + 1), by: -1, count: moved)
    }
    unsafe setField(count - 1, at: Offset.count)
  }

  /// The arrays of a node, found once for many accesses.
  @unsafe
  struct Arrays {
    let heads: UnsafeMutablePointer<UInt64>
    let values: UnsafeMutablePointer<UInt64>
    /// Of an inner node.
    let counts: UnsafeMutablePointer<UInt64>?
    let offsets: UnsafeMutablePointer<UInt32>
    let lengths: UnsafeMutablePointer<UInt16>
  }

  var arrays: Arrays {
    let slots = unsafe slotCapacity
    let heads = unsafe heads
    let counts = unsafe isLeaf ? nil : heads + 2 * slots
    let offsets = unsafe UnsafeMutableRawPointer(heads + (counts == nil ? 2 : 3) * slots)
    return unsafe Arrays(
      heads: heads, values: heads + slots, counts: counts,
      offsets: offsets.assumingMemoryBound(to: UInt32.self),
      lengths: (offsets + 4 * slots).assumingMemoryBound(to: UInt16.self))
  }

  /// Notes how many entries there are, and where the lowest key byte stands.
  func setEnd(count: Int, heapStart: Int) {
    unsafe setField(count, at: Offset.count)
    unsafe setField(heapStart, at: Offset.heapStart)
  }

  private static func move<Element: BitwiseCopyable>(
    _ start: UnsafeMutablePointer<Element>, by distance: Int, count: Int
  ) {
    unsafe UnsafeMutableRawPointer(start + distance).copyMemory(
      from: start, byteCount: count * MemoryLayout<Element>.stride)
  }
}
