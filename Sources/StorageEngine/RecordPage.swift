/// Copies of records in one allocation, in the order in which they were read.
package struct RecordPage: RandomAccessCollection, Sendable {
  /// For each record, and for the end, the offset of its first byte; then the records.
  private let storage: SharedBytes
  package let count: Int

  package var startIndex: Int { 0 }
  package var endIndex: Int { count }

  package subscript(position: Int) -> ByteSlice {
    precondition(position >= 0 && position < count, "there is no such record on the page")
    let start = offset(at: position)
    return ByteSlice(storage: storage, offset: start, count: offset(at: position + 1) - start)
  }

  private func offset(at position: Int) -> Int {
    let word = unsafe storage.checked(position * RecordPage.wordSize, RecordPage.wordSize)
    return unsafe word.load(as: Int.self)
  }

  private static let wordSize = 8

  /// Copies of `records`.
  package init(copying records: [ByteSlice]) {
    self = unsafe withUnsafeTemporaryAllocation(
      of: UnsafeRawBufferPointer.self, capacity: records.count
    ) { sources in
      for (index, record) in records.enumerated() {
        unsafe sources[index] = unsafe UnsafeRawBufferPointer(
          start: record.checked(0, record.count), count: record.count)
      }
      return unsafe RecordPage(sources: sources)
    }
    // The sources' bytes are theirs until here.
    withExtendedLifetime(records) {}
  }

  fileprivate init(sources: UnsafeMutableBufferPointer<UnsafeRawBufferPointer>) {
    let count = sources.count
    self.count = count
    let start = (count + 1) * RecordPage.wordSize
    var size = start
    for index in 0..<count { size += unsafe sources[index].count }
    storage = unsafe SharedBytes(count: size) { target in
      let ends = unsafe target.assumingMemoryBound(to: Int.self)
      var offset = start
      for index in 0..<count {
        let source = unsafe sources[index]
        unsafe ends[index] = offset
        if let address = source.baseAddress {
          unsafe (target + offset).copyMemory(from: address, byteCount: source.count)
        }
        offset += source.count
      }
      unsafe ends[count] = offset
    }
  }
}

extension Version {
  /// Copies of the records with these numbers, as many of them as there are.
  package func page(of numbers: [UInt64]) -> RecordPage {
    unsafe withUnsafeTemporaryAllocation(
      of: UnsafeRawBufferPointer.self, capacity: numbers.count
    ) { sources in
      // In passes, so that the memory of all records is waited for at once and not one after another.
      var count = 0
      for number in numbers {
        guard let record = unsafe records.address(of: number, in: view) else { continue }
        unsafe sources[count] = UnsafeRawBufferPointer(start: record, count: 0)
        count += 1
      }
      for index in 0..<count {
        guard let record = unsafe sources[index].baseAddress else { continue }
        unsafe sources[index] = unsafe RecordTable.bytes(at: record)
      }
      return unsafe RecordPage(
        sources: UnsafeMutableBufferPointer(rebasing: sources[..<count]))
    }
  }
}
