#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Bytes in one allocation that any number of owners read and nobody changes.
///
/// This type and those that read it are public because no part of a type that is not can be inlined in
/// another module; their members are the package's own.
///
/// Invariant of the unsafe code here: `base` points at `count` initialised bytes that belong to this
/// object alone, are written only inside `init`, and are freed only in `deinit`. Every access is
/// checked against `count`.
@safe
public final class SharedBytes: @unchecked Sendable {
  @usableFromInline let base: UnsafeMutableRawPointer
  @usableFromInline package let count: Int

  /// Allocates `count` bytes and lets `fill` write all of them.
  init(count: Int, fill: (UnsafeMutableRawPointer) -> Void) {
    self.count = count
    unsafe base = .allocate(byteCount: max(count, 1), alignment: 8)
    unsafe fill(base)
  }

  deinit { unsafe base.deallocate() }

  @inlinable
  func checked(_ offset: Int, _ size: Int) -> UnsafeMutableRawPointer {
    precondition(offset >= 0 && size >= 0 && offset <= count - size, "read outside the record")
    return unsafe base + offset
  }
}

/// A part of `SharedBytes`, read in little-endian order by offsets from its own start.
public struct ByteSlice: Sendable {
  @usableFromInline package let storage: SharedBytes
  @usableFromInline package let offset: Int
  @usableFromInline package let count: Int

  @inlinable
  package init(storage: SharedBytes, offset: Int, count: Int) {
    precondition(offset >= 0 && count >= 0 && offset <= storage.count - count)
    self.storage = storage
    self.offset = offset
    self.count = count
  }

  /// A copy of `bytes`.
  package init(_ bytes: [UInt8]) {
    unsafe self.init(
      storage: SharedBytes(count: bytes.count) { target in
        unsafe bytes.withUnsafeBytes { source in
          if let address = source.baseAddress {
            unsafe target.copyMemory(from: address, byteCount: bytes.count)
          }
        }
      }, offset: 0, count: bytes.count)
  }

  /// A copy of what `writer` holds.
  package init(_ writer: borrowing ByteWriter) {
    let source = unsafe writer.base
    let count = writer.count
    unsafe self.init(
      storage: SharedBytes(count: count) { unsafe $0.copyMemory(from: source, byteCount: count) },
      offset: 0, count: count)
  }

  @inlinable @inline(__always)
  package func uint8(at index: Int) -> UInt8 {
    unsafe checked(index, 1).load(as: UInt8.self)
  }

  @inlinable @inline(__always)
  package func uint16(at index: Int) -> UInt16 {
    unsafe UInt16(littleEndian: checked(index, 2).loadUnaligned(as: UInt16.self))
  }

  @inlinable @inline(__always)
  package func uint32(at index: Int) -> UInt32 {
    unsafe UInt32(littleEndian: checked(index, 4).loadUnaligned(as: UInt32.self))
  }

  @inlinable @inline(__always)
  package func uint64(at index: Int) -> UInt64 {
    unsafe UInt64(littleEndian: checked(index, 8).loadUnaligned(as: UInt64.self))
  }

  /// The bytes `range` of this slice, sharing its storage.
  @inlinable
  package func slice(_ start: Int, _ end: Int) -> ByteSlice {
    precondition(start >= 0 && start <= end && end <= count, "slice outside the record")
    return ByteSlice(storage: storage, offset: offset + start, count: end - start)
  }

  /// The text of the bytes from `start` to `end`, which must be UTF-8.
  @inlinable
  package func string(_ start: Int, _ end: Int) -> String {
    let bytes = unsafe UnsafeRawBufferPointer(
      start: checked(start, end - start), count: end - start)
    return unsafe String(decoding: bytes, as: UTF8.self)
  }

  /// Whether these are the UTF-8 bytes of `text`.
  package func hasBytes(of text: String) -> Bool {
    var text = text
    return text.withUTF8 { bytes in
      guard bytes.count == count, let address = bytes.baseAddress else { return count == 0 }
      return unsafe memcmp(checked(0, count), address, count) == 0
    }
  }

  /// Whether there is no byte but 0.
  var isZero: Bool {
    unsafe UnsafeRawBufferPointer(start: checked(0, count), count: count).allSatisfy { $0 == 0 }
  }

  package func array(_ start: Int, _ end: Int) -> [UInt8] {
    unsafe [UInt8](UnsafeRawBufferPointer(start: checked(start, end - start), count: end - start))
  }

  /// The address of the `size` bytes from `index`; a slice is inside its storage from the start.
  @inlinable @inline(__always)
  func checked(_ index: Int, _ size: Int) -> UnsafeMutableRawPointer {
    precondition(index >= 0 && size >= 0 && index <= count - size, "read outside the record")
    return unsafe storage.base + (offset + index)
  }
}
