/// The tree of an image in the making: entries arrive in order, full nodes are written at once, so that
/// children stand before their parents and one node of each level is in memory.
struct ImageTree {
  private let capacity: Int
  private var levels: [Level] = [Level()]
  /// The last key of the leaf that was written last.
  private var lastKey: [UInt8]?

  /// The entries of the node of one level that is not full yet.
  private struct Level {
    var keys: [UInt8] = []
    /// Where each key ends in `keys`.
    var ends: [Int] = []
    var values: [UInt64] = []
    /// How many entries each child has; empty in leaves.
    var totals: [UInt64] = []
    /// The lower bound of the first child, which the node itself does not keep.
    var bound: [UInt8] = []

    func range(at index: Int) -> Range<Int> { (index == 0 ? 0 : ends[index - 1])..<ends[index] }

    func key(at index: Int) -> ArraySlice<UInt8> { keys[range(at: index)] }

    mutating func append(_ key: [UInt8], _ value: UInt64) {
      keys += key
      ends.append(keys.count)
      values.append(value)
    }

    /// What all keys start with, but the first of an inner node.
    func prefix(isLeaf: Bool) -> ArraySlice<UInt8> {
      let first = isLeaf ? 0 : 1
      guard first < values.count else { return [] }
      let (low, high) = (key(at: first), key(at: values.count - 1))
      return low.prefix(zip(low, high).prefix { $0 == $1 }.count)
    }
  }

  init(capacity: Int) { self.capacity = capacity }

  /// Adds the entry at `index` of `leaf` with another value. Answers false where its key is not above all
  /// before it.
  mutating func append(
    _ leaf: TreeNode, _ index: Int, value: UInt64, to output: inout ImageOutput
  ) throws(StorageError) -> Bool {
    if levels[0].values.count == capacity { try finish(level: 0, &output) }
    unsafe levels[0].keys.append(contentsOf: leaf.prefix)
    unsafe leaf.withSuffix(at: index) { unsafe levels[0].keys.append(contentsOf: $0) }
    levels[0].ends.append(levels[0].keys.count)
    levels[0].values.append(value)
    return ascends(at: levels[0].values.count - 1)
  }

  private func ascends(at index: Int) -> Bool {
    let here = levels[0].key(at: index)
    guard index > 0 else { return lastKey?.lexicographicallyPrecedes(here) ?? true }
    let before = levels[0].range(at: index - 1)
    return unsafe levels[0].keys.withUnsafeBytes { keys in
      unsafe compareBytes(
        UnsafeRawBufferPointer(rebasing: keys[before]),
        UnsafeRawBufferPointer(rebasing: keys[here.indices])) < 0
    }
  }

  /// Writes what is left and answers where the root is.
  mutating func finish(
    _ output: inout ImageOutput
  ) throws(StorageError) -> (root: Int, level: Int, entries: Int) {
    if levels.count == 1 && levels[0].values.isEmpty { return (0, 0, 0) }
    var level = 0
    while true {
      try finish(level: level, &output)
      level += 1
      if level == levels.count - 1 && levels[level].values.count == 1 {
        return (
          Int(levels[level].values[0] >> 1), level - 1, Int(levels[level].totals[0])
        )
      }
    }
  }

  /// Writes the node of `level` and notes it in the one above.
  private mutating func finish(
    level: Int, _ output: inout ImageOutput
  ) throws(StorageError) {
    let node = levels[level]
    levels[level] = Level()
    let reference = UInt64(output.position) << 1 | 1
    let total = level == 0 ? UInt64(node.values.count) : node.totals.reduce(0, +)
    try output.append(ImageTree.bytes(of: node, level: level, total: total, output.seed(.node)))
    if level + 1 == levels.count { levels.append(Level()) }
    let bound: [UInt8]
    if level == 0 {
      bound = lastKey.map { ImageTree.separator(of: $0, node.key(at: 0)) } ?? []
      lastKey = Array(node.key(at: node.values.count - 1))
    } else {
      bound = node.bound
    }
    if levels[level + 1].values.count == capacity {
      try finish(level: level + 1, &output)
    }
    let isFirst = levels[level + 1].values.isEmpty
    if isFirst { levels[level + 1].bound = bound }
    levels[level + 1].append(isFirst ? [] : bound, reference)
    levels[level + 1].totals.append(total)
  }

