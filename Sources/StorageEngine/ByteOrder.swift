#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The order of two byte strings: negative, zero or positive as `memcmp`, a proper prefix first.
@inline(__always)
func compareBytes(_ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer) -> Int {
  let common = min(left.count, right.count)
  if common > 0, let a = left.baseAddress, let b = right.baseAddress {
    let order = unsafe memcmp(a, b, common)
    if order != 0 { return order < 0 ? -1 : 1 }
  }
  return left.count == right.count ? 0 : (left.count < right.count ? -1 : 1)
}

extension String {
  /// The order of the UTF-8 bytes of both strings: negative, zero or positive, a proper prefix first.
  package func orderInBytes(before other: String) -> Int {
    unsafe withBytes { left in unsafe other.withBytes { unsafe compareBytes(left, $0) } }
  }

  /// The first eight UTF-8 bytes as a number that orders as they do, zeros standing for what is not
  /// there: where the heads of two strings differ, the strings are ordered as the heads are.
  package var head: UInt64 {
    unsafe withBytes { bytes in unsafe TreeNode.head(of: bytes) }
  }

  /// The UTF-8 byte at `offset`; nil behind the end.
  package func byte(at offset: Int) -> UInt8? {
    unsafe withBytes { bytes in bytes.indices.contains(offset) ? unsafe bytes[offset] : nil }
  }

  /// Whether one of the UTF-8 bytes is `byte`.
  package func contains(byte: UInt8) -> Bool {
    unsafe withBytes { bytes in
      guard let address = bytes.baseAddress else { return false }
      return unsafe memchr(address, Int32(byte), bytes.count) != nil
    }
  }

  /// Whether the UTF-8 bytes start with those of `prefix`.
  package func starts(withBytesOf prefix: String) -> Bool {
    unsafe withBytes { bytes in
      unsafe prefix.withBytes { prefix in
        guard bytes.count >= prefix.count else { return false }
        guard let mine = bytes.baseAddress, let other = prefix.baseAddress else { return true }
        return unsafe memcmp(mine, other, prefix.count) == 0
      }
    }
  }

  /// Lets `body` read the UTF-8 bytes. A string that is not contiguous, which is rare, is copied first.
  @inline(__always)
  private func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe utf8.withContiguousStorageIfAvailable { unsafe body(UnsafeRawBufferPointer($0)) }
      ?? Array(utf8).withUnsafeBytes { unsafe body($0) }
  }
}
