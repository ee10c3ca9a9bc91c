/// Reading what is whole of an image without trusting that anything else is.
extension Image {
  /// The entries of every leaf that is whole, in any order. What is between whole nodes is told to
  /// `damage`, once for each gap.
  func wholeLeaves(
    _ damage: (StorageError) -> Void
  ) -> [(key: [UInt8], number: UInt64)] {
    var entries: [(key: [UInt8], number: UInt64)] = []
    var offset = header.nodesStart
    var isInGap = false
    while offset < header.nodesEnd {
      if let reason = problem(ofNodeAt: offset) {
        if !isInGap { damage(.corrupt(file: path, offset: offset, reason: reason)) }
        isInGap = true
        offset += 8
        continue
      }
      isInGap = false
      let node = unsafe TreeNode(base: UnsafeMutableRawPointer(mutating: base + offset))
      if unsafe node.isLeaf {
        for index in unsafe 0..<node.count {
          unsafe entries.append((node.key(at: index), node.value(at: index)))
        }
      }
      unsafe offset += node.byteCount
    }
    return entries
  }

  /// Hands every record that is whole to `found`, with its number, and tells `damage` of the others.
  /// Records are found by the table and, where a page of it is damaged, one behind the other.
  func wholeRecords(
    found: (UInt64, ByteSlice) -> Void, damage: (StorageError) -> Void
  ) {
    var page = 0
    var isWhole = false
    var next: Int? = ImageHeader.size
    for number in 0..<header.recordCount {
      let slot = number % ImageHeader.recordsPerPage
      if slot == 0 {
        page = header.pagesStart + number / ImageHeader.recordsPerPage * ImageHeader.pageSize
        let reason = problem(ofPageAt: page)
        isWhole = reason == nil
        if let reason { damage(.corrupt(file: path, offset: page, reason: reason)) }
      }
      let offset = unsafe isWhole ? ImageView.offset(ofSlot: slot, inPageAt: base + page) : next
      // Behind a record of unknown length, nobody knows where the next one is.
      guard let offset else { continue }
      if let reason = problem(ofRecordAt: offset) {
        damage(.corrupt(file: path, offset: offset, reason: reason))
        next = nil
        continue
      }
      let bytes = unsafe RecordTable.bytes(at: base + offset)
      found(UInt64(number), unsafe MappedBytes.copy(of: bytes))
      next = (offset + ImageHeader.recordHeaderSize + bytes.count + 7) & ~7
    }
  }
}
