/// Copying many entries at once, where the node that has them is laid out like the one that gets them.
extension TreeNode {
  /// As `append(_:prefixCount:)`, for a plain part.
  func appendInBulk(_ part: Part, prefixCount: Int) {
    let source = unsafe part.node
    // What the suffixes lose at their front, or get from what was the prefix.
    let dropped = unsafe max(prefixCount - source.prefix.count, 0)
    let added = unsafe UnsafeRawBufferPointer(
      rebasing: source.prefix[min(prefixCount, source.prefix.count)...])
    let (from, to) = unsafe (source.arrays, arrays)
    var slot = unsafe count
    var end = unsafe heapStart
    for index in unsafe part.range {
      var length = 0
      // The first child of an inner node has no lower bound.
      if unsafe isLeaf || slot > 0 {
        // The keys of a node share its prefix, unless an image was made to do harm.
        let suffix = unsafe max(Int(from.lengths[index]) - dropped, 0)
        length = added.count + suffix
        end -= length
        let target = unsafe base + end
        if let address = added.baseAddress, added.count > 0 {
          unsafe target.copyMemory(from: address, byteCount: added.count)
        }
        unsafe (target + added.count).copyMemory(
          from: source.base + (Int(from.offsets[index]) + dropped), byteCount: suffix)
      }
      unsafe to.heads[slot] =
        unsafe dropped == 0 && added.isEmpty && length > 0
        ? from.heads[index]
        : TreeNode.head(of: UnsafeRawBufferPointer(start: base + end, count: length))
      unsafe to.values[slot] = unsafe from.values[index]
      unsafe to.offsets[slot] = UInt32(end)
      unsafe to.lengths[slot] = UInt16(length)
      if let counts = unsafe to.counts, let old = unsafe from.counts {
        unsafe counts[slot] = unsafe old[index]
      }
      slot += 1
    }
    unsafe setEnd(count: slot, heapStart: end)
  }
}

extension TreeNode.Part {
  /// Whether this part has no key of its own, and its node is one that a transaction made.
  var isPlain: Bool { unsafe firstKey == nil && node.owner != 0 }

  /// What the first and the last key of a plain part have in common.
  var sharedPrefix: [UInt8]? {
    let first = unsafe node.isLeaf ? range.lowerBound : range.lowerBound + 1
    guard unsafe isPlain, unsafe first < range.upperBound else { return nil }
    let (low, high) = unsafe (suffix(at: first), suffix(at: range.upperBound - 1))
    var shared = 0
    while unsafe shared < min(low.count, high.count) && low[shared] == high[shared] { shared += 1 }
    var prefix = unsafe [UInt8](node.prefix)
    unsafe prefix.append(contentsOf: low[..<shared])
    return prefix
  }

  private func suffix(at index: Int) -> UnsafeRawBufferPointer {
    let arrays = unsafe node.arrays
    return unsafe UnsafeRawBufferPointer(
      start: node.base + Int(arrays.offsets[index]), count: Int(arrays.lengths[index]))
  }
}
