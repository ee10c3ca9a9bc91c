/// What must hold of an object in an image before it is read. Each answers what is wrong; nil where all
/// is well. Offsets may come from objects with a right checksum that were made to do harm.
///
/// Invariant of the unsafe code here: nothing is loaded that is not inside the object's part of the file,
/// and every part is inside the file, which `ImageHeader` has checked.
extension Image {
  /// The checksum of an object starts with what it is and where it stands, so that no object can pass for
  /// another.
  static func seed(_ kind: ImageHeader.Part, at offset: Int, after seed: UInt32) -> UInt32 {
    var place = UInt64(offset).littleEndian
    return unsafe withUnsafeBytes(of: &place) {
      unsafe Checksum.of($0, after: seed ^ kind.rawValue)
    }
  }

  func problem(ofRecordAt offset: Int) -> String? {
    let room = header.pagesStart - offset
    guard offset >= ImageHeader.size, offset & 7 == 0, room >= ImageHeader.recordHeaderSize else {
      return "a record is not where records are"
    }
    let record = unsafe base + offset
    let count = unsafe Int(record.load(as: UInt32.self))
    guard count <= room - ImageHeader.recordHeaderSize else {
      return "a record is longer than the file"
    }
    let seed = Image.seed(.record, at: offset, after: header.seed)
    let head = unsafe Checksum.of(UnsafeRawBufferPointer(start: record, count: 4), after: seed)
    let bytes = unsafe RecordTable.bytes(at: record)
    let found = unsafe record.load(fromByteOffset: 4, as: UInt32.self)
    return unsafe Checksum.of(bytes, after: head) == found
      ? nil : "the checksum of a record is wrong"
  }

  func problem(ofPageAt offset: Int) -> String? {
    guard offset >= header.pagesStart, offset <= header.nodesStart - ImageHeader.pageSize else {
      return "a page of the table of records is not where they are"
    }
    let page = unsafe UnsafeRawBufferPointer(start: base + offset, count: ImageHeader.pageSize)
    let seed = Image.seed(.page, at: offset, after: header.seed)
    let checksum = unsafe Checksum.of(UnsafeRawBufferPointer(rebasing: page[4...]), after: seed)
    guard unsafe checksum == page.load(as: UInt32.self) else {
      return "the checksum of a page of the table of records is wrong"
    }
    let start = unsafe page.load(fromByteOffset: 8, as: UInt64.self)
    let last = header.pagesStart - ImageHeader.recordHeaderSize
    guard start >= ImageHeader.size, start & 7 == 0, start <= last else {
      return "a page of the table of records starts nowhere"
    }
    for slot in 0..<ImageHeader.recordsPerPage {
      let distance = unsafe page.load(fromByteOffset: 16 + slot * 4, as: UInt32.self)
      guard Int(start) + Int(distance) << 3 <= last else {
        return "the table of records points out of the file"
      }
    }
    return nil
  }

  func problem(ofNodeAt offset: Int) -> String? {
    let room = header.nodesEnd - offset
    guard offset >= header.nodesStart, offset & 7 == 0, room >= TreeNode.Offset.header else {
      return "a node is not where nodes are"
    }
    let node = unsafe TreeNode(base: UnsafeMutableRawPointer(mutating: base + offset))
    let byteCount = unsafe node.byteCount
    guard byteCount >= TreeNode.Offset.header, byteCount <= room, byteCount & 7 == 0 else {
      return "a node is longer than the file"
    }
    let seed = Image.seed(.node, at: offset, after: header.seed)
    guard unsafe node.checksum(after: seed) == node.storedChecksum else {
      return "the checksum of a node is wrong"
    }
    if let reason = unsafe node.contradiction { return reason }
    return unsafe node.isLeaf ? nil : problem(withChildrenOf: node, at: offset)
  }

