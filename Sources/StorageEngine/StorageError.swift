/// Why files could not be read or written: the facts, with the words in one extension.
package enum StorageError: Error, Hashable, Sendable {
  /// What was stored at `offset` is not what was written there.
  case corrupt(file: String, offset: Int, reason: String)
  /// A file, or its end, that the others rely on is not there.
  case missing(file: String, reason: String)
  /// The file was written by a later version of this format.
  case newerFormat(file: String, version: UInt32)
  /// The file was written by an earlier version of this format, which is not read any more.
  case olderFormat(file: String, version: UInt32)
  /// Another owner has the store open; `process` is its number where it is known.
  case locked(directory: String, process: Int?)
  case diskFull(file: String)
  /// Whether what was written last is durable is not known.
  case syncFailed(file: String, reason: String)
  /// The system refused an operation on a file.
  case failed(file: String, operation: String, reason: String)
  case closed(directory: String)
}

extension StorageError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .corrupt(let file, let offset, let reason):
      "'\(file)' is damaged at byte \(offset): \(reason). Restore it from a copy, or save what can be "
        + "read with 'feedsim salvage'."
    case .missing(let file, let reason):
      "'\(file)' is missing: \(reason). Restore it from a copy, or save what can be read with "
        + "'feedsim salvage'."
    case .newerFormat(let file, let version):
      "'\(file)' has format \(version); this version reads format \(FileFormat.version) and "
        + "leaves it untouched. Open it with a newer version."
    case .olderFormat(let file, let version):
      "'\(file)' has format \(version); this version reads format \(FileFormat.version) alone and "
        + "leaves it untouched. Take the documents out with the version that wrote it."
    case .locked(let directory, let process):
      "'\(directory)' is in use by \(process.map { "process \($0)" } ?? "another process"). "
        + "One process at a time owns a store; close it there first."
    case .diskFull(let file):
      "'\(file)' cannot grow: the disk is full. Nothing was stored; free space and try again."
    case .syncFailed(let file, let reason):
      "'\(file)' could not be brought to the disk: \(reason). Reads go on; open the store again to "
        + "write, and check which of the last writes are there."
    case .failed(let file, let operation, let reason): "cannot \(operation) '\(file)': \(reason)."
    case .closed(let directory): "'\(directory)' was closed; open it again to write."
    }
  }
}
