/// The checksum of the file format, written a second time: bit by bit, as its definition says.
package enum FileVersions {
  /// `file` with the header of the next version of the format.
  package static func raised(_ file: [UInt8]) -> [UInt8] {
    var file = file
    file[8] += 1
    let checksum = checksum(file[0..<36])
    for byte in 0..<4 { file[36 + byte] = UInt8(truncatingIfNeeded: checksum >> (8 * byte)) }
    return file
  }

  /// CRC-32C of `bytes` after those whose checksum is `before`.
  package static func checksum(
    _ bytes: some Sequence<UInt8>, after before: UInt32 = 0
  ) -> UInt32 {
    var crc = ~before
    for byte in bytes {
      crc ^= UInt32(byte)
      for _ in 0..<8 { crc = crc & 1 == 0 ? crc >> 1 : (crc >> 1) ^ 0x82F6_3B78 }
    }
    return ~crc
  }
}
