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
///     8   version         4 bytes: 2; a file of another version is refused and left as it is
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
/// A checkpoint is an image of a state, mapped when the store is opened and read where it stands: records,
/// then the table that finds them by number, then the nodes of the tree. Objects start at multiples of
/// eight bytes; bytes between them mean nothing. Its header goes on:
///
///     40  size            8 bytes: of the whole file
///     48  pages           8 bytes: where the pages of the table start, and the records end
///     56  nodes           8 bytes: where the nodes start, and the pages end
///     64  records         8 bytes: how many there are; their numbers are 0, 1, 2, …
///     72  root            8 bytes: where the highest node is; 0 where there is none
///     80  entries         8 bytes: how many the leaves have
///     88  stamp           8 bytes, signed: what the layer above notes with every commit
///     96  level           4 bytes: of the highest node; leaves have level 0
///     100 node capacity   4 bytes: the most entries of a node
///     104 reserved        4 bytes: 0
///     108 checksum        4 bytes: of the salt and bytes 0..<108
///
/// The checksum of an object starts with that of the salt XORed with a number for what it is (a record
/// 0x52434F52, a page 0x45474150, a node 0x45444F4E), goes on with the object's own offset in the file
/// (8 bytes), then with the object without the checksum. A record, in the order of their numbers:
///
///     0   length          4 bytes
///     4   checksum        4 bytes
///     8   record
///
/// A page has the offsets of 128 records; what stands in a slot without a record means nothing:
///
///     0   checksum        4 bytes
///     4   reserved        4 bytes: 0
///     8   start           8 bytes: the offset of the first record
///     16  distances       4 bytes × 128: from there, in units of eight bytes
///
/// A node, whose children all stand before it:
///
///     0   owner           8 bytes: 0
///     8   count           4 bytes: of its entries, at least 1
///     12  level           4 bytes: one less than that of the node above
///     16  prefix length   4 bytes
///     20  slots           4 bytes: 0 in a tight leaf, else at least `count`, in inner nodes one more
///     24  checksum        4 bytes
///     28  size            4 bytes: of the node, a multiple of eight
///     32  arrays, keys    as `TreeNode` and `TreeNode+Tight` draw them
///     …   prefix          at the end: what all keys of the node start with
///
/// A leaf's value is the number of a record. An inner node's value is a child's offset times two plus one;
/// its counts say how many entries each child has, and one slot more how many all have together.
///
/// Keys have 1 to 32,767 bytes. Those that start with a byte below 0x80 are in the log. Keys from 0x80 up
/// are derived from the records: they are in checkpoints and not in the log, and whoever reads the log
/// keeps them in step with what it says. A tree has its records in the order of the keys from 0x80 up,
/// then of the others, each where it is met first, so that neighbours of the first derived order are
/// neighbours in the file.
enum FileFormat {
  static let version: UInt32 = 2
  static let byteOrder: UInt32 = 0x0102_0304
  static let headerSize = 40

  static let frameMagic: UInt32 = 0x5449_4D43
  static let frameHeaderSize = 32
  static let put: UInt8 = 1
  static let remove: UInt8 = 2

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
    return prefix(kind) + String(repeating: "0", count: 20 - digits.utf8.count) + digits
  }

  private static func prefix(_ kind: Kind) -> String { kind == .log ? "log-" : "checkpoint-" }

  /// The commit at which the log or checkpoint `name` starts; nil where it is the name of another file.
  static func sequence(of name: String, _ kind: Kind) -> UInt64? {
    let prefix = prefix(kind).utf8
    guard name.utf8.count == prefix.count + 20, name.utf8.starts(with: prefix) else { return nil }
    var sequence: UInt64 = 0
    for byte in name.utf8.dropFirst(prefix.count) {
      guard UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte else { return nil }
      let (tens, isTooLarge) = sequence.multipliedReportingOverflow(by: 10)
      let (sum, overflows) = tens.addingReportingOverflow(UInt64(byte - UInt8(ascii: "0")))
      if isTooLarge || overflows { return nil }
      sequence = sum
    }
    return sequence
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
    let count = min(FileFormat.headerSize, reader.size)
    try self.init(kind, try reader.bytes(count, at: 0) ?? ByteSlice([]), of: reader.path)
  }

  /// Reads the header of the file at `path` that starts with `bytes`.
  init(_ kind: FileFormat.Kind, _ bytes: ByteSlice, of path: String) throws(StorageError) {
    func damage(_ offset: Int, _ reason: String) -> StorageError {
      .corrupt(file: path, offset: offset, reason: reason)
    }
    guard bytes.count >= FileFormat.headerSize else {
      throw damage(bytes.count, "the file ends within its header")
    }
    guard bytes.array(0, 8) == Array(kind.rawValue.utf8) else {
      throw damage(0, "it does not start as such a file does")
    }
    guard bytes.checksum(0, 36) == bytes.uint32(at: 36) else {
      throw damage(36, "the header's checksum is wrong")
    }
    let version = bytes.uint32(at: 8)
    guard version <= FileFormat.version else { throw .newerFormat(file: path, version: version) }
    guard version == FileFormat.version else { throw .olderFormat(file: path, version: version) }
    guard bytes.uint32(at: 12) == FileFormat.byteOrder else {
      throw damage(8, "the header is not one of this format")
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
