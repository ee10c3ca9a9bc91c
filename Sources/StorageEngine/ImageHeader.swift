/// The start of a checkpoint: where the parts of the image are and what it is an image of. The layout is
/// drawn in `FileFormat`.
struct ImageHeader {
  /// The start of every file and this header.
  static let size = 112
  private static let checksumOffset = 108
  static let recordHeaderSize = 8
  static let recordsPerPage = 128
  static let pageSize = 16 + recordsPerPage * 4

  /// What checksums start with, so that no object passes for one of another kind.
  enum Part: UInt32 {
    case record = 0x5243_4F52
    case page = 0x4547_4150
    case node = 0x4544_4F4E
  }

  var file: FileHeader
  var byteCount = 0
  /// Where the pages of the table start and the records end.
  var pagesStart = 0
  /// Where the nodes start and the pages end.
  var nodesStart = 0
  var recordCount = 0
  /// Where the highest node is; 0 where there is none.
  var root = 0
  var rootLevel = 0
  var entryCount = 0
  /// The most entries of a node.
  var nodeCapacity = 0
  var stamp: Int64 = 0

  var seed: UInt32 { file.seed }
  /// The nodes reach to the end.
  var nodesEnd: Int { byteCount }

  /// The bit that notes whether the page or node at `offset` was checked; those of the records, by number,
  /// come before.
  func mark(ofOffset offset: Int) -> Int { recordCount + (offset - pagesStart) >> 3 }

  init(_ file: FileHeader) { self.file = file }

  func append(to writer: inout ByteWriter) {
    file.append(to: &writer)
    for value in [byteCount, pagesStart, nodesStart, recordCount, root, entryCount] {
      writer.append(word: UInt64(value).littleEndian)
    }
    writer.append(word: stamp.littleEndian)
    for value in [rootLevel, nodeCapacity, 0] { writer.append(word: UInt32(value).littleEndian) }
    let checksum = writer.checksum(0, ImageHeader.checksumOffset, after: seed)
    writer.append(word: checksum.littleEndian)
  }

  /// Reads the header of the checkpoint at `path` whose first bytes are `bytes` and which has `count`
  /// bytes.
  init(_ bytes: ByteSlice, of path: String, count: Int) throws(StorageError) {
    func damage(_ offset: Int, _ reason: String) -> StorageError {
      .corrupt(file: path, offset: offset, reason: reason)
    }
    file = try FileHeader(.checkpoint, bytes, of: path)
    guard bytes.count >= ImageHeader.size else {
      throw damage(bytes.count, "the file ends within its header")
    }
    let checksum = bytes.checksum(0, ImageHeader.checksumOffset, after: file.seed)
    guard checksum == bytes.uint32(at: ImageHeader.checksumOffset) else {
      throw damage(ImageHeader.checksumOffset, "the header's checksum is wrong")
    }
    func number(_ offset: Int) -> Int { Int(clamping: bytes.uint64(at: offset)) }
    byteCount = number(40)
    pagesStart = number(48)
    nodesStart = number(56)
    recordCount = number(64)
    root = number(72)
    entryCount = number(80)
    stamp = Int64(bitPattern: bytes.uint64(at: 88))
    rootLevel = Int(bytes.uint32(at: 96))
    nodeCapacity = Int(bytes.uint32(at: 100))
    if byteCount > count { throw damage(count, "the file ends before the checkpoint does") }
    if byteCount < count { throw damage(byteCount, "the file goes on after the checkpoint") }
    guard isPlausible else { throw damage(40, "the header contradicts itself") }
  }

  /// Whether the parts follow each other within the file and can hold what is said to be in them.
  private var isPlausible: Bool {
    let starts = [ImageHeader.size, pagesStart, nodesStart, byteCount]
    guard starts.allSatisfy({ $0 & 7 == 0 }), starts == starts.sorted() else { return false }
    guard recordCount <= byteCount, entryCount <= byteCount else { return false }
    let pages = (recordCount + ImageHeader.recordsPerPage - 1) / ImageHeader.recordsPerPage
    guard nodesStart - pagesStart == pages * ImageHeader.pageSize else { return false }
    if root == 0 { return entryCount == 0 && nodesStart == byteCount }
    return root >= nodesStart && root < byteCount && root & 7 == 0 && rootLevel < 64
      && entryCount > 0
  }
}
