/// The changes of one transaction to a counted copy-on-write B+tree.
///
/// Nodes of the transaction's own are changed in place. Any other node belongs to a published version
/// and is copied first; what it was copied from is noted in `retired`, to be freed when no version
/// reaches it. A node of the transaction that is replaced was never published and is freed at once.
@unsafe
struct TreeWriter {
  let owner: UInt64
  /// The most entries of a node.
  let capacity: Int
  /// What nodes of published versions may refer to. Once it is known to be damaged, nothing is changed any
  /// more: the transaction will not be committed.
  let image: ImageView?
  private(set) var root: TreeNode?
  private(set) var retired: [TreeNode] = unsafe []

  init(root: TreeNode?, owner: UInt64, capacity: Int, image: ImageView?) {
    unsafe self.image = unsafe image
    unsafe self.root = unsafe root
    unsafe self.owner = owner
    unsafe self.capacity = capacity
  }

  @unsafe
  private struct Insertion {
    var node: TreeNode
    /// The new right neighbour of `node` and its lower bound.
    var sibling: (node: TreeNode, lowerBound: [UInt8])?
    var replaced: UInt64?
  }

  /// Sets the value of `key` and returns the one it had.
  ///
  /// - Complexity: O(log n) comparisons; copies the path to the leaf once per transaction.
  mutating func insert(_ key: UnsafeRawBufferPointer, value: UInt64) -> UInt64? {
    guard let root = unsafe root else {
      let leaf = unsafe TreeNode.allocate(
        owner: owner, level: 0, prefix: key, room: .init(slots: 4, keyBytes: 64))
      unsafe leaf.insert(suffix: leaf.suffix(of: key), value: value, total: 1, at: 0)
      unsafe self.root = unsafe leaf
      return nil
    }
    let insertion = unsafe insert(key, value: value, into: root)
    unsafe self.root = unsafe insertion.node
    if let sibling = unsafe insertion.sibling {
      unsafe grow(insertion.node, sibling.node, sibling.lowerBound)
    }
    return unsafe insertion.replaced
  }

  private mutating func grow(_ left: TreeNode, _ right: TreeNode, _ bound: [UInt8]) {
    let root = unsafe UnsafeRawBufferPointer(start: nil, count: 0)
    let node = unsafe TreeNode.allocate(
      owner: owner, level: left.level + 1, prefix: root,
      room: .init(slots: 8, keyBytes: bound.count * 4 + 64))
    unsafe insertChild(left, key: root, at: 0, into: node)
    unsafe bound.withUnsafeBytes { unsafe insertChild(right, key: $0, at: 1, into: node) }
    unsafe self.root = unsafe node
  }

  private func insertChild(
    _ child: TreeNode, key: UnsafeRawBufferPointer, at index: Int, into node: TreeNode
  ) {
    unsafe node.insert(
      suffix: node.suffix(of: key), value: UInt64(UInt(bitPattern: child.base)),
      total: child.total, at: index)
  }

  private mutating func insert(
    _ key: UnsafeRawBufferPointer, value: UInt64, into node: TreeNode
  ) -> Insertion {
    if unsafe node.isLeaf {
      let (index, isEqual) = unsafe node.lowerBound(key)
      if isEqual {
        let writable = unsafe writable(node)
        let replaced = unsafe writable.value(at: index)
        unsafe writable.setValue(value, at: index)
        return unsafe Insertion(node: writable, replaced: replaced)
      }
      return unsafe add(key, value: value, total: 1, at: index, to: node)
    }
    let index = unsafe node.childIndex(for: key)
    let below = unsafe node.child(at: index, in: image)
    if unsafe isDamaged { return unsafe Insertion(node: node) }
    let child = unsafe insert(key, value: value, into: below)
    if unsafe isDamaged { return unsafe Insertion(node: node) }
    let writable = unsafe writable(node)
    guard let sibling = unsafe child.sibling else {
      let added = unsafe child.replaced == nil ? 1 : 0
      unsafe writable.setChild(child.node, total: writable.total(at: index) + added, at: index)
      return unsafe Insertion(node: writable, replaced: child.replaced)
    }
    unsafe writable.setChild(child.node, total: child.node.total, at: index)
    return unsafe sibling.lowerBound.withUnsafeBytes {
      unsafe add(
        $0, value: UInt64(UInt(bitPattern: sibling.node.base)), total: sibling.node.total,
        at: index + 1, to: writable)
    }
  }

