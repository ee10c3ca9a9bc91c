/// The layout of most leaves in an image: smaller, since nothing is ever inserted there.
///
///     header | heads | values (4 bytes each) | ends (2 bytes each, one more) | tails | 0 ... | prefix
///
/// Every suffix has eight bytes at least. A head is the first eight of them and is not stored again;
/// the tails, what is left of the suffixes, stand one behind the other. Suffix `i` reaches from `ends[i]`
/// to `ends[i + 1]` of all suffixes put together.
///
/// Invariant of the unsafe code here: as for `TreeNode`.
extension TreeNode {
  static func tightFloor(count: Int) -> Int { Offset.header + count * 14 + 2 }

  /// Only a leaf in an image has no slots to fill.
  var isTight: Bool { unsafe slotCapacity == 0 }

  var tightValues: UnsafeMutablePointer<UInt32> {
    unsafe (base + (Offset.header + count * 8)).assumingMemoryBound(to: UInt32.self)
  }

  var tightEnds: UnsafeMutablePointer<UInt16> {
    unsafe (base + (Offset.header + count * 12)).assumingMemoryBound(to: UInt16.self)
  }

  func tightSuffixCount(at index: Int) -> Int {
    let ends = unsafe tightEnds
    return unsafe Int(ends[index + 1]) - Int(ends[index])
  }

  func tightTail(at index: Int) -> UnsafeMutableRawPointer {
    unsafe base + (TreeNode.tightFloor(count: count) + Int(tightEnds[index]) - 8 * index)
  }

  /// Puts head and tail together.
  func withTightSuffix<Result>(
    at index: Int, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    let length = unsafe tightSuffixCount(at: index)
    return unsafe withUnsafeTemporaryAllocation(byteCount: length, alignment: 8) { buffer in
      unsafe buffer.storeBytes(of: heads[index].bigEndian, as: UInt64.self)
      unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[8...])
        .copyMemory(from: UnsafeRawBufferPointer(start: tightTail(at: index), count: length - 8))
      return unsafe body(UnsafeRawBufferPointer(buffer))
    }
  }
}
