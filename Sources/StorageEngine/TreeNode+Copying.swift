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
    unsafe withSuffix(at: index) { suffix in
      var key = unsafe [UInt8](prefix)
      unsafe key.append(contentsOf: suffix)
      return key
    }
  }

  /// A copy that belongs to `owner`, laid out alike unless this node is of an image.
  func copy(owner: UInt64) -> TreeNode {
    if unsafe isMapped {
      return unsafe TreeNode.gather(
        [Part(node: self, range: 0..<count)], owner: owner, level: level,
        prefix: Array(prefix), spare: Room(slots: 1 + count / 8, keyBytes: 64))
    }
    let copy = unsafe TreeNode(base: NodeMemory.take(byteCount))
    unsafe copy.base.copyMemory(from: base, byteCount: byteCount)
    unsafe copy.base.storeBytes(of: owner, as: UInt64.self)
    return unsafe copy
  }

  /// A copy whose prefix is the first `prefixCount` bytes of its keys, with room for a suffix of
  /// `length` bytes beside some slack, so that a growing node is not moved at every insertion.
  func repacked(owner: UInt64, prefixCount: Int, forSuffix length: Int, limit: Int) -> TreeNode {
    let slots = unsafe min(count + 4 + count / 3, limit)
    return unsafe TreeNode.gather(
      [Part(node: self, range: 0..<count)], owner: owner, level: level,
      prefix: Array(prefix.prefix(prefixCount)),
      spare: Room(slots: max(slots - count, 1), keyBytes: length * max(slots - count, 1)))
  }

  /// One node out of the entries of `parts`, whose keys ascend across all of them.
  static func gather(
    _ parts: [Part], owner: UInt64, level: Int, prefix: [UInt8]? = nil, spare: Room
  ) -> TreeNode {
    let prefix =
      unsafe prefix ?? (parts.count == 1 ? parts[0].sharedPrefix : nil)
      ?? sharedPrefix(of: parts, isLeaf: level == 0)
    var room = spare
    unsafe parts.forEach { part in
      unsafe room.slots += part.range.count
      for index in unsafe part.range {
        unsafe room.keyBytes += max(part.node.keyCount(at: index) - prefix.count, 0)
      }
      unsafe room.keyBytes += part.firstKey?.count ?? 0
    }
    let node = unsafe prefix.withUnsafeBytes {
      unsafe allocate(owner: owner, level: level, prefix: $0, room: room)
    }
    unsafe parts.forEach { unsafe node.append($0, prefixCount: prefix.count) }
    return unsafe node
  }

  private func append(_ part: Part, prefixCount: Int) {
    let source = unsafe part.node
    if unsafe part.isPlain { return unsafe appendInBulk(part, prefixCount: prefixCount) }
    let dropped = unsafe prefixCount - source.prefix.count
    for index in unsafe part.range {
      let total = unsafe source.isLeaf ? 1 : source.total(at: index)
      let value = unsafe source.isLeaf ? source.value(at: index) : source.reference(at: index)
      if unsafe !isLeaf && count == 0 {
        unsafe add(UnsafeRawBufferPointer(start: nil, count: 0), value, total)
      } else if unsafe dropped >= 0 && (part.firstKey == nil || index > part.range.lowerBound) {
        unsafe source.withSuffix(at: index) { unsafe add($0, dropping: dropped, value, total) }
      } else {
        unsafe part.key(at: index).withUnsafeBytes {
          unsafe add($0, dropping: prefixCount, value, total)
        }
      }
    }
  }

  /// Adds an entry whose suffix is `key` without its first `count` bytes, which all keys share unless
  /// an image was made to do harm: then not even its length is relied on.
  private func add(
    _ key: UnsafeRawBufferPointer, dropping count: Int, _ value: UInt64, _ total: Int
  ) {
    let suffix = unsafe UnsafeRawBufferPointer(rebasing: key[min(count, key.count)...])
    unsafe add(suffix, value, total)
  }

  private func add(_ suffix: UnsafeRawBufferPointer, _ value: UInt64, _ total: Int) {
    unsafe insert(suffix: suffix, value: value, total: total, at: count)
  }

  /// What the first and the last key have in common, which all between them share. The first key of
  /// an inner node does not count: it is below everything.
  private static func sharedPrefix(of parts: [Part], isLeaf: Bool) -> [UInt8] {
    var first: [UInt8]?
    var last: [UInt8]?
    var position = 0
    unsafe parts.forEach { part in
      for index in unsafe [part.range.lowerBound, part.range.lowerBound + 1] {
        if unsafe first == nil && part.range.contains(index) && (isLeaf || position > 0) {
          first = unsafe part.key(at: index)
        }
        position += 1
      }
      last = unsafe part.key(at: part.range.upperBound - 1)
    }
    guard let first, let last else { return [] }
    return Array(zip(first, last).prefix { $0 == $1 }.map(\.0))
  }
}

extension TreeNode.Part {
  fileprivate func key(at index: Int) -> [UInt8] {
    if unsafe index == range.lowerBound, let firstKey = unsafe firstKey { return firstKey }
    return unsafe node.key(at: index)
  }
}
