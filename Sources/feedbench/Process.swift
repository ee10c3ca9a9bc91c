import Foundation

/// What this process and a store's files take.
enum Process {
  struct Memory {
    /// KiB, at their highest.
    var most = 0
    /// KiB of private memory.
    var anonymous = 0
    /// KiB of mapped files.
    var file = 0

    var fields: [(String, String)] {
      [("max_rss_kb", "\(most)"), ("anon_kb", "\(anonymous)"), ("file_kb", "\(file)")]
    }
  }

  /// As Linux tells it; zero where there is no `/proc`.
  static func memory() -> Memory {
    var memory = Memory()
    let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    for line in text.split(separator: "\n") {
      let words = line.split(whereSeparator: \.isWhitespace)
      guard words.count > 1, let value = Int(words[1]) else { continue }
      switch words[0] {
      case "VmHWM:": memory.most = value
      case "RssAnon:": memory.anonymous = value
      case "RssFile:": memory.file = value
      default: break
      }
    }
    return memory
  }

  /// The bytes of the files in `directory`, each rounded up to whole blocks of 4 KiB.
  static func diskBytes(of directory: String) -> Int {
    files(of: directory).reduce(0) { sum, path in
      let attributes = try? FileManager.default.attributesOfItem(atPath: path)
      let size = (attributes?[.size] as? NSNumber)?.intValue ?? 0
      return sum + (size + 4095) / 4096 * 4096
    }
  }

  /// Asks the system to forget what it keeps of the files in memory.
  static func dropFromPageCache(_ directory: String) {
    #if os(Linux)
      for path in files(of: directory) {
        guard let file = FileHandle(forReadingAtPath: path) else { continue }
        fdatasync(file.fileDescriptor)
        posix_fadvise(file.fileDescriptor, 0, 0, POSIX_FADV_DONTNEED)
        try? file.close()
      }
    #endif
  }

  private static func files(of directory: String) -> [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
    return names.filter { !$0.hasPrefix(".") }.map { "\(directory)/\($0)" }
  }
}
