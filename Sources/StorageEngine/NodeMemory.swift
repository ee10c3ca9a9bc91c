/// The memory of tree nodes: what one leaves behind, the next one of its size takes.
///
/// Every commit copies some nodes and frees as many. The system's allocator, made for sizes of all kinds,
/// takes longer to find a few kilobytes than it takes to fill them, and gives them back to the system in
/// between.
///
/// Invariant of the unsafe code here: a block in a list belongs to nobody else and has the size of its
/// list; its first word is the address of the next block, 0 in the last one.
enum NodeMemory {
  /// The sizes of nodes are multiples of this.
  static let grain = 256
  private static let listCount = 48
  /// How many bytes are kept at most.
  private static let most = 4 << 20
  private static let lists = Guarded(Lists())

  private struct Lists: Sendable {
    /// By size; 0 where there is none.
    var first = [UInt](repeating: 0, count: listCount)
    var held = 0
  }

  static func take(_ byteCount: Int) -> UnsafeMutableRawPointer {
    let list = byteCount / grain
    if list < listCount {
      let address = lists.withLock { lists in
        let address = lists.first[list]
        if let block = unsafe UnsafeMutableRawPointer(bitPattern: address) {
          lists.first[list] = unsafe block.load(as: UInt.self)
          lists.held -= byteCount
        }
        return address
      }
      if let block = unsafe UnsafeMutableRawPointer(bitPattern: address) { return unsafe block }
    }
    return .allocate(byteCount: byteCount, alignment: 8)
  }

  /// Takes back what `take(_:)` answered for as many bytes.
  static func give(_ block: UnsafeMutableRawPointer, _ byteCount: Int) {
    let list = byteCount / grain
    let address = UInt(bitPattern: block)
    let isKept =
      list < listCount
      && lists.withLock { lists in
        guard lists.held + byteCount <= most else { return false }
        // The lock is what makes the block's first word the list's.
        if let block = unsafe UnsafeMutableRawPointer(bitPattern: address) {
          unsafe block.storeBytes(of: lists.first[list], as: UInt.self)
        }
        lists.first[list] = address
        lists.held += byteCount
        return true
      }
    if !isKept { unsafe block.deallocate() }
  }
}
