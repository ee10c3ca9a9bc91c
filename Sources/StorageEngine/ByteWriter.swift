#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A growing run of bytes: keys and records are put together in one and copied out once.
///
/// Invariant of the unsafe code here: `base` points at `capacity` bytes that belong to this value
/// alone (it cannot be copied), of which the first `count` are initialised.
@safe
package struct ByteWriter: ~Copyable {
  private(set) var base: UnsafeMutableRawPointer
  package private(set) var count = 0
  private var capacity: Int

  package init(capacity: Int = 256) {
    self.capacity = max(capacity, 16)
    unsafe base = .allocate(byteCount: self.capacity, alignment: 8)
  }

  deinit { unsafe base.deallocate() }

  package mutating func removeAll() { count = 0 }

  /// Drops what was written after the first `length` bytes.
  package mutating func truncate(to length: Int) {
    precondition(length >= 0 && length <= count)
    count = length
  }

  package mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count += 1
  }

  /// Appends the bytes of `value` in memory order; use `.bigEndian` or `.littleEndian` on it.
  package mutating func append(word value: some FixedWidthInteger & BitwiseCopyable) {
    let size = value.bitWidth / 8
    reserve(size)
    unsafe (base + count).storeBytes(of: value, as: type(of: value))
    count += size
  }

  package mutating func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append(raw: $0) }
  }

  package mutating func append(_ slice: ByteSlice) {
    unsafe append(
      raw: UnsafeRawBufferPointer(start: slice.checked(0, slice.count), count: slice.count))
  }

  /// Appends the UTF-8 bytes of `text`.
  package mutating func append(_ text: String) {
    unsafe withBytes(of: text) { writer, bytes in unsafe writer.append(raw: bytes) }
  }

  /// Appends the first `limit` UTF-8 bytes of `text` with each zero byte followed by FF, so that a
  /// terminator of 00 and a smaller byte sorts before every continuation. Answers whether
  /// something was cut.
  package mutating func append(escaping text: String, limit: Int) -> Bool {
    unsafe withBytes(of: text) { writer, bytes in
      unsafe writer.append(escapingRaw: bytes, limit: limit)
    }
  }

  /// As `append(escaping:limit:)` for a byte array.
  package mutating func append(escaping bytes: [UInt8], limit: Int) -> Bool {
    var isCut = false
    unsafe bytes.withUnsafeBytes { isCut = unsafe append(escapingRaw: $0, limit: limit) }
    return isCut
  }

  /// As `append(escaping:limit:)` for a part of a record.
  package mutating func append(escaping slice: ByteSlice, limit: Int) -> Bool {
    unsafe append(
      escapingRaw: UnsafeRawBufferPointer(
        start: slice.checked(0, slice.count), count: slice.count), limit: limit)
  }

  /// Inverts the bits of everything written since `start`: the descending form of a key part.
  package mutating func invert(from start: Int) {
    precondition(start >= 0 && start <= count)
    for offset in start..<count {
      let pointer = unsafe base + offset
      unsafe pointer.storeBytes(of: ~pointer.load(as: UInt8.self), as: UInt8.self)
    }
  }

  /// Overwrites four bytes written earlier.
  package mutating func store(_ value: UInt32, at offset: Int) {
    precondition(offset >= 0 && offset <= count - 4)
    unsafe (base + offset).storeBytes(of: value, as: UInt32.self)
  }

  /// Overwrites two bytes written earlier.
  package mutating func store(_ value: UInt16, at offset: Int) {
    precondition(offset >= 0 && offset <= count - 2)
    unsafe (base + offset).storeBytes(of: value, as: UInt16.self)
  }

  package func hasSameBytes(as other: borrowing ByteWriter) -> Bool {
    unsafe count == other.count && memcmp(base, other.base, count) == 0
  }

  /// FNV-1a, 64 bits: the same in every process.
  package var fingerprint: UInt64 {
    var hash: UInt64 = 0xCBF2_9CE4_8422_2325
    for offset in 0..<count {
      let byte = unsafe (base + offset).load(as: UInt8.self)
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
    }
    return hash
  }

  package var bytes: [UInt8] { unsafe [UInt8](raw) }

  var raw: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: base, count: count) }

  mutating func append(copying source: UnsafeRawBufferPointer) { unsafe append(raw: source) }

  package mutating func append(_ other: borrowing ByteWriter) { unsafe append(raw: other.raw) }

  private mutating func append(raw source: UnsafeRawBufferPointer) {
    guard let address = source.baseAddress, source.count > 0 else { return }
    reserve(source.count)
    unsafe (base + count).copyMemory(from: address, byteCount: source.count)
    count += source.count
  }

  private mutating func append(escapingRaw source: UnsafeRawBufferPointer, limit: Int) -> Bool {
    let taken = unsafe UnsafeRawBufferPointer(rebasing: source.prefix(limit))
    if let address = taken.baseAddress, unsafe memchr(address, 0, taken.count) != nil {
      for byte in unsafe [UInt8](taken) {
        append(byte)
        if byte == 0 { append(0xFF) }
      }
    } else {
      unsafe append(raw: taken)
    }
    return source.count > limit
  }

  /// Lets `body` read the UTF-8 bytes of `text`. A string that is not contiguous is copied first.
  private mutating func withBytes<Result>(
    of text: String, _ body: (inout ByteWriter, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    var text = text
    return text.withUTF8 { unsafe body(&self, UnsafeRawBufferPointer($0)) }
  }

  private mutating func reserve(_ size: Int) {
    guard capacity - count < size else { return }
    capacity = max(capacity * 2, count + size)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    unsafe larger.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = unsafe larger
  }
}

/// The order of two byte strings: negative, zero or positive as `memcmp`, a proper prefix first.
func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let common = min(left.count, right.count)
  if common > 0, let a = left.baseAddress, let b = right.baseAddress {
    let order = unsafe memcmp(a, b, common)
    if order != 0 { return order < 0 ? -1 : 1 }
  }
  return left.count == right.count ? 0 : (left.count < right.count ? -1 : 1)
}
