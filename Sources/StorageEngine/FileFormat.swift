/// The files of a store. Numbers are little-endian; checksums are CRC-32C.
///
/// A store is a directory:
///
///     checkpoint-S   everything that the commits before number S left behind; none while S would be 1
///     log-S          the commits from number S on, up to the next log or the end
///     mark           commits known to be durable when the store was closed last; may be missing
///     lock           held with flock(2) by the one process that owns the store; its number as text
///     *.new          a file in the making, meaningless until it is renamed
///
/// S is a decimal number of twenty digits. The state of the store is its newest checkpoint and then the
/// logs from the same S on, each starting where the one before ends. Older files are left over.
///
/// Every file but `lock` starts with a header of 40 bytes, whose layout no later version changes:
///
///     0   magic           8 bytes: "FEEDLOG\n", "FEEDCKP\n" or "FEEDMRK\n"
///     8   version         4 bytes: 1; a file of a later version is refused and left as it is
///     12  byte order      4 bytes: 0x01020304
///     16  sequence        8 bytes: S; in a mark, the last commit known to be durable
///     24  salt            8 bytes: random; the checksums below start with it, so that no bytes from
///                         another file, or from a document, can pass for a part of this one
///     32  reserved        4 bytes: 0
///     36  checksum        4 bytes: of bytes 0..<36
///
/// A log goes on with one frame per commit:
///
///     0   magic           4 bytes: "CMIT"
///     4   length          4 bytes: of the payload
///     8   sequence        8 bytes: one more than that of the frame before
///     16  durable         8 bytes: the last commit known to be durable when this one was appended
///     24  payload checksum  4 bytes: of the salt and the payload
///     28  header checksum   4 bytes: of the salt and bytes 0..<28
///     32  payload         operations, one after another:
///
///     1 | key length (2) | record length (4) | key | record      the record under this key, from now on
///     2 | key length (2) | key                                   no record under this key any more
///
/// Zeros up to the end of the file are no frames: the file may be longer than what was written.
/// A frame that cannot be read is the torn end of the log, unless something proves that its commit was
/// durable: a later header whose `durable` reaches it, or the mark. Then the file is damaged.
///
/// A checkpoint goes on with blocks of about 64 KiB, then an empty block that ends the file:
///
///     0   length          4 bytes: of the payload; 0 in the last block
///     4   entries         4 bytes: in the payload; in the last block, in the whole file, modulo 2^32
///     8   number          4 bytes: 0, 1, 2, …
///     12  checksum        4 bytes: of the salt, bytes 0..<12 and the payload
///     16  payload         entries in ascending order of their keys:
///
///     key length (2) | record length (4) | key | record
///
/// Keys have 1 to 32,767 bytes and start with a byte below 0x80. Keys from 0x80 up exist in memory only:
/// they are derived from the records, whenever somebody needs them.
enum FileFormat {
  static let version: UInt32 = 1
  static let byteOrder: UInt32 = 0x0102_0304
  static let headerSize = 40

  static let frameMagic: UInt32 = 0x5449_4D43
  static let frameHeaderSize = 32
  static let put: UInt8 = 1
  static let remove: UInt8 = 2

  static let blockHeaderSize = 16
  static let blockSize = 65_536

  static let temporarySuffix = ".new"
  static let lockName = "lock"
  static let markName = "mark"

  enum Kind: String {
    case log = "FEEDLOG\n"
    case checkpoint = "FEEDCKP\n"
    case mark = "FEEDMRK\n"
  }

  /// The name of the log or checkpoint that starts at commit `sequence`.
  static func name(_ kind: Kind, _ sequence: UInt64) -> String {
    let digits = String(sequence)
    let prefix = kind == .log ? "log-" : "checkpoint-"
    return prefix + String(repeating: "0", count: 20 - digits.utf8.count) + digits
  }
}

/// The start of a file.
struct FileHeader {
  let kind: FileFormat.Kind
  let sequence: UInt64
  let salt: UInt64

  init(_ kind: FileFormat.Kind, sequence: UInt64) {
    self.kind = kind
    self.sequence = sequence
    salt = .random(in: .min ... .max)
  }

  func append(to writer: inout ByteWriter) {
    let start = writer.count
    writer.append(kind.rawValue)
    writer.append(word: FileFormat.version.littleEndian)
    writer.append(word: FileFormat.byteOrder.littleEndian)
    writer.append(word: sequence.littleEndian)
    writer.append(word: salt.littleEndian)
    writer.append(word: UInt32(0))
    writer.append(word: writer.checksum(start, writer.count).littleEndian)
  }

  /// Reads the header that `reader` starts with.
  init(_ kind: FileFormat.Kind, from reader: inout FileReader) throws(StorageError) {
    guard let bytes = try reader.bytes(FileFormat.headerSize, at: 0) else {
      throw reader.damage(at: reader.size, "the file ends within its header")
    }
    guard bytes.array(0, 8) == Array(kind.rawValue.utf8) else {
      throw reader.damage(at: 0, "it does not start as such a file does")
    }
    guard bytes.checksum(0, 36) == bytes.uint32(at: 36) else {
      throw reader.damage(at: 36, "the header's checksum is wrong")
    }
    let version = bytes.uint32(at: 8)
    guard version <= FileFormat.version else {
      throw .newerFormat(file: reader.path, version: version)
    }
    guard version == FileFormat.version, bytes.uint32(at: 12) == FileFormat.byteOrder else {
      throw reader.damage(at: 8, "the header is not one of this format")
    }
    self.kind = kind
    sequence = bytes.uint64(at: 16)
    salt = bytes.uint64(at: 24)
  }

  /// Where the checksums within the file start from.
  var seed: UInt32 {
    var writer = ByteWriter(capacity: 16)
    writer.append(word: salt.littleEndian)
    return writer.checksum(0, 8)
  }
}

/// Reads a file from front to back in large pieces.
struct FileReader {
  let path: String
  let size: Int
  private let file: any StoredFile
  private var piece: ByteSlice
  private var pieceStart = 0

  init(_ path: String, in fileSystem: any FileSystem) throws(StorageError) {
    self.path = path
    file = try fileSystem.open(path, for: .reading)
    size = try file.size()
    piece = ByteSlice([])
  }

  /// The `count` bytes from `offset`; nil where the file ends before.
  mutating func bytes(_ count: Int, at offset: Int) throws(StorageError) -> ByteSlice? {
    guard offset >= 0, count >= 0, offset <= size, count <= size - offset else { return nil }
    if offset < pieceStart || offset + count > pieceStart + piece.count {
      piece = try file.read(min(max(count, 1 << 20), size - offset), at: offset)
      pieceStart = offset
    }
    let start = offset - pieceStart
    guard start + count <= piece.count else { return nil }
    return piece.slice(start, start + count)
  }

  func damage(at offset: Int, _ reason: String) -> StorageError {
    .corrupt(file: path, offset: offset, reason: reason)
  }
}
