#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The files of the operating system.
///
/// Invariant of the unsafe code here: pointers are handed to system calls together with the size of
/// what they point at, and none outlives the call.
package struct DiskFileSystem: FileSystem {
  package init() {}

  package func createDirectory(_ path: String) throws(StorageError) {
    if unsafe mkdir(path, 0o777) == 0 || errno == EEXIST { return }
    var end = path.startIndex
    while end < path.endIndex {
      end = path[end...].dropFirst().firstIndex(of: "/") ?? path.endIndex
      let part = String(path[..<end])
      if unsafe mkdir(part, 0o777) != 0 && errno != EEXIST {
        throw StorageError(errno, at: part, "create the directory")
      }
    }
  }

  package func names(in directory: String) throws(StorageError) -> [String] {
    guard let stream = unsafe opendir(directory) else {
      throw StorageError(errno, at: directory, "list")
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while let entry = unsafe readdir(stream) {
      let name = unsafe withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != "." && name != ".." { names.append(name) }
    }
    return names
  }

  package func open(_ path: String, for access: FileAccess) throws(StorageError) -> any StoredFile {
    let flags =
      switch access {
      case .reading: O_RDONLY
      case .writing: O_RDWR
      case .creating: O_RDWR | O_CREAT | O_TRUNC
      }
    return DiskFile(path: path, descriptor: try DiskFileSystem.open(path, flags))
  }

  package func map(_ path: String) throws(StorageError) -> MappedBytes {
    let descriptor = try DiskFileSystem.open(path, O_RDONLY)
    defer { close(descriptor) }
    let count = lseek(descriptor, 0, SEEK_END)
    if count < 0 { throw StorageError(errno, at: path, "measure") }
    if count == 0 { return MappedBytes(ByteSlice([])) }
    guard let bytes = MappedBytes(descriptor: descriptor, count: Int(count)) else {
      throw StorageError(errno, at: path, "map")
    }
    return bytes
  }

  package func rename(_ path: String, to newPath: String) throws(StorageError) {
    #if canImport(Glibc)
      let failed = unsafe Glibc.rename(path, newPath) != 0
    #elseif canImport(Musl)
      let failed = unsafe Musl.rename(path, newPath) != 0
    #else
      let failed = unsafe Darwin.rename(path, newPath) != 0
    #endif
    if failed { throw StorageError(errno, at: newPath, "rename a file to") }
  }

  package func remove(_ path: String) throws(StorageError) {
    if unsafe unlink(path) != 0 { throw StorageError(errno, at: path, "remove") }
  }

  package func syncDirectory(_ path: String) throws(StorageError) {
    let descriptor = try DiskFileSystem.open(path, O_RDONLY)
    defer { close(descriptor) }
    if fsync(descriptor) != 0 { throw StorageError(errno, at: path, "sync") }
  }

  package func lock(_ directory: String) throws(StorageError) -> any FileLock {
    let path = "\(directory)/\(FileFormat.lockName)"
    let file = DiskFile(path: path, descriptor: try DiskFileSystem.open(path, O_RDWR | O_CREAT))
    if flock(file.descriptor, LOCK_EX | LOCK_NB) != 0 {
      guard errno == EWOULDBLOCK else { throw StorageError(errno, at: path, "lock") }
      let owner = try? file.read(20, at: 0)
      let digits = owner.map { $0.string(0, $0.count).prefix { $0 != " " } }
      throw .locked(directory: directory, process: digits.flatMap { Int($0) })
    }
    // Only for the message that the next one gets: the lock itself is the kernel's. The spaces cover a
    // longer number.
    var owner = ByteWriter()
    owner.append("\(getpid())" + String(repeating: " ", count: 10))
    try? file.writeAll(owner, at: 0)
    return file
  }

  private static func open(_ path: String, _ flags: Int32) throws(StorageError) -> Int32 {
    #if canImport(Glibc)
      let descriptor = unsafe Glibc.open(path, flags | O_CLOEXEC, 0o666)
    #elseif canImport(Musl)
      let descriptor = unsafe Musl.open(path, flags | O_CLOEXEC, 0o666)
    #else
      let descriptor = unsafe Darwin.open(path, flags | O_CLOEXEC, 0o666)
    #endif
    if descriptor < 0 { throw StorageError(errno, at: path, "open") }
    return descriptor
  }
}

private final class DiskFile: StoredFile, FileLock {
  let path: String
  let descriptor: Int32

  init(path: String, descriptor: Int32) {
    self.path = path
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  func size() throws(StorageError) -> Int {
    let end = lseek(descriptor, 0, SEEK_END)
    if end < 0 { throw StorageError(errno, at: path, "measure") }
    return Int(end)
  }

  func read(_ count: Int, at offset: Int) throws(StorageError) -> ByteSlice {
    var done = 0
    var failure: Int32 = 0
    let bytes = unsafe SharedBytes(count: count) { target in
      while done < count {
        let got = unsafe pread(descriptor, target + done, count - done, off_t(offset + done))
        if got < 0 && errno == EINTR { continue }
        if got < 0 { failure = errno }
        if got <= 0 { break }
        done += got
      }
      // What lies behind the end of the file is not looked at, but must be initialised.
      unsafe (target + done).initializeMemory(as: UInt8.self, repeating: 0, count: count - done)
    }
    if failure != 0 { throw StorageError(failure, at: path, "read") }
    return ByteSlice(storage: bytes, offset: 0, count: done)
  }

  func write(_ bytes: borrowing ByteWriter, from start: Int, at offset: Int)
    throws(StorageError) -> Int
  {
    while true {
      let part = unsafe UnsafeRawBufferPointer(rebasing: bytes.raw[start...])
      let written = unsafe pwrite(descriptor, part.baseAddress, part.count, off_t(offset))
      if written >= 0 { return written }
      if errno != EINTR { throw StorageError(errno, at: path, "write") }
    }
  }

  func truncate(to size: Int) throws(StorageError) {
    if ftruncate(descriptor, off_t(size)) != 0 { throw StorageError(errno, at: path, "truncate") }
  }

  func extend(from size: Int, to newSize: Int) throws(StorageError) {
    #if canImport(Darwin)
      try truncate(to: newSize)
    #else
      let code = posix_fallocate(descriptor, off_t(size), off_t(newSize - size))
      if code != 0 { throw StorageError(code, at: path, "extend") }
    #endif
  }

  func sync() throws(StorageError) {
    #if canImport(Darwin)
      // fsync of this system leaves the data in the drive's cache.
      let failed = fcntl(descriptor, F_FULLFSYNC) != 0 && fsync(descriptor) != 0
    #else
      let failed = fdatasync(descriptor) != 0
    #endif
    if failed { throw StorageError(errno, at: path, "sync") }
  }
}

extension StorageError {
  fileprivate init(_ code: Int32, at path: String, _ operation: String) {
    if code == ENOSPC || code == EDQUOT {
      self = .diskFull(file: path)
    } else {
      let reason = unsafe String(cString: strerror(code))
      self = .failed(file: path, operation: operation, reason: reason)
    }
  }
}