  /// The shortest key above `last` that is not above `first`.
  private static func separator(of last: [UInt8], _ first: ArraySlice<UInt8>) -> [UInt8] {
    Array(first.prefix(zip(first, last).prefix { $0 == $1 }.count + 1))
  }

  // MARK: Layout

  /// The node with its entries' suffixes, each a range of the keys put together.
  private static func bytes(
    of node: Level, level: Int, total: UInt64, _ seed: UInt32
  ) -> ByteWriter {
    let prefix = node.prefix(isLeaf: level == 0)
    let suffixes = node.values.indices.map { index in
      // The first key of an inner node is empty.
      let key = node.range(at: index)
      return key.isEmpty ? key : (key.lowerBound + prefix.count)..<key.upperBound
    }
    let isTight =
      level == 0 && suffixes.allSatisfy { $0.count >= 8 }
      && suffixes.reduce(0) { $0 + $1.count } <= UInt16.max
      && node.values.allSatisfy { $0 <= UInt32.max }
    var writer = ByteWriter(capacity: 4096)
    writer.append(word: UInt64(0))
    let slots = isTight ? 0 : level == 0 ? node.values.count : node.values.count + 1
    for field in [node.values.count, level, prefix.count, slots, 0, 0] {
      writer.append(word: UInt32(field).littleEndian)
    }
    unsafe node.keys.withUnsafeBytes { keys in
      for suffix in suffixes {
        let bytes = unsafe UnsafeRawBufferPointer(rebasing: keys[suffix])
        writer.append(word: unsafe TreeNode.head(of: bytes).littleEndian)
      }
      if isTight {
        unsafe append(tight: suffixes, of: keys, node.values, to: &writer)
      } else {
        unsafe append(roomy: suffixes, of: keys, node, total, slots, to: &writer)
      }
    }
    while (writer.count + prefix.count) & 7 != 0 { writer.append(UInt8(0)) }
    writer.append(Array(prefix))
    writer.store(UInt32(writer.count).littleEndian, at: TreeNode.Offset.byteCount)
    let checksumStart = TreeNode.Offset.checksum
    let head = writer.checksum(0, checksumStart, after: seed)
    let checksum = writer.checksum(checksumStart + 4, writer.count, after: head)
    writer.store(checksum.littleEndian, at: checksumStart)
    return writer
  }

  /// What stands behind the heads of a tight leaf.
  private static func append(
    tight suffixes: [Range<Int>], of keys: UnsafeRawBufferPointer, _ values: [UInt64],
    to writer: inout ByteWriter
  ) {
    for value in values { writer.append(word: UInt32(value).littleEndian) }
    var end = 0
    writer.append(word: UInt16(0))
    for suffix in suffixes {
      end += suffix.count
      writer.append(word: UInt16(end).littleEndian)
    }
    for suffix in suffixes {
      let tail = (suffix.lowerBound + 8)..<suffix.upperBound
      unsafe writer.append(copying: UnsafeRawBufferPointer(rebasing: keys[tail]))
    }
  }

  /// What stands behind the heads of any other node.
  private static func append(
    roomy suffixes: [Range<Int>], of keys: UnsafeRawBufferPointer, _ node: Level,
    _ total: UInt64, _ slots: Int, to writer: inout ByteWriter
  ) {
    // Inner nodes have a slot more, for the total.
    let padding = slots - suffixes.count
    for _ in 0..<padding { writer.append(word: UInt64(0)) }
    for value in node.values { writer.append(word: value.littleEndian) }
    for _ in 0..<padding { writer.append(word: UInt64(0)) }
    if padding > 0 {
      for count in node.totals { writer.append(word: count.littleEndian) }
      writer.append(word: total.littleEndian)
    }
    var offset = writer.count + slots * 6
    for suffix in suffixes {
      writer.append(word: UInt32(offset).littleEndian)
      offset += suffix.count
    }
    for _ in 0..<padding { writer.append(word: UInt32(0)) }
    for suffix in suffixes { writer.append(word: UInt16(suffix.count).littleEndian) }
    for _ in 0..<padding { writer.append(word: UInt16(0)) }
    for suffix in suffixes {
      unsafe writer.append(copying: UnsafeRawBufferPointer(rebasing: keys[suffix]))
    }
  }
}
