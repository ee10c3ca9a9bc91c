/// The state of a store in one file: what is written when a log is left behind and read at opening.
enum Checkpoint {
  /// Writes the stored entries of `version`, the state before commit `sequence`, as a whole file.
  /// `isCancelled` is asked before every block.
  ///
  /// - Returns: the size of the file.
  static func write(
    _ version: Version, before sequence: UInt64, in directory: String,
    _ fileSystem: any FileSystem, isCancelled: () -> Bool
  ) throws(StorageError) -> Int {
    let name = FileFormat.name(.checkpoint, sequence)
    let header = FileHeader(.checkpoint, sequence: sequence)
    var position = 0
    try fileSystem.createWhole(name, in: directory) { file throws(StorageError) in
      var output = Output(file: file, seed: header.seed)
      var block = ByteWriter(capacity: FileFormat.blockSize * 2)
      header.append(to: &block)
      try output.write(block)
      var cursor = TreeCursor(
        version, from: [], to: [OrderedStore.derivedKeys], isReversed: false)
      var key = ByteWriter()
      var total: UInt32 = 0
      var entries: UInt32 = 0
      Output.start(&block)
      while let number = cursor.next() {
        guard let record = unsafe version.records.bytes(number) else { continue }
        key.removeAll()
        cursor.appendKey(dropping: 0, to: &key)
        block.append(word: UInt16(key.count).littleEndian)
        block.append(word: UInt32(record.count).littleEndian)
        block.append(key)
        unsafe block.append(copying: record)
        entries += 1
        guard block.count >= FileFormat.blockSize else { continue }
        if isCancelled() { throw .closed(directory: directory) }
        try output.finish(&block, entries: entries)
        total &+= entries
        entries = 0
        Output.start(&block)
      }
      if entries > 0 {
        try output.finish(&block, entries: entries)
        Output.start(&block)
      }
      try output.finish(&block, entries: total &+ entries)
      position = output.position
    }
    return position
  }

  private struct Output {
    let file: any StoredFile
    let seed: UInt32
    var position = 0
    private var number: UInt32 = 0

    init(file: any StoredFile, seed: UInt32) {
      self.file = file
      self.seed = seed
    }

    static func start(_ block: inout ByteWriter) {
      block.removeAll()
      for _ in 0..<2 { block.append(word: UInt64(0)) }
    }

    mutating func finish(_ block: inout ByteWriter, entries: UInt32) throws(StorageError) {
      let start = FileFormat.blockHeaderSize
      block.store(UInt32(block.count - start).littleEndian, at: 0)
      block.store(entries.littleEndian, at: 4)
      block.store(number.littleEndian, at: 8)
      let head = block.checksum(0, 12, after: seed)
      block.store(block.checksum(start, block.count, after: head).littleEndian, at: 12)
      number += 1
      try write(block)
    }

    mutating func write(_ bytes: borrowing ByteWriter) throws(StorageError) {
      try file.writeAll(bytes, at: position)
      position += bytes.count
    }
  }
}

/// Reads the entries of one checkpoint in order.
struct CheckpointReader {
  let header: FileHeader
  private var reader: FileReader
  /// Where the next block starts.
  private(set) var offset = FileFormat.headerSize
  private var number: UInt32 = 0
  private var total: UInt32 = 0
  private let seed: UInt32

  init(_ path: String, in fileSystem: any FileSystem) throws(StorageError) {
    reader = try FileReader(path, in: fileSystem)
    header = try FileHeader(.checkpoint, from: &reader)
    seed = header.seed
  }

  var size: Int { reader.size }

  /// Hands the entries of the next block to `body`; answers whether there was one.
  ///
  /// - Throws: `StorageError.corrupt` where the block is not what was written; then the next call
  ///   reads the block after it, if its end is known, and else throws again.
  mutating func readBlock(
    _ body: (_ key: ByteSlice, _ record: ByteSlice) throws(StorageError) -> Void
  ) throws(StorageError) -> Bool {
    let start = offset
    let payload = start + FileFormat.blockHeaderSize
    guard let head = try reader.bytes(FileFormat.blockHeaderSize, at: start) else {
      throw reader.damage(at: reader.size, "the file ends before its last block")
    }
    let length = Int(head.uint32(at: 0))
    let entries = head.uint32(at: 4)
    guard let block = try reader.bytes(FileFormat.blockHeaderSize + length, at: start) else {
      throw reader.damage(at: start, "a block is longer than the file")
    }
    let checksum = block.checksum(
      FileFormat.blockHeaderSize, block.count, after: block.checksum(0, 12, after: seed))
    // Whoever saves what can be saved goes on behind a damaged block.
    offset = payload + length
    defer { number &+= 1 }
    guard checksum == block.uint32(at: 12) else {
      throw reader.damage(at: start, "the checksum of a block is wrong")
    }
    guard block.uint32(at: 8) == number else {
      throw reader.damage(at: start, "block \(block.uint32(at: 8)) stands where \(number) should")
    }
    if length == 0 {
      guard entries == total else {
        throw reader.damage(at: start, "\(total) entries stand where \(entries) should")
      }
      guard offset == reader.size else {
        throw reader.damage(at: offset, "the file goes on after its last block")
      }
      return false
    }
    var position = FileFormat.blockHeaderSize
    var found: UInt32 = 0
    while position < block.count {
      let entryStart = position
      guard let (key, record) = block.entry(at: &position, hasRecord: true) else {
        throw reader.damage(at: start + entryStart, "an entry cannot be read")
      }
      try body(key, record)
      found &+= 1
    }
    guard found == entries else {
      throw reader.damage(at: start, "\(found) entries stand where \(entries) should")
    }
    total &+= entries
    return true
  }
}
