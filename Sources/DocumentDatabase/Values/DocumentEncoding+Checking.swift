import StorageEngine

/// Whether bytes from a file are the stored form of something: what reading them relies on, and no more.
/// Checksums tell damage; this keeps a file that was made to do harm from reaching a precondition.
extension StoredDocument {
  /// Whether every part of `record` can be read.
  static func isWellFormed(_ record: ByteSlice) -> Bool {
    guard record.count >= pathStart else { return false }
    let end = pathStart + Int(record.uint16(at: 16))
    let id = pathStart + Int(record.uint16(at: 18))
    guard end <= record.count, id > pathStart, id < end,
      record.uint8(at: id - 1) == UInt8(ascii: "/")
    else { return false }
    return ByteTable.isWellFormed(record.slice(end, record.count), isMap: true)
  }
}

extension ByteTable {
  /// A document nests at most 20 levels.
  private static let deepest = 64

  static func isWellFormed(_ slice: ByteSlice, isMap: Bool, level: Int = 0) -> Bool {
    guard level < deepest, slice.count >= 3 else { return false }
    let width = Int(slice.uint8(at: 0))
    guard width == 2 || (width == 4 && slice.count >= 5) else { return false }
    let table = ByteTable(slice)
    let start = 1 + width + table.count * width
    guard start <= slice.count else { return false }
    var end = start
    for index in 0..<table.count {
      let next = index + 1 < table.count ? table.offset(index + 1) : slice.count
      guard table.offset(index) == end, end <= next, next <= slice.count else { return false }
      guard isWellFormedEntry(slice.slice(end, next), isMap: isMap, level: level) else {
        return false
      }
      end = next
    }
    return end == slice.count
  }

  private static func isWellFormedEntry(_ entry: ByteSlice, isMap: Bool, level: Int) -> Bool {
    guard isMap else { return EncodedValue.isWellFormed(entry, level: level) }
    guard entry.count >= 2 else { return false }
    let end = 2 + Int(entry.uint16(at: 0))
    return end <= entry.count
      && EncodedValue.isWellFormed(entry.slice(end, entry.count), level: level)
  }
}
