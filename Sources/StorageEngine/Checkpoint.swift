/// The state of a store in one file: what is written when a log is left behind and mapped at opening.
enum Checkpoint {
  /// Writes `version`, the state before commit `sequence`, as a whole file. `isCancelled` is asked again
  /// and again.
  ///
  /// It is written front to back; in memory there are eight bytes for each record and a node for each
  /// level of the tree meanwhile.
  ///
  /// - Returns: the size of the file.
  static func write(
    _ version: Version, before sequence: UInt64, nodeCapacity: Int, in directory: String,
    _ fileSystem: any FileSystem, isCancelled: @escaping () -> Bool
  ) throws(StorageError) -> Int {
    let name = FileFormat.name(.checkpoint, sequence)
    var header = ImageHeader(FileHeader(.checkpoint, sequence: sequence))
    header.stamp = version.stamp
    header.nodeCapacity = nodeCapacity
    try fileSystem.createWhole(name, in: directory) { file throws(StorageError) in
      var output = ImageOutput(file, seed: header.seed)
      output.skip(ImageHeader.size)
      var records = ImageRecords(version.recordNumbers)
      let walk = unsafe TreeWalk(version, isCancelled: isCancelled, directory: directory)
      // Neighbours in the first derived order are neighbours in the file.
      let firstDerived = version.rank(of: [OrderedStore.derivedKeys])
      try unsafe walk.run(from: firstDerived) { leaf, index throws(StorageError) in
        try records.add(unsafe leaf.value(at: index), of: version, to: &output)
      }
      try unsafe walk.run(from: 0) { leaf, index throws(StorageError) in
        try records.add(unsafe leaf.value(at: index), of: version, to: &output)
      }
      header.recordCount = records.count
      header.pagesStart = output.position
      try records.writePages(to: &output)
      header.nodesStart = output.position
      var tree = ImageTree(capacity: nodeCapacity)
      try unsafe walk.run(from: 0) { leaf, index throws(StorageError) in
        guard let number = records.number(of: unsafe leaf.value(at: index)) else { return }
        if try unsafe tree.append(leaf, index, value: number, to: &output) { return }
        version.image?.note(damageAt: ImageHeader.size, "keys do not ascend from node to node")
        try version.checkUndamaged()
      }
      (header.root, header.rootLevel, header.entryCount) = try tree.finish(&output)
      // What was read as not being there because it is damaged must not be missing from now on.
      try version.checkUndamaged()
      try output.flush()
      header.byteCount = output.position
      var start = ByteWriter()
      header.append(to: &start)
      try file.writeAll(start, at: 0)
    }
    return header.byteCount
  }
}

/// The entries of a version one by one, wherever its nodes are.
///
/// Invariant of the unsafe code here: nodes belong to `version`, which this holds.
@unsafe
private struct TreeWalk {
  let version: Version
  let isCancelled: () -> Bool
  let directory: String

  init(_ version: Version, isCancelled: @escaping () -> Bool, directory: String) {
    unsafe self.version = version
    unsafe self.isCancelled = isCancelled
    unsafe self.directory = directory
  }

  /// Hands the leaf and the place of each entry from `rank` on to `body`.
  func run(
    from rank: Int, _ body: (TreeNode, Int) throws(StorageError) -> Void
  ) throws(StorageError) {
    guard let tree = unsafe version.tree else { return }
    var rank = rank
    while unsafe rank < version.count {
      if unsafe isCancelled() { throw .closed(directory: unsafe directory) }
      let (leaf, start) = unsafe tree.seek(rank: rank, in: version.view)
      guard unsafe start < leaf.count else { return try unsafe version.checkUndamaged() }
      for index in unsafe start..<leaf.count { try unsafe body(leaf, index) }
      unsafe rank += leaf.count - start
    }
  }
}

/// Writes the file of an image from front to back in large pieces.
struct ImageOutput: ~Copyable {
  private let file: any StoredFile
  private let seed: UInt32
  private var buffer = ByteWriter(capacity: 1 << 20)
  /// Where the buffer will stand in the file.
  private var start = 0

