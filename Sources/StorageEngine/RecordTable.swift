/// Record number → address of the record: a radix tree of 128 words a node, copied on write like the
/// other tree and under the same rules of ownership. A record is its length in 8 bytes, then its bytes.
///
///     owner | child or record × 128
///
/// Invariant of the unsafe code here: as for `TreeNode`.
@unsafe
struct RecordTable {
  static let fanout = 128
  static let bits = 7

  /// Nil while the table is empty.
  var root: UnsafeMutableRawPointer?
  /// Levels of nodes; a table of height h has room for 128^h records.
  var height = 0
  /// One more than the highest number ever used.
  var end: UInt64 = 0

  /// The address stored for `number`; nil where there is none.
  ///
  /// - Complexity: O(log n) with base 128.
  func record(_ number: UInt64) -> UnsafeMutableRawPointer? {
    guard unsafe number < end, var node = unsafe root else { return nil }
    var shift = unsafe RecordTable.bits * (height - 1)
    while true {
      let slot = unsafe Int((number >> UInt64(shift)) & UInt64(RecordTable.fanout - 1))
      guard let next = unsafe RecordTable.word(slot, of: node) else { return nil }
      if shift == 0 { return unsafe next }
      unsafe node = unsafe next
      unsafe shift -= RecordTable.bits
    }
  }

  /// The bytes of the record `number`; nil where there is none.
  func bytes(_ number: UInt64) -> UnsafeRawBufferPointer? {
    unsafe record(number).map { unsafe RecordTable.bytes(at: $0) }
  }

  /// The bytes of the record at an address.
  static func bytes(at record: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: record + 8, count: Int(record.load(as: UInt64.self)))
  }

  /// A copy of the bytes of the record `number`; nil where there is none.
  func copy(_ number: UInt64) -> ByteSlice? {
    guard let bytes = unsafe bytes(number) else { return nil }
    let count = bytes.count
    let storage = unsafe SharedBytes(count: count) { target in
      unsafe UnsafeMutableRawBufferPointer(start: target, count: count).copyMemory(from: bytes)
    }
    return ByteSlice(storage: storage, offset: 0, count: count)
  }

  static func owner(of node: UnsafeMutableRawPointer) -> UInt64 {
    unsafe node.load(as: UInt64.self)
  }

  static func word(_ slot: Int, of node: UnsafeMutableRawPointer) -> UnsafeMutableRawPointer? {
    unsafe node.load(fromByteOffset: 8 + slot * 8, as: UnsafeMutableRawPointer?.self)
  }

  private static func setWord(
    _ slot: Int, of node: UnsafeMutableRawPointer, to word: UnsafeMutableRawPointer?
  ) {
    unsafe node.storeBytes(of: word, toByteOffset: 8 + slot * 8, as: UnsafeMutableRawPointer?.self)
  }

  /// Sets or clears the address for `number`; nodes that are replaced go to `retired`.
  mutating func set(
    _ number: UInt64, to record: UnsafeMutableRawPointer?, owner: UInt64,
    retired: inout [UnsafeMutableRawPointer]
  ) {
    while unsafe height == 0 || number >> UInt64(RecordTable.bits * height) != 0 {
      let node = unsafe RecordTable.allocate(owner: owner)
      unsafe RecordTable.setWord(0, of: node, to: root)
      unsafe root = unsafe node
      unsafe height += 1
    }
    unsafe end = unsafe max(end, number + 1)
    unsafe root = unsafe RecordTable.set(
      number, to: record, in: root, shift: RecordTable.bits * (height - 1), owner: owner,
      retired: &retired)
  }

  private static func set(
    _ number: UInt64, to record: UnsafeMutableRawPointer?, in node: UnsafeMutableRawPointer?,
    shift: Int, owner: UInt64, retired: inout [UnsafeMutableRawPointer]
  ) -> UnsafeMutableRawPointer {
    let writable = unsafe writable(node, owner: owner, retired: &retired)
    let slot = unsafe Int((number >> UInt64(shift)) & UInt64(fanout - 1))
    let word =
      unsafe shift == 0
      ? record
      : set(
        number, to: record, in: RecordTable.word(slot, of: writable), shift: shift - bits,
        owner: owner, retired: &retired)
    unsafe setWord(slot, of: writable, to: word)
    return unsafe writable
  }

  private static func allocate(owner: UInt64) -> UnsafeMutableRawPointer {
    let size = unsafe 8 + fanout * 8
    let node = UnsafeMutableRawPointer.allocate(byteCount: size, alignment: 8)
    unsafe node.initializeMemory(as: UInt8.self, repeating: 0, count: size)
    unsafe node.storeBytes(of: owner, as: UInt64.self)
    return unsafe node
  }

  private static func writable(
    _ node: UnsafeMutableRawPointer?, owner: UInt64, retired: inout [UnsafeMutableRawPointer]
  ) -> UnsafeMutableRawPointer {
    guard let node = unsafe node else { return unsafe allocate(owner: owner) }
    if unsafe RecordTable.owner(of: node) == owner { return unsafe node }
    let copy = unsafe UnsafeMutableRawPointer.allocate(byteCount: 8 + fanout * 8, alignment: 8)
    unsafe copy.copyMemory(from: node, byteCount: 8 + fanout * 8)
    unsafe copy.storeBytes(of: owner, as: UInt64.self)
    unsafe retired.append(node)
    return unsafe copy
  }
}
