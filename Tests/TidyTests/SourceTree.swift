import Foundation

/// The repository's files, found from this one.
enum SourceTree {
  static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  struct File: Sendable, CustomStringConvertible {
    /// Relative to the root of the repository.
    var path: String
    var text: String

    var description: String { path }
    var lines: [Substring] { text.split(separator: "\n", omittingEmptySubsequences: false) }

    /// The folder below `Sources` that the file is in.
    var room: String { String(path.split(separator: "/").dropFirst().first ?? "") }

    /// The file without comments and without what is between quotation marks.
    var code: [(number: Int, line: String)] {
      lines.enumerated().map { index, line in
        let unquoted = line.replacing(/"(?:[^"\\]|\\.)*"/, with: "\"\"")
        return (index + 1, String(unquoted.replacing(/\/\/.*/, with: "")))
      }
    }
  }

  /// Every Swift file below `folder`, sorted by path.
  static func swiftFiles(in folder: String) -> [File] {
    let base = root.appendingPathComponent(folder)
    let paths = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String }
    return (paths ?? []).filter { $0.hasSuffix(".swift") }.sorted().compactMap { path in
      text("\(folder)/\(path)").map { File(path: "\(folder)/\(path)", text: $0) }
    }
  }

  /// The text of one file; nil where there is none.
  static func text(_ path: String) -> String? {
    try? String(contentsOf: root.appendingPathComponent(path), encoding: .utf8)
  }
}
