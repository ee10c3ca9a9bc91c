/// Entries of varying length behind a table of their offsets:
///
///     width: 2 or 4 | count | offset × count | entry × count
///
/// Count and offsets have `width` bytes; an offset counts from the table's own start, and an entry ends
/// where the next one, or the table, does. The entries of a table of names start with the length of the
/// name (2 bytes) and the name, and are sorted by it.
///
/// Invariant of the unsafe code here: every address is inside the slice, which is checked before it is
/// read, whatever the bytes say. (Public so that it can be inlined; see `SharedBytes`.)
public struct ByteTable: Sendable {
  // Nothing but the slice: three words are passed in registers, more of them would go through memory.
  @usableFromInline package let slice: ByteSlice

  @inlinable
  package init(_ slice: ByteSlice) { self.slice = slice }

  package var count: Int { isWide ? Int(slice.uint32(at: 1)) : Int(slice.uint16(at: 1)) }

  private var isWide: Bool { slice.uint8(at: 0) == 4 }

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

  /// Where what follows the name in the entry at `index` of a table of names stands in `slice`.
  package func valueBounds(of index: Int) -> Range<Int> {
    let bounds = bounds(of: index)
    return bounds.lowerBound + 2 + Int(slice.uint16(at: bounds.lowerBound))..<bounds.upperBound
  }

  /// Where what follows `name` in the entry of that name stands in `slice`; nil where there is none.
  ///
  /// - Complexity: O(log n) comparisons; O(1) where the last table had the name at the same position.
  @inlinable @inline(__always)
  package func place(of name: consuming String) -> Range<Int>? {
    name.withUTF8 { unsafe place(of: UnsafeRawBufferPointer($0)) }
  }

  @inlinable @inline(__always)
  func place(of name: UnsafeRawBufferPointer) -> Range<Int>? {
    let base = unsafe UnsafeRawPointer(slice.checked(0, slice.count))
    guard slice.count >= 3, unsafe base.load(as: UInt8.self) == 2, name.count <= UInt16.max else {
      return unsafe halve(for: name)
    }
    let count = unsafe Int(uint16(base, 1))
    precondition(3 &+ 2 &* count <= slice.count, "the record's table is damaged")
    let probe = unsafe NameProbe(name)
    let guess = FieldPositions.shared[probe.hash]
    if guess < count, let found = unsafe probe.match(guess, of: count, base, slice.count) {
      return found
    }
    return unsafe search(for: probe, name)
  }

  /// Among few names, looking at each is faster than halving: no look waits for the one before.
  @usableFromInline
  func search(for probe: NameProbe, _ name: UnsafeRawBufferPointer) -> Range<Int>? {
    let count = count
    if count > ByteTable.mostScanned { return unsafe halve(for: name) }
    let base = unsafe UnsafeRawPointer(slice.checked(0, slice.count))
    let lastWord = slice.count &- 8
    for index in 0..<count {
      let start = unsafe Int(uint16(base, 3 &+ 2 &* index))
      if start <= lastWord {
        let word = unsafe base.loadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian
        if word & probe.mask != probe.wanted { continue }
      }
      if let found = unsafe probe.match(index, of: count, base, slice.count) {
        FieldPositions.shared.note(index, of: probe.hash)
        return found
      }
    }
    return nil
  }

  private static let mostScanned = 16

  @usableFromInline
  func halve(for name: UnsafeRawBufferPointer) -> Range<Int>? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      let order = unsafe compareBytes(self.name(middle), name)
      if order == 0 { return valueBounds(of: middle) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  private func name(_ index: Int) -> UnsafeRawBufferPointer {
    let start = offset(index)
    let length = Int(slice.uint16(at: start))
    return unsafe UnsafeRawBufferPointer(start: slice.checked(start + 2, length), count: length)
  }

  /// Where the entry at `index` stands in `slice`.
  package func bounds(of index: Int) -> Range<Int> {
    precondition(index >= 0 && index < count, "there is no such entry")
    let start = offset(index)
    let end = index + 1 < count ? offset(index + 1) : slice.count
    precondition(start <= end, "the record's table is damaged")
    return start..<end
  }

  /// The texts behind one byte, which is `tag`, in all entries; nil where one has another byte.
  package func texts(tagged tag: UInt8) -> [String]? {
    let count = count
    var texts: [String] = []
    texts.reserveCapacity(count)
    var end = count == 0 ? 0 : offset(0)
    for index in 0..<count {
      let start = end
      end = index + 1 < count ? offset(index + 1) : slice.count
      guard slice.uint8(at: start) == tag else { return nil }
      texts.append(slice.string(start + 1, end))
    }
    return texts
  }

  /// Where the entry at `index` starts.
  package func offset(_ index: Int) -> Int {
    isWide ? Int(slice.uint32(at: 5 + index * 4)) : Int(slice.uint16(at: 3 + index * 2))
  }
}