  /// Adds an entry that is not there yet, splitting the node where it is full.
  private mutating func add(
    _ key: UnsafeRawBufferPointer, value: UInt64, total: Int, at index: Int, to node: TreeNode
  ) -> Insertion {
    if unsafe node.count < capacity {
      let writable = unsafe writable(node, for: key)
      unsafe writable.insert(
        suffix: writable.suffix(of: key), value: value, total: total, at: index)
      return unsafe Insertion(node: writable)
    }
    let cut = unsafe cut(of: node, insertingAt: index)
    let slots = unsafe 1 + capacity / 4
    let length = unsafe key.count - node.prefixCount(sharedWith: key)
    let spare = TreeNode.Room(slots: slots, keyBytes: slots * length)
    // The first key of the right half; an inner node does not keep its own.
    let bound =
      unsafe cut.position == index && !cut.newEntryGoesLeft
      ? [UInt8](key) : node.key(at: cut.position)
    var left = unsafe part(of: node, 0..<cut.position, spare: spare)
    var right = unsafe part(of: node, cut.position..<node.count, spare: spare)
    let entry = unsafe (key: key, value: value, total: total, level: node.level)
    if cut.newEntryGoesLeft {
      unsafe left = unsafe place(entry, at: index, in: left)
    } else {
      unsafe right = unsafe place(entry, at: index - cut.position, in: right)
    }
    unsafe discard(node)
    // The cut leaves the new entry's half with it and the other half with at least one old entry.
    guard let lower = unsafe left, let upper = unsafe right else {
      preconditionFailure("a full node was split into nothing")
    }
    return unsafe Insertion(node: lower, sibling: (upper, separator(of: lower, from: bound)))
  }

  private typealias Entry = (key: UnsafeRawBufferPointer, value: UInt64, total: Int, level: Int)

  /// Where to split a full node. Keys that arrive in order, up or down, leave full nodes behind.
  private func cut(
    of node: TreeNode, insertingAt index: Int
  ) -> (position: Int, newEntryGoesLeft: Bool) {
    let count = unsafe node.count
    if index == count { return (count, false) }
    if index <= count / 8 || index >= count - count / 8 { return (index, true) }
    return (count / 2, index <= count / 2)
  }

  private func part(of node: TreeNode, _ range: Range<Int>, spare: TreeNode.Room) -> TreeNode? {
    guard !range.isEmpty else { return nil }
    return unsafe .gather(
      [.init(node: node, range: range)], owner: owner, level: node.level, spare: spare)
  }

  private mutating func place(_ entry: Entry, at index: Int, in node: TreeNode?) -> TreeNode {
    guard let node = unsafe node else {
      // The first child of an inner node has no lower bound.
      let key = unsafe entry.level > 0 ? UnsafeRawBufferPointer(start: nil, count: 0) : entry.key
      let fresh = unsafe TreeNode.allocate(
        owner: owner, level: entry.level, prefix: key,
        room: .init(slots: 8, keyBytes: entry.key.count * 4))
      unsafe fresh.insert(
        suffix: fresh.suffix(of: key), value: entry.value, total: entry.total, at: 0)
      return unsafe fresh
    }
    let target = unsafe writable(node, for: entry.key)
    unsafe target.insert(
      suffix: target.suffix(of: entry.key), value: entry.value, total: entry.total, at: index)
    return unsafe target
  }

  /// A key above every key of `left` and not above `first`: as short as can be for leaves, since
  /// inner nodes that hold short keys hold many.
  private func separator(of left: TreeNode, from first: [UInt8]) -> [UInt8] {
    guard unsafe left.isLeaf else { return first }
    let last = unsafe left.key(at: left.count - 1)
    let shared = zip(first, last).prefix { $0 == $1 }.count
    return Array(first.prefix(shared + 1))
  }

  // MARK: Removal

