/// Making nodes out of nodes: copies on write, splits and merges all pass through here.
extension TreeNode {
  /// Entries `range` of one node; `firstKey` replaces the key of the first of them.
  @unsafe
  struct Part {
    var node: TreeNode
    var range: Range<Int>
    var firstKey: [UInt8]?
  }

  /// The key at `index`, put together from prefix and suffix.
  func key(at index: Int) -> [UInt8] {
    var key = unsafe [UInt8](prefix)
    unsafe key.append(contentsOf: suffix(at: index))
    return key
  }

  /// A copy that belongs to `owner`, laid out alike.
  func copy(owner: UInt64) -> TreeNode {
    let copy = unsafe TreeNode(base: .allocate(byteCount: byteCount, alignment: 8))
    unsafe copy.base.copyMemory(from: base, byteCount: byteCount)
    unsafe copy.base.storeBytes(of: owner, as: UInt64.self)
    return unsafe copy
  }

  /// A copy whose prefix is the first `prefixCount` bytes of its keys, with room for a suffix of
  /// `length` bytes beside some slack, so that a growing node is not moved at every insertion.
  func repacked(owner: UInt64, prefixCount: Int, forSuffix length: Int, limit: Int) -> TreeNode {
    let slots = unsafe count + 1 + count / 8
    return unsafe TreeNode.gather(
      [Part(node: self, range: 0..<count)], owner: owner, level: level, prefixCount: prefixCount,
      spare: Room(slots: max(min(slots, limit) - count, 1), keyBytes: length * 2))
  }

  /// One node out of the entries of `parts`, whose keys ascend across all of them.
  static func gather(
    _ parts: [Part], owner: UInt64, level: Int, prefixCount: Int? = nil, spare: Room
  ) -> TreeNode {
    let prefix =
      unsafe prefixCount.map { unsafe Array(key(first: parts).prefix($0)) }
      ?? sharedPrefix(of: parts)
    var room = spare
    for unsafepart in unsafe parts {
      unsafe room.slots += part.range.count
      for index in unsafe part.range {
        unsafe room.keyBytes += part.node.keyCount(at: index) - prefix.count
      }
      if let key = unsafe part.firstKey { room.keyBytes += key.count }
    }
    let node = unsafe prefix.withUnsafeBytes {
      unsafe allocate(owner: owner, level: level, prefix: $0, room: room)
    }
    for unsafepart in unsafe parts { unsafe node.append(part, prefixCount: prefix.count) }
    return unsafe node
  }

  private func append(_ part: Part, prefixCount: Int) {
    let source = unsafe part.node
    let dropped = unsafe prefixCount - source.prefix.count
    for index in unsafe part.range {
      let value = unsafe source.value(at: index)
      let total = unsafe source.isLeaf ? 1 : source.total(at: index)
      let suffix = unsafe source.suffix(at: index)
      if unsafe index == part.range.lowerBound, let key = unsafe part.firstKey {
        unsafe key.withUnsafeBytes {
          unsafe insert(
            suffix: UnsafeRawBufferPointer(rebasing: $0[prefixCount...]), value: value,
            total: total, at: count)
        }
      } else if dropped >= 0 {
        unsafe insert(
          suffix: UnsafeRawBufferPointer(rebasing: suffix[dropped...]), value: value, total: total,
          at: count)
      } else {
        unsafe source.key(at: index).withUnsafeBytes {
          unsafe insert(
            suffix: UnsafeRawBufferPointer(rebasing: $0[prefixCount...]), value: value,
            total: total, at: count)
        }
      }
    }
  }

  private static func key(first parts: [Part]) -> [UInt8] {
    unsafe parts[0].firstKey ?? parts[0].node.key(at: parts[0].range.lowerBound)
  }

  /// What the first and the last key have in common, which all between them share.
  private static func sharedPrefix(of parts: [Part]) -> [UInt8] {
    let last = unsafe parts[parts.count - 1]
    let first = unsafe key(first: parts)
    let end =
      unsafe last.range.count == 1
      ? last.firstKey ?? last.node.key(at: last.range.lowerBound)
      : last.node.key(at: last.range.upperBound - 1)
    return Array(zip(first, end).prefix { $0 == $1 }.map(\.0))
  }
}
