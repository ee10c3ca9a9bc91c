/// The only door to the disk. It is handed in, so that tests can hand in a disk that fails.
package protocol FileSystem: Sendable {
  /// Makes the directory, and those above it, where they do not exist.
  func createDirectory(_ path: String) throws(StorageError)
  /// The names of the files in a directory, in any order.
  func names(in directory: String) throws(StorageError) -> [String]
  func open(_ path: String, for access: FileAccess) throws(StorageError) -> any StoredFile
  /// The bytes of a whole file that is not written any more.
  func map(_ path: String) throws(StorageError) -> MappedBytes
  /// Gives a file another name, taking it from the file that has it.
  func rename(_ path: String, to newPath: String) throws(StorageError)
  func remove(_ path: String) throws(StorageError)
  /// Makes creations, renamings and removals in a directory durable.
  func syncDirectory(_ path: String) throws(StorageError)
  /// Claims a directory for this owner alone until the lock is let go of.
  ///
  /// - Throws: `StorageError.locked` where another owner has it.
  func lock(_ directory: String) throws(StorageError) -> any FileLock
}

package enum FileAccess: Sendable {
  case reading
  case writing
  /// For writing, empty, made where it does not exist.
  case creating
}

/// An open file, closed when it is let go of.
package protocol StoredFile: AnyObject, Sendable {
  func size() throws(StorageError) -> Int
  /// The bytes from `offset`, fewer than `count` only where the file ends before.
  func read(_ count: Int, at offset: Int) throws(StorageError) -> ByteSlice
  /// Writes the bytes from `start` on at `offset`; answers how many of them were written.
  func write(_ bytes: borrowing ByteWriter, from start: Int, at offset: Int)
    throws(StorageError) -> Int
  func truncate(to size: Int) throws(StorageError)
  /// Makes the file, which has `size` bytes, longer by zeros, so that to write there later changes
  /// nothing but its bytes.
  func extend(from size: Int, to newSize: Int) throws(StorageError)
  /// Returns once everything written is durable.
  func sync() throws(StorageError)
}

/// A claim that ends when it is let go of.
package protocol FileLock: AnyObject, Sendable {}

extension StoredFile {
  /// Writes all of `bytes`; a write that stops short is continued.
  func writeAll(_ bytes: borrowing ByteWriter, at offset: Int) throws(StorageError) {
    var done = 0
    while done < bytes.count {
      let written = try write(bytes, from: done, at: offset + done)
      guard written > 0 else {
        throw .failed(file: "", operation: "write", reason: "no byte was taken")
      }
      done += written
    }
  }
}

extension FileSystem {
  /// A copy, where the file system has no better way.
  package func map(_ path: String) throws(StorageError) -> MappedBytes {
    let file = try open(path, for: .reading)
    return MappedBytes(try file.read(try file.size(), at: 0))
  }

  /// Makes a file appear with all of its content, durable. Where this throws it is there whole, or not
  /// at all.
  func createWhole(
    _ name: String, in directory: String, fill: (any StoredFile) throws(StorageError) -> Void
  ) throws(StorageError) {
    let path = "\(directory)/\(name)"
    let temporary = path + FileFormat.temporarySuffix
    do throws(StorageError) {
      let file = try open(temporary, for: .creating)
      try fill(file)
      try file.sync()
      try rename(temporary, to: path)
    } catch {
      try? remove(temporary)
      throw error
    }
    try syncDirectory(directory)
  }
}
