/// Entries of varying length behind a table of their offsets:
///
///     width: 2 or 4 | count | offset × count | entry × count
///
/// Count and offsets have `width` bytes; an offset counts from the table's own start, and an entry ends
/// where the next one, or the table, does. The entries of a table of names start with the length of the
/// name (2 bytes) and the name, and are sorted by it.
///
/// Invariant of the unsafe code here: every address is inside the slice, which is checked before it is
/// read, whatever the bytes say.
public struct ByteTable: Sendable {
  private let slice: ByteSlice
  package let count: Int
  private let isWide: Bool

  package init(_ slice: ByteSlice) {
    self.slice = slice
    isWide = slice.uint8(at: 0) == 4
    count = isWide ? Int(slice.uint32(at: 1)) : Int(slice.uint16(at: 1))
  }

  /// The whole entry at `index`.
  package func entry(at index: Int) -> ByteSlice {
    let bounds = bounds(of: index)
    return slice.slice(bounds.lowerBound, bounds.upperBound)
  }

  /// The name of the entry at `index` of a table of names.
  package func name(at index: Int) -> String {
    let start = bounds(of: index).lowerBound
    return slice.string(start + 2, start + 2 + Int(slice.uint16(at: start)))
  }

  /// What follows the name in the entry at `index` of a table of names.
  package func value(at index: Int) -> ByteSlice {
    let bounds = bounds(of: index)
    return slice.slice(
      bounds.lowerBound + 2 + Int(slice.uint16(at: bounds.lowerBound)), bounds.upperBound)
  }

  /// What follows `name` in the entry of that name; nil where there is none.
  ///
  /// - Complexity: O(log n) comparisons.
  package func value(named name: String) -> ByteSlice? {
    let found =
      unsafe name.utf8.withContiguousStorageIfAvailable {
        unsafe index(of: UnsafeRawBufferPointer($0))
      } ?? Array(name.utf8).withUnsafeBytes { unsafe index(of: $0) }
    return found.map { value(at: $0) }
  }

  private func index(of name: UnsafeRawBufferPointer) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      let start = bounds(of: middle).lowerBound
      let length = Int(slice.uint16(at: start))
      let mine = unsafe UnsafeRawBufferPointer(
        start: slice.checked(start + 2, length), count: length)
      let order = unsafe compareBytes(mine, name)
      if order == 0 { return middle }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  private func bounds(of index: Int) -> Range<Int> {
    precondition(index >= 0 && index < count, "there is no such entry")
    let start = offset(index)
    let end = index + 1 < count ? offset(index + 1) : slice.count
    precondition(start <= end, "the record's table is damaged")
    return start..<end
  }

  /// Where the entry at `index` starts.
  package func offset(_ index: Int) -> Int {
    isWide ? Int(slice.uint32(at: 5 + index * 4)) : Int(slice.uint16(at: 3 + index * 2))
  }
}
