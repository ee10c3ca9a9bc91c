#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A growing run of bytes: keys and records are put together in one and copied out once.
///
/// The type is public so that its members, which are the package's own, can be inlined in other modules.
///
/// Invariant of the unsafe code here: `base` points at `capacity` bytes that belong to this value
/// alone (it cannot be copied), of which the first `count` are initialised.
@safe
public struct ByteWriter: ~Copyable {
  @usableFromInline var base: UnsafeMutableRawPointer
  @usableFromInline package internal(set) var count = 0
  @usableFromInline var capacity: Int

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

  @inlinable @inline(__always)
  package mutating func append(_ byte: UInt8) {
    unsafe room(for: 1).storeBytes(of: byte, as: UInt8.self)
  }

  /// Appends the bytes of `value` in memory order; use `.bigEndian` or `.littleEndian` on it.
  @inlinable @inline(__always)
  package mutating func append<Word: FixedWidthInteger & BitwiseCopyable>(word value: Word) {
    unsafe room(for: MemoryLayout<Word>.size).storeBytes(of: value, as: Word.self)
  }

  package mutating func append(_ bytes: [UInt8]) {
    unsafe bytes.withUnsafeBytes { unsafe append(raw: $0) }
  }

  package mutating func append(_ slice: ByteSlice) {
    unsafe append(
      raw: UnsafeRawBufferPointer(start: slice.checked(0, slice.count), count: slice.count))
  }

  /// Appends `count` zeros.
  package mutating func append(zeros count: Int) {
    precondition(count >= 0)
    unsafe room(for: count).initializeMemory(as: UInt8.self, repeating: 0, count: count)
  }

  /// Appends the UTF-8 bytes of `text`.
  package mutating func append(_ text: String) {
    unsafe withBytes(of: text) { writer, bytes in unsafe writer.append(raw: bytes) }
  }

  /// Appends the first `limit` UTF-8 bytes of `text` from byte `start` on, with each zero byte followed
  /// by FF, so that a terminator of 00 and a smaller byte sorts before every continuation. Answers
  /// whether something was cut.
  package mutating func append(escaping text: String, from start: Int = 0, limit: Int) -> Bool {
    unsafe withBytes(of: text) { writer, bytes in
      unsafe writer.append(
        escapingRaw: UnsafeRawBufferPointer(rebasing: bytes[start...]), limit: limit)
    }
  }

  /// As `append(escaping:from:limit:)` for a byte array.
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
    var offset = start
    while offset + 8 <= count {
      let word = unsafe base.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      unsafe base.storeBytes(of: ~word, toByteOffset: offset, as: UInt64.self)
      offset += 8
    }
    while offset < count {
      unsafe base.storeBytes(
        of: ~base.load(fromByteOffset: offset, as: UInt8.self), toByteOffset: offset,
        as: UInt8.self)
      offset += 1
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

  /// Appends what `other` holds from byte `start` on.
  package mutating func append(_ other: borrowing ByteWriter, from start: Int = 0) {
    precondition(start >= 0 && start <= other.count)
    unsafe append(
      raw: UnsafeRawBufferPointer(start: other.base + start, count: other.count - start))
  }

  private mutating func append(raw source: UnsafeRawBufferPointer) {
    guard let address = source.baseAddress, source.count > 0 else { return }
    unsafe room(for: source.count).copyMemory(from: address, byteCount: source.count)
  }

  private mutating func append(escapingRaw source: UnsafeRawBufferPointer, limit: Int) -> Bool {
    let taken = unsafe UnsafeRawBufferPointer(
      start: source.baseAddress, count: min(source.count, limit))
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
  @inline(__always)
  private mutating func withBytes<Result>(
    of text: String, _ body: (inout ByteWriter, UnsafeRawBufferPointer) -> Result
  ) -> Result {
    unsafe text.utf8.withContiguousStorageIfAvailable {
      unsafe body(&self, UnsafeRawBufferPointer($0))
    } ?? Array(text.utf8).withUnsafeBytes { unsafe body(&self, $0) }
  }

  /// Where the next `size` bytes go, which the caller initialises.
  @inlinable @inline(__always)
  mutating func room(for size: Int) -> UnsafeMutableRawPointer {
    if capacity - count < size { grow(by: size) }
    let place = unsafe base + count
    count += size
    return unsafe place
  }

  @usableFromInline
  mutating func grow(by size: Int) {
    capacity = max(capacity * 2, count + size)
    let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    unsafe larger.copyMemory(from: base, byteCount: count)
    unsafe base.deallocate()
    unsafe base = unsafe larger
  }
}
