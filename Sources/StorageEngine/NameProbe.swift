#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A name that is looked for in a narrow table of names. Its length and first six bytes are one word, as
/// they stand at the start of an entry: that word tells nearly all names apart.
///
/// Invariant of the unsafe code here: `name` is valid as long as the probe is used; `base` points at
/// `size` bytes that start with the table and have its offsets among them; every offset found there is
/// checked against `size` before it is followed.
@safe
@usableFromInline
struct NameProbe {
  @usableFromInline let name: UnsafeRawBufferPointer
  @usableFromInline let wanted: UInt64
  @usableFromInline let mask: UInt64

  @inlinable @inline(__always)
  init(_ name: UnsafeRawBufferPointer) {
    unsafe self.name = unsafe name
    let length = name.count
    var bytes: UInt64 = 0
    if length >= 4, let first = name.baseAddress {
      // Two loads that overlap where there are fewer than six bytes.
      let second = min(length, 6) &- 2
      bytes = unsafe UInt64(first.loadUnaligned(as: UInt32.self).littleEndian)
      bytes |= unsafe UInt64(uint16(first, second)) &<< UInt64(8 &* second)
    } else {
      for index in 0..<length { bytes |= unsafe UInt64(name[index]) &<< UInt64(8 &* index) }
    }
    wanted = bytes &<< 16 | UInt64(UInt16(truncatingIfNeeded: length))
    mask = length >= 6 ? .max : (1 &<< UInt64(16 &+ 8 &* length)) &- 1
  }

  /// The entry at `index` of the `count` entries of a narrow table of `size` bytes; nil where it has
  /// another name.
  @inlinable @inline(__always)
  func match(
    _ index: Int, of count: Int, _ base: UnsafeRawPointer, _ size: Int
  ) -> Range<Int>? {
    let cell = 3 &+ 2 &* index
    let start = unsafe Int(uint16(base, cell))
    let value = unsafe start &+ 2 &+ name.count
    if value > size { return nil }
    if start <= size &- 8 {
      let word = unsafe base.loadUnaligned(fromByteOffset: start, as: UInt64.self).littleEndian
      if word & mask != wanted { return nil }
      if unsafe name.count > 6 && !hasName(base + (start + 2), from: 6) { return nil }
    } else if unsafe uint16(base, start) != name.count || !hasName(base + (start + 2), from: 0) {
      return nil
    }
    let end = unsafe index &+ 1 < count ? Int(uint16(base, cell &+ 2)) : size
    precondition(value <= end && end <= size, "the record's table is damaged")
    return value..<end
  }

  /// What tells most names apart: their length, the first six bytes and the last one.
  @inlinable @inline(__always)
  var hash: UInt64 {
    guard let last = unsafe name.last else { return wanted }
    return wanted ^ UInt64(last) &<< 8
  }

  /// Whether the name stands at `address`, of which the first `start` bytes are known to be the same.
  @inlinable @inline(__always)
  func hasName(_ address: UnsafeRawPointer, from start: Int) -> Bool {
    guard let first = unsafe name.baseAddress else { return true }
    if unsafe name.count > 16 { return unsafe hasLongName(address) }
    // A short name was just written to the stack, from where wide loads have to wait for it.
    var index = start
    while unsafe index < name.count {
      if unsafe address.load(fromByteOffset: index, as: UInt8.self)
        != first.load(fromByteOffset: index, as: UInt8.self)
      {
        return false
      }
      index &+= 1
    }
    return true
  }

  @usableFromInline
  func hasLongName(_ address: UnsafeRawPointer) -> Bool {
    guard let first = unsafe name.baseAddress else { return true }
    return unsafe memcmp(address, first, name.count) == 0
  }
}

@inlinable @inline(__always)
func uint16(_ base: UnsafeRawPointer, _ offset: Int) -> UInt16 {
  unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt16.self).littleEndian
}