  /// Children stand before their parents, so no node is its own descendant.
  private func problem(withChildrenOf node: TreeNode, at offset: Int) -> String? {
    var sum: UInt64 = 0
    for index in unsafe 0..<node.count {
      let reference = unsafe node.reference(at: index)
      let child = Int(truncatingIfNeeded: reference >> 1)
      guard reference & 1 == 1, child >= header.nodesStart, child < offset, child & 7 == 0 else {
        return "a node refers to no node before it"
      }
      let total = unsafe node.counts[index]
      guard total > 0, total <= UInt64(header.entryCount) else {
        return "a node counts entries that are not there"
      }
      sum &+= total
      // Never more than there are, so the sum does not overflow.
      guard sum <= UInt64(header.entryCount) else { return "a node counts too many entries" }
    }
    guard unsafe sum == node.counts[node.count] else {
      return "a node counts entries that are not there"
    }
    return nil
  }
}

extension TreeNode {
  /// Of the whole node but the checksum itself.
  func checksum(after seed: UInt32) -> UInt32 {
    let whole = unsafe UnsafeRawBufferPointer(start: base, count: byteCount)
    let head = unsafe Checksum.of(
      UnsafeRawBufferPointer(rebasing: whole[..<Offset.checksum]), after: seed)
    return unsafe Checksum.of(
      UnsafeRawBufferPointer(rebasing: whole[(Offset.checksum + 4)...]), after: head)
  }

  var storedChecksum: UInt32 { unsafe base.load(fromByteOffset: Offset.checksum, as: UInt32.self) }

  /// How this node, of whose `byteCount` bytes nothing but the number is known, contradicts itself.
  fileprivate var contradiction: String? {
    guard unsafe isMapped, unsafe level < 64, unsafe count > 0 else {
      return "the header of a node cannot be right"
    }
    guard unsafe prefixCount <= min(WriteTransaction.longestKey, byteCount) else {
      return "a node has a prefix longer than a key"
    }
    let reason = unsafe isTight ? tightContradiction : roomyContradiction
    return unsafe reason ?? orderContradiction
  }

  private var tightContradiction: String? {
    let floor = unsafe TreeNode.tightFloor(count: count)
    let limit = unsafe byteCount - prefixCount
    guard unsafe isLeaf, floor <= limit else { return "a node has more entries than room" }
    let ends = unsafe tightEnds
    for index in unsafe 0..<count {
      let length = unsafe Int(ends[index + 1]) - Int(ends[index])
      guard length >= 8, unsafe length + prefixCount <= WriteTransaction.longestKey else {
        return "a node has a key of an impossible length"
      }
    }
    let tails = unsafe Int(ends[count]) - 8 * count
    guard unsafe ends[0] == 0, tails <= limit - floor else {
      return "a node has keys that are not in it"
    }
    return nil
  }

  private var roomyContradiction: String? {
    let limit = unsafe byteCount - prefixCount
    guard unsafe slotCapacity >= (isLeaf ? count : count + 1), unsafe heapFloor <= limit else {
      return "a node has more entries than room"
    }
    for index in unsafe 0..<count {
      let (offset, length) = unsafe (Int(offsets[index]), Int(lengths[index]))
      guard unsafe length + prefixCount <= WriteTransaction.longestKey else {
        return "a node has a key of an impossible length"
      }
      guard unsafe offset >= heapFloor, offset <= limit - length else {
        return "a node has keys that are not in it"
      }
      let head = unsafe TreeNode.head(
        of: UnsafeRawBufferPointer(start: base + offset, count: length))
      guard unsafe head == heads[index] else { return "a node has a key with another head" }
    }
    return nil
  }

  /// Keys ascend; the first one of an inner node is no bound.
  private var orderContradiction: String? {
    let first = unsafe isLeaf ? 1 : 2
    guard unsafe first < count else { return nil }
    for index in unsafe first..<count where unsafe !isAscending(at: index) {
      return "the keys of a node do not ascend"
    }
    return nil
  }

  private func isAscending(at index: Int) -> Bool {
    if unsafe heads[index - 1] != heads[index] { return unsafe heads[index - 1] < heads[index] }
    let (before, here) = unsafe (suffixCount(at: index - 1), suffixCount(at: index))
    let left = unsafe UnsafeRawBufferPointer(start: tail(at: index - 1), count: max(before - 8, 0))
    let right = unsafe UnsafeRawBufferPointer(start: tail(at: index), count: max(here - 8, 0))
    let order = unsafe compareBytes(left, right)
    return order == 0 ? before < here : order < 0
  }
}