  init(_ file: any StoredFile, seed: UInt32) {
    self.file = file
    self.seed = seed
  }

  /// Where the next object goes.
  var position: Int { start + buffer.count }

  func seed(_ part: ImageHeader.Part) -> UInt32 {
    Image.seed(part, at: position, after: seed)
  }

  /// Leaves room for what is written later.
  mutating func skip(_ count: Int) {
    for _ in 0..<(count / 8) { buffer.append(word: UInt64(0)) }
  }

  /// Writes an object.
  mutating func append(_ bytes: borrowing ByteWriter) throws(StorageError) {
    buffer.append(bytes)
    try align()
  }

  /// Writes an object and what stands before it.
  mutating func append(
    _ header: (UInt32, UInt32), _ bytes: UnsafeRawBufferPointer
  ) throws(StorageError) {
    buffer.append(word: header.0.littleEndian)
    buffer.append(word: header.1.littleEndian)
    unsafe buffer.append(copying: bytes)
    try align()
  }

  private mutating func align() throws(StorageError) {
    while buffer.count & 7 != 0 { buffer.append(UInt8(0)) }
    if buffer.count >= 1 << 20 { try flush() }
  }

  mutating func flush() throws(StorageError) {
    try file.writeAll(buffer, at: start)
    start += buffer.count
    buffer.removeAll()
  }
}

/// The records of an image in the making, which number them anew.
private struct ImageRecords: ~Copyable {
  private static let none = UInt32.max
  /// New numbers by the old ones.
  private var numbers: [UInt32]
  /// The pages of the table so far, without checksums.
  private var pages = ByteWriter()
  private(set) var count = 0
  /// Where the record stands with which the last page starts.
  private var pageStart = 0

  init(_ end: UInt64) {
    numbers = [UInt32](repeating: ImageRecords.none, count: Int(end))
  }

  /// The new number of a record; nil where there is none.
  func number(of old: UInt64) -> UInt64? {
    guard old < numbers.count, numbers[Int(old)] != ImageRecords.none else { return nil }
    return UInt64(numbers[Int(old)])
  }

  /// Writes the record `old` of `version` unless it is there already.
  mutating func add(
    _ old: UInt64, of version: Version, to output: inout ImageOutput
  ) throws(StorageError) {
    guard old < numbers.count, numbers[Int(old)] == ImageRecords.none,
      let bytes = unsafe version.records.bytes(old, in: version.view, isRaw: true)
    else { return }
    let offset = output.position
    let slot = count % ImageHeader.recordsPerPage
    if slot == 0 {
      pageStart = offset
      pages.append(word: UInt64(0))
      pages.append(word: UInt64(offset).littleEndian)
    }
    guard let number = UInt32(exactly: count), number != ImageRecords.none,
      let distance = UInt32(exactly: (offset - pageStart) >> 3)
    else {
      throw .failed(file: "", operation: "write", reason: "a checkpoint takes no more records")
    }
    pages.append(word: distance.littleEndian)
    numbers[Int(old)] = number
    count += 1
    let length = UInt32(bytes.count)
    var stored = length.littleEndian
    let head = unsafe withUnsafeBytes(of: &stored) {
      unsafe Checksum.of($0, after: output.seed(.record))
    }
    let checksum = unsafe Checksum.of(bytes, after: head)
    try unsafe output.append((length, checksum), bytes)
  }

  /// Writes the table of the records.
  mutating func writePages(to output: inout ImageOutput) throws(StorageError) {
    while pages.count % ImageHeader.pageSize != 0 { pages.append(word: UInt32(0)) }
    var page = ByteWriter(capacity: ImageHeader.pageSize)
    for start in stride(from: 0, to: pages.count, by: ImageHeader.pageSize) {
      page.removeAll()
      unsafe page.append(
        copying: UnsafeRawBufferPointer(
          rebasing: pages.raw[start..<(start + ImageHeader.pageSize)]))
      let checksum = page.checksum(4, page.count, after: output.seed(.page))
      page.store(checksum.littleEndian, at: 0)
      try output.append(page)
    }
  }
}
