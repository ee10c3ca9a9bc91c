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
    return unsafe Int(UInt32(littleEndian: word.load(as: UInt32.self)))
  }

  private static let wordSize = 4

  /// Copies of `records`.
  package init(copying records: [ByteSlice]) {
    unsafe self.init(
      sources: records.map { record in
        unsafe UnsafeRawBufferPointer(start: record.checked(0, record.count), count: record.count)
      })
    // The sources' bytes are theirs until here.
    withExtendedLifetime(records) {}
  }

  fileprivate init(sources: [UnsafeRawBufferPointer]) {
    let count = unsafe sources.count
    self.count = count
    let start = (count + 1) * RecordPage.wordSize
    var size = start
    for index in unsafe sources.indices { size += unsafe sources[index].count }
    storage = unsafe SharedBytes(count: size) { target in
      var offset = start
      for index in unsafe sources.indices {
        let source = unsafe sources[index]
        unsafe target.storeBytes(
          of: UInt32(offset).littleEndian, toByteOffset: index * RecordPage.wordSize,
          as: UInt32.self)
        if let address = source.baseAddress {
          unsafe (target + offset).copyMemory(from: address, byteCount: source.count)
        }
        offset += source.count
      }
      unsafe target.storeBytes(
        of: UInt32(offset).littleEndian, toByteOffset: count * RecordPage.wordSize,
        as: UInt32.self)
    }
  }
}

extension Version {
  /// Copies of the records with these numbers.
  package func page(of numbers: [UInt64]) -> RecordPage {
    // In passes, so that the memory of all records is waited for at once and not one after another.
    var sources: [UnsafeRawBufferPointer] = unsafe []
    unsafe sources.reserveCapacity(numbers.count)
    for number in numbers {
      if let record = unsafe records.address(of: number, in: view) {
        unsafe sources.append(UnsafeRawBufferPointer(start: record, count: 0))
      }
    }
    for index in unsafe sources.indices {
      if let record = unsafe sources[index].baseAddress {
        unsafe sources[index] = unsafe RecordTable.bytes(at: record)
      }
    }
    return unsafe RecordPage(sources: sources)
  }
}
