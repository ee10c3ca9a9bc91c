/// CRC-32C (Castagnoli): finds every change of up to 32 neighbouring bits, so every flipped bit.
///
/// Invariant of the unsafe code here: `tables` has 8 × 256 entries and every index into it is a byte
/// beside a table number below 8.
enum Checksum {
  private static let tables: [UInt32] = {
    var tables = [UInt32](repeating: 0, count: 8 * 256)
    for byte in 0..<256 {
      var value = UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : (value >> 1) ^ 0x82F6_3B78 }
      tables[byte] = value
    }
    for table in 1..<8 {
      for byte in 0..<256 {
        let before = tables[(table - 1) * 256 + byte]
        tables[table * 256 + byte] = (before >> 8) ^ tables[Int(before & 0xFF)]
      }
    }
    return tables
  }()

  /// The checksum of `bytes` after those whose checksum is `before`.
  static func of(_ bytes: UnsafeRawBufferPointer, after before: UInt32 = 0) -> UInt32 {
    unsafe tables.withUnsafeBufferPointer { tables in
      var crc = ~before
      var index = 0
      while index + 8 <= bytes.count {
        let word = unsafe UInt64(
          littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
        let mixed = word ^ UInt64(crc)
        crc = 0
        for position in 0..<8 {
          let byte = Int(truncatingIfNeeded: mixed >> UInt64(8 * position)) & 0xFF
          unsafe crc ^= tables[(7 - position) * 256 + byte]
        }
        index += 8
      }
      while index < bytes.count {
        unsafe crc = (crc >> 8) ^ tables[Int((crc ^ UInt32(bytes[index])) & 0xFF)]
        index += 1
      }
      return ~crc
    }
  }
}

extension ByteSlice {
  /// The checksum of the bytes from `start` to `end` after those whose checksum is `before`.
  func checksum(_ start: Int, _ end: Int, after before: UInt32 = 0) -> UInt32 {
    unsafe Checksum.of(
      UnsafeRawBufferPointer(start: checked(start, end - start), count: end - start), after: before)
  }
}

extension ByteWriter {
  /// The checksum of the bytes from `start` to `end` after those whose checksum is `before`.
  func checksum(_ start: Int, _ end: Int, after before: UInt32 = 0) -> UInt32 {
    precondition(start >= 0 && start <= end && end <= count)
    return unsafe Checksum.of(UnsafeRawBufferPointer(rebasing: raw[start..<end]), after: before)
  }
}
