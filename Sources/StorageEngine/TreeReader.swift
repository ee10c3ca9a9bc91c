/// Reading one version of the tree: look-ups by key and by rank.
extension TreeNode {
  /// The value of `key` below this node.
  ///
  /// - Complexity: O(log n).
  func value(for key: UnsafeRawBufferPointer, in image: ImageView?) -> UInt64? {
    var node = unsafe self
    while unsafe !node.isLeaf {
      unsafe node = unsafe node.child(at: node.childIndex(for: key), in: image)
    }
    let (index, isEqual) = unsafe node.lowerBound(key)
    return unsafe isEqual ? node.value(at: index) : nil
  }

  /// The first entry not below `key`: its leaf, its index there (the leaf's count where it is in the
  /// next leaf), and how many entries come before it.
  ///
  /// - Complexity: O(log n).
  func seek(
    _ key: UnsafeRawBufferPointer, in image: ImageView?
  ) -> (leaf: TreeNode, index: Int, rank: Int) {
    var node = unsafe self
    var rank = 0
    while unsafe !node.isLeaf {
      let index = unsafe node.childIndex(for: key)
      unsafe rank += node.total(before: index)
      unsafe node = unsafe node.child(at: index, in: image)
    }
    let index = unsafe node.lowerBound(key).index
    return unsafe (node, index, rank + index)
  }

  /// The leaf that holds the entry at `rank`, which exists, and its index there. Where it is damaged,
  /// the leaf is empty.
  ///
  /// - Complexity: O(log n).
  func seek(rank: Int, in image: ImageView?) -> (leaf: TreeNode, index: Int) {
    var node = unsafe self
    var rest = rank
    while unsafe !node.isLeaf {
      var index = 0
      while unsafe index < node.count - 1 {
        let total = unsafe node.total(at: index)
        if rest < total { break }
        rest -= total
        index += 1
      }
      unsafe node = unsafe node.child(at: index, in: image)
    }
    return unsafe (node, rest)
  }
}
