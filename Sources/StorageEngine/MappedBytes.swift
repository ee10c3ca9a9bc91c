#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The bytes of a file that nobody changes, in the memory of this process: mapped, or a copy.
///
/// Nothing of a mapped file is read before it is touched, and the system takes the memory back when it
/// needs it. The file may lose its name meanwhile; whoever cuts it short from outside ends the process.
///
/// Invariant of the unsafe code here: `bytes` stays as it is until `deinit`.
@safe
package final class MappedBytes: @unchecked Sendable {
  let bytes: UnsafeRawBufferPointer
  /// Holds the bytes where they are a copy.
  private let copy: ByteSlice?

  /// Bytes that were read.
  package init(_ copy: ByteSlice) {
    self.copy = copy
    unsafe bytes = UnsafeRawBufferPointer(start: copy.checked(0, copy.count), count: copy.count)
  }

  /// The whole of the open file `descriptor`, which may be closed afterwards; nil where the system
  /// refuses.
  init?(descriptor: Int32, count: Int) {
    guard count > 0 else { return nil }
    let address = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0)
    guard let address = unsafe address, unsafe address != MAP_FAILED else { return nil }
    // Pages are wanted one by one: the neighbours of a tree node are no more likely than others.
    unsafe madvise(address, count, MADV_RANDOM)
    copy = nil
    unsafe bytes = UnsafeRawBufferPointer(start: address, count: count)
  }

  /// A copy of the first `count` bytes, or of all where there are fewer.
  func prefix(_ count: Int) -> ByteSlice {
    unsafe MappedBytes.copy(of: UnsafeRawBufferPointer(rebasing: bytes.prefix(count)))
  }

  static func copy(of bytes: UnsafeRawBufferPointer) -> ByteSlice {
    let copy = unsafe SharedBytes(count: bytes.count) { target in
      unsafe UnsafeMutableRawBufferPointer(start: target, count: bytes.count)
        .copyMemory(from: bytes)
    }
    return ByteSlice(storage: copy, offset: 0, count: bytes.count)
  }

  deinit {
    if copy == nil, let address = unsafe bytes.baseAddress {
      unsafe munmap(UnsafeMutableRawPointer(mutating: address), bytes.count)
    }
  }
}
