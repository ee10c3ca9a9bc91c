/// Every way a tree can be malformed, for tests and for checking a store.
extension Version {
  /// What is wrong with this version, a sentence each; empty where all is well.
  ///
  /// - Complexity: O(n).
  package func violations(nodeCapacity: Int) -> [String] {
    guard let tree = unsafe tree else { return [] }
    var found: [String] = []
    // An image keeps the nodes that its writer made.
    let capacity = max(nodeCapacity, image?.header.nodeCapacity ?? 0)
    unsafe check(tree, from: nil, to: nil, capacity: capacity, into: &found)
    return found
  }

  /// The keys and values in order.
  ///
  /// - Complexity: O(n).
  package var entries: [(key: [UInt8], value: UInt64)] {
    var entries: [(key: [UInt8], value: UInt64)] = []
    func visit(_ node: TreeNode) {
      for index in unsafe 0..<node.count {
        if unsafe node.isLeaf {
          unsafe entries.append((node.key(at: index), node.value(at: index)))
        } else {
          unsafe visit(node.child(at: index, in: view))
        }
      }
    }
    if let tree = unsafe tree { unsafe visit(tree) }
    return entries
  }

  private func check(
    _ node: TreeNode, from lower: [UInt8]?, to upper: [UInt8]?, capacity: Int,
    into found: inout [String]
  ) {
    let place = unsafe "node at level \(node.level) from key \(lower ?? [])"
    if unsafe node.count == 0 { found.append("\(place) is empty") }
    if unsafe node.count > capacity { found.append(unsafe "\(place) has \(node.count) entries") }
    if unsafe node.owner > number { found.append("\(place) belongs to a later transaction") }
    var previous: [UInt8]?
    for index in unsafe 0..<node.count {
      let key = unsafe node.key(at: index)
      if let previous, !previous.lexicographicallyPrecedes(key) {
        found.append("\(place) has keys out of order at \(index)")
      }
      if unsafe index > 0 || node.isLeaf {
        if let lower, key.lexicographicallyPrecedes(lower) {
          found.append("\(place) has a key below its range at \(index)")
        }
        if let upper, !key.lexicographicallyPrecedes(upper) {
          found.append("\(place) has a key above its range at \(index)")
        }
      }
      if unsafe index > 0 || node.isLeaf { previous = key }
      if unsafe node.isLeaf { continue }
      let child = unsafe node.child(at: index, in: view)
      if unsafe child.level != node.level - 1 {
        found.append("\(place) has a child of another depth")
      }
      if unsafe child.total != node.total(at: index) {
        found.append(unsafe "\(place) counts \(node.total(at: index)) entries for \(child.total)")
      }
      unsafe check(
        child, from: index == 0 ? lower : key,
        to: index + 1 < node.count ? node.key(at: index + 1) : upper, capacity: capacity,
        into: &found)
    }
  }
}
