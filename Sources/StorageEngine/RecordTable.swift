/// Record number → record: a radix tree of 128 words a node, copied on write like the other tree and under
/// the same rules of ownership. A record is its length in 4 bytes, 4 that mean nothing here, then its
/// bytes, in memory as in an image.
///
///     owner | child or record × 128
///
/// Where the version is based on an image, the tree has only what was changed since: a record that it
/// does not name is the image's, and one that was taken out there is named `gone`.
///
/// Invariant of the unsafe code here: as for `TreeNode`.
@unsafe
struct RecordTable {
  static let fanout = 128
  static let bits = 7

  /// Nil while nothing was changed.
  var root: UnsafeMutableRawPointer?
  /// Levels of nodes; a tree of height h has room for 128^h records.
  var height = 0
  /// One more than the highest number ever used.
  var end: UInt64 = 0

  /// Says that the image's record is not there any more.
  static var gone: UnsafeMutableRawPointer? { unsafe UnsafeMutableRawPointer(bitPattern: 1) }

  /// What the tree names under `number`: a record, `gone` or nothing.
  ///
  /// - Complexity: O(log n) with base 128.
  private func word(_ number: UInt64) -> UnsafeMutableRawPointer? {
    guard var node = unsafe root else { return nil }
    var shift = unsafe RecordTable.bits * (height - 1)
    guard unsafe number >> UInt64(shift) < UInt64(RecordTable.fanout) else { return nil }
    while true {
      let slot = unsafe Int((number >> UInt64(shift)) & UInt64(RecordTable.fanout - 1))
      guard let next = unsafe RecordTable.word(slot, of: node) else { return nil }
      if shift == 0 { return unsafe next }
      unsafe node = unsafe next
      unsafe shift -= RecordTable.bits
    }
  }

  /// The record that a transaction stored under `number`; nil where none did.
  func record(_ number: UInt64) -> UnsafeMutableRawPointer? {
    let word = unsafe word(number)
    return unsafe word == RecordTable.gone ? nil : word
  }

  /// Whether there is a record `number`.
  func has(_ number: UInt64, in image: ImageView?) -> Bool {
    guard let word = unsafe word(number) else { return unsafe number < image?.recordCount ?? 0 }
    return unsafe word != RecordTable.gone
  }

  /// Where the record `number` is; nil where there is none, or it is damaged. `isRaw` also answers
  /// records that are none for readers.
  func address(
    of number: UInt64, in image: ImageView?, isRaw: Bool = false
  ) -> UnsafeRawPointer? {
    guard unsafe number < end else { return nil }
    guard let record = unsafe word(number) else {
      guard let image = unsafe image, unsafe number < image.recordCount else { return nil }
      return unsafe image.record(number, isRaw: isRaw)
    }
    return unsafe record == RecordTable.gone ? nil : UnsafeRawPointer(record)
  }

  /// The bytes of the record `number`, as `address(of:in:isRaw:)`.
  func bytes(
    _ number: UInt64, in image: ImageView?, isRaw: Bool = false
  ) -> UnsafeRawBufferPointer? {
    unsafe address(of: number, in: image, isRaw: isRaw).map { unsafe RecordTable.bytes(at: $0) }
  }

  /// The bytes of the record at an address.
  static func bytes(at record: UnsafeRawPointer) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: record + 8, count: Int(record.load(as: UInt32.self)))
  }

  /// A copy of the bytes of the record `number`; nil where there is none.
  func copy(_ number: UInt64, in image: ImageView?, isRaw: Bool = false) -> ByteSlice? {
    guard let bytes = unsafe bytes(number, in: image, isRaw: isRaw) else { return nil }
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

  /// Sets or clears the word for `number`; nodes that are replaced go to `retired`.
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