  /// Takes `key` out and returns the value it had.
  ///
  /// - Complexity: O(log n) comparisons.
  mutating func remove(_ key: UnsafeRawBufferPointer) -> UInt64? {
    guard let root = unsafe root else { return nil }
    let (node, removed) = unsafe remove(key, from: root)
    unsafe self.root = unsafe node
    while let root = unsafe self.root, unsafe !root.isLeaf, unsafe root.count == 1 {
      let child = unsafe root.child(at: 0, in: image)
      if unsafe isDamaged { break }
      unsafe self.root = unsafe child
      unsafe discard(root)
    }
    return removed
  }

  private mutating func remove(
    _ key: UnsafeRawBufferPointer, from node: TreeNode
  ) -> (node: TreeNode?, removed: UInt64?) {
    if unsafe node.isLeaf {
      let (index, isEqual) = unsafe node.lowerBound(key)
      guard isEqual else { return unsafe (node, nil) }
      let removed = unsafe node.value(at: index)
      return unsafe (removeEntry(at: index, of: node), removed)
    }
    let index = unsafe node.childIndex(for: key)
    let below = unsafe node.child(at: index, in: image)
    if unsafe isDamaged { return unsafe (node, nil) }
    let (child, removed) = unsafe remove(key, from: below)
    guard removed != nil else { return unsafe (node, nil) }
    guard let child = unsafe child else {
      return unsafe (removeEntry(at: index, of: node), removed)
    }
    let writable = unsafe writable(node)
    unsafe writable.setChild(child, total: writable.total(at: index) - 1, at: index)
    if unsafe child.count <= capacity / 4 { unsafe mergeChild(at: index, of: writable) }
    return unsafe (writable, removed)
  }

  private mutating func removeEntry(at index: Int, of node: TreeNode) -> TreeNode? {
    if unsafe node.count == 1 {
      unsafe discard(node)
      return nil
    }
    let writable = unsafe writable(node)
    unsafe writable.remove(at: index)
    return unsafe writable
  }

  /// Joins the child at `index` with a neighbour where both fit in one node with room to spare.
  private mutating func mergeChild(at index: Int, of node: TreeNode) {
    for left in [index - 1, index] where unsafe left >= 0 && left + 1 < node.count {
      let lower = unsafe node.child(at: left, in: image)
      let upper = unsafe node.child(at: left + 1, in: image)
      if unsafe isDamaged { return }
      guard unsafe lower.count + upper.count <= capacity * 3 / 4 else { continue }
      // An inner node does not keep its first key; its parent does.
      let bound = unsafe lower.isLeaf ? nil : node.key(at: left + 1)
      let merged = unsafe TreeNode.gather(
        [
          .init(node: lower, range: 0..<lower.count),
          .init(node: upper, range: 0..<upper.count, firstKey: bound),
        ], owner: owner, level: lower.level, spare: .init(slots: capacity / 8, keyBytes: 64))
      unsafe node.setChild(merged, total: merged.total, at: left)
      unsafe node.remove(at: left + 1)
      unsafe discard(lower)
      unsafe discard(upper)
      return
    }
  }

  private var isDamaged: Bool { unsafe image?.image.hasDamage ?? false }

  // MARK: Ownership

  /// `node` itself where it is this transaction's, else a copy that is.
  private mutating func writable(_ node: TreeNode) -> TreeNode {
    if unsafe node.owner == owner { return unsafe node }
    let copy = unsafe node.copy(owner: owner)
    unsafe discard(node)
    return unsafe copy
  }

  /// As `writable(_:)`, sharing its prefix with `key` and with room for it.
  private mutating func writable(
    _ node: TreeNode, for key: UnsafeRawBufferPointer
  ) -> TreeNode {
    let shared = unsafe node.prefixCount(sharedWith: key)
    let length = key.count - shared
    if unsafe shared == node.prefix.count && node.hasRoom(forSuffix: length) {
      return unsafe writable(node)
    }
    let copy = unsafe node.repacked(
      owner: owner, prefixCount: shared, forSuffix: length, limit: capacity)
    unsafe discard(node)
    return unsafe copy
  }

  private mutating func discard(_ node: TreeNode) {
    if unsafe node.isMapped { return }
    if unsafe node.owner == owner { unsafe node.free() } else { unsafe retired.append(node) }
  }
}
