/// One state of the store that never changes: what a reader holds while it reads.
///
/// Memory. A transaction retires what it replaces; older versions still reach it. Each version refers
/// to the next one and owns what that one retired. A version is therefore destroyed only after every
/// older one, and then nobody reaches what it owns. The last version of a store has no successor and
/// frees all that is left.
///
/// Invariant of the unsafe code here: `tree` and `records` are immutable once the version is published
/// (see `TreeNode`); `successor`, `retired`, `isLast` and `isAbandoned` are written by the writer that
/// holds the store's lock and read only in `deinit`, which runs after the last reference is gone.
@safe
package final class Version: @unchecked Sendable {
  /// Counts the committed transactions.
  package let number: UInt64
  let tree: TreeNode?
  let records: RecordTable

  private var successor: Version?
  private var retired = unsafe Retired()
  private var isLast = true
  private var isAbandoned = false

  /// Nodes and records that only older versions reach.
  @unsafe
  struct Retired {
    var nodes: [TreeNode] = unsafe []
    var pages: [UnsafeMutableRawPointer] = unsafe []
    var records: [UnsafeMutableRawPointer] = unsafe []
  }

  init(number: UInt64, tree: TreeNode?, records: RecordTable) {
    self.number = number
    unsafe self.tree = unsafe tree
    unsafe self.records = unsafe records
  }

  func succeed(by next: Version, retiring retired: Retired) {
    successor = next
    unsafe self.retired = unsafe retired
    isLast = false
  }

  /// Forgets the versions after this one, which were never published; another may follow instead.
  /// What they alone reach is not freed: it happens once at most, where a disk fails.
  func abandonSuccessors() {
    var next = successor
    while let version = next {
      version.isAbandoned = true
      next = version.successor
    }
    successor = nil
    unsafe retired = unsafe Retired()
    isLast = true
  }

  deinit {
    if isLast && !isAbandoned {
      unsafe tree?.freeAll()
      unsafe records.freeAll()
      return
    }
    if !isAbandoned {
      unsafe retired.nodes.forEach { unsafe $0.free() }
      unsafe retired.pages.forEach { unsafe $0.deallocate() }
      unsafe retired.records.forEach { unsafe $0.deallocate() }
    }
    // One version at a time: a long chain would overflow the stack if each freed the next.
    var next = successor
    successor = nil
    while let version = Version.takeIfUnique(&next) {
      next = version.successor
      version.successor = nil
    }
  }

  private static func takeIfUnique(_ version: inout Version?) -> Version? {
    guard version != nil, isKnownUniquelyReferenced(&version) else { return nil }
    return version.take()
  }

  /// How many keys there are.
  package var count: Int { unsafe tree?.total ?? 0 }

  /// The record numbers' value stored under `key`.
  ///
  /// - Complexity: O(log n).
  package func value(for key: borrowing ByteWriter) -> UInt64? {
    unsafe tree?.value(for: key.raw)
  }

  /// How many keys sort before `key`.
  ///
  /// - Complexity: O(log n).
  package func rank(of key: [UInt8]) -> Int {
    unsafe key.withUnsafeBytes { unsafe tree?.seek($0).rank ?? 0 }
  }

  /// A copy of the record `number`; nil where there is none.
  package func record(_ number: UInt64) -> ByteSlice? { unsafe records.copy(number) }
}

extension TreeNode {
  /// Frees this node and all below it; where `owner` is given, only that transaction's nodes.
  func freeAll(ownedBy owner: UInt64? = nil) {
    if let owner, unsafe self.owner != owner { return }
    if unsafe !isLeaf {
      for index in unsafe 0..<count { unsafe child(at: index).freeAll(ownedBy: owner) }
    }
    unsafe free()
  }
}

extension RecordTable {
  /// Frees the table and the records in it; where `owner` is given, only that transaction's nodes.
  func freeAll(ownedBy owner: UInt64? = nil) {
    if let root = unsafe root { unsafe RecordTable.free(root, height: height, ownedBy: owner) }
  }

  private static func free(
    _ node: UnsafeMutableRawPointer, height: Int, ownedBy owner: UInt64?
  ) {
    if let owner, unsafe self.owner(of: node) != owner { return }
    for slot in unsafe 0..<fanout {
      guard let word = unsafe word(slot, of: node) else { continue }
      if height > 1 {
        unsafe free(word, height: height - 1, ownedBy: owner)
      } else if owner == nil {
        unsafe word.deallocate()
      }
    }
    unsafe node.deallocate()
  }
}
