/// One change that a commit makes, as the log holds it.
enum LoggedOperation {
  case put(key: ByteSlice, record: ByteSlice)
  case remove(key: ByteSlice)

  /// Reads the operation at `offset` of `payload` and moves `offset` behind it; nil where there is
  /// none.
  init?(_ payload: ByteSlice, at offset: inout Int) {
    let isPut = payload.uint8(at: offset) == FileFormat.put
    guard isPut || payload.uint8(at: offset) == FileFormat.remove else { return nil }
    offset += 1
    guard let (key, record) = payload.entry(at: &offset, hasRecord: isPut) else { return nil }
    self = isPut ? .put(key: key, record: record) : .remove(key: key)
  }
}

extension ByteWriter {
  mutating func append(putting record: borrowing ByteWriter, under key: borrowing ByteWriter) {
    append(FileFormat.put)
    append(word: UInt16(key.count).littleEndian)
    append(word: UInt32(record.count).littleEndian)
    append(key)
    append(record)
  }

  mutating func append(removing key: borrowing ByteWriter) {
    append(FileFormat.remove)
    append(word: UInt16(key.count).littleEndian)
    append(key)
  }
}

extension ByteSlice {
  /// Reads a stored key and its record at `offset`, and moves `offset` behind them; nil where there
  /// are none, or the key is not one that is stored.
  func entry(at offset: inout Int, hasRecord: Bool) -> (key: ByteSlice, record: ByteSlice)? {
    let lengths = hasRecord ? 6 : 2
    guard count - offset >= lengths else { return nil }
    let keyCount = Int(uint16(at: offset))
    let recordCount = hasRecord ? Int(uint32(at: offset + 2)) : 0
    let start = offset + lengths
    guard 1...WriteTransaction.longestKey ~= keyCount, count - start >= keyCount,
      count - start - keyCount >= recordCount, uint8(at: start) < OrderedStore.derivedKeys
    else { return nil }
    offset = start + keyCount + recordCount
    return (slice(start, start + keyCount), slice(start + keyCount, offset))
  }
}

/// The header of a commit in the log.
struct FrameHeader {
  let length: Int
  let sequence: UInt64
  /// The last commit known to be durable when this one was appended.
  let durable: UInt64
  let payloadChecksum: UInt32

  /// Reads a header; nil where `bytes`, as many as one has, are none.
  init?(_ bytes: ByteSlice, seed: UInt32) {
    guard bytes.uint32(at: 0) == FileFormat.frameMagic,
      bytes.checksum(0, 28, after: seed) == bytes.uint32(at: 28)
    else { return nil }
    length = Int(bytes.uint32(at: 4))
    sequence = bytes.uint64(at: 8)
    durable = bytes.uint64(at: 16)
    payloadChecksum = bytes.uint32(at: 24)
  }

  /// Room for a header at the start of a frame whose payload is still to come.
  static func reserve(in frame: inout ByteWriter) {
    for _ in 0..<4 { frame.append(word: UInt64(0)) }
  }

  /// Writes the header in front of the payload.
  static func complete(
    _ frame: inout ByteWriter, sequence: UInt64, durable: UInt64, seed: UInt32
  ) {
    let start = FileFormat.frameHeaderSize
    frame.store(FileFormat.frameMagic.littleEndian, at: 0)
    frame.store(UInt32(frame.count - start).littleEndian, at: 4)
    frame.store(UInt32(truncatingIfNeeded: sequence).littleEndian, at: 8)
    frame.store(UInt32(truncatingIfNeeded: sequence >> 32).littleEndian, at: 12)
    frame.store(UInt32(truncatingIfNeeded: durable).littleEndian, at: 16)
    frame.store(UInt32(truncatingIfNeeded: durable >> 32).littleEndian, at: 20)
    frame.store(frame.checksum(start, frame.count, after: seed).littleEndian, at: 24)
    frame.store(frame.checksum(0, 28, after: seed).littleEndian, at: 28)
  }
}

/// Reads the commits of one log in order.
struct LogReader {
  let header: FileHeader
  private(set) var reader: FileReader
  /// Where the next frame starts.
  private(set) var offset = FileFormat.headerSize
  private let seed: UInt32

  struct Frame {
    let header: FrameHeader
    let payload: ByteSlice
  }

  enum Step {
    case frame(Frame)
    case end
    /// There is no readable frame at `offset`.
    case unreadable(reason: String)
  }

  init(_ path: String, in fileSystem: any FileSystem) throws(StorageError) {
    reader = try FileReader(path, in: fileSystem)
    header = try FileHeader(.log, from: &reader)
    seed = header.seed
  }

  /// Reads the frame at `offset`, which must be commit `sequence`, and moves behind it.
  mutating func next(_ sequence: UInt64) throws(StorageError) -> Step {
    if try isAtEnd() { return .end }
    guard let bytes = try reader.bytes(FileFormat.frameHeaderSize, at: offset) else {
      return .unreadable(reason: "the file ends within a commit's header")
    }
    guard let header = FrameHeader(bytes, seed: seed) else {
      return .unreadable(reason: "the checksum of a commit's header is wrong")
    }
    guard header.sequence == sequence else {
      return .unreadable(reason: "commit \(header.sequence) stands where \(sequence) should")
    }
    let start = offset + FileFormat.frameHeaderSize
    guard let payload = try reader.bytes(header.length, at: start) else {
      return .unreadable(reason: "the file ends within a commit")
    }
    guard payload.checksum(0, payload.count, after: seed) == header.payloadChecksum else {
      return .unreadable(reason: "the checksum of a commit is wrong")
    }
    offset = start + header.length
    return .frame(Frame(header: header, payload: payload))
  }

  /// Whether there is nothing more: the file ends, or was made longer ahead of what was written.
  private mutating func isAtEnd() throws(StorageError) -> Bool {
    var position = offset
    var length = FileFormat.frameHeaderSize
    while position < reader.size {
      let count = min(length, reader.size - position)
      guard let bytes = try reader.bytes(count, at: position), bytes.isZero else { return false }
      position += count
      length = 1 << 16
    }
    return true
  }

  /// The first header from `start` on for which `isWanted` holds, wherever in the file it stands.
  mutating func findHeader(
    from start: Int, where isWanted: (FrameHeader) -> Bool
  ) throws(StorageError) -> (header: FrameHeader, offset: Int)? {
    var position = start
    while let bytes = try reader.bytes(FileFormat.frameHeaderSize, at: position) {
      if bytes.uint32(at: 0) == FileFormat.frameMagic,
        let header = FrameHeader(bytes, seed: seed), isWanted(header)
      {
        return (header, position)
      }
      position += 1
    }
    return nil
  }

  /// Goes on at `offset`, past what cannot be read.
  mutating func skip(to offset: Int) { self.offset = offset }
}
