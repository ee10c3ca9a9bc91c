import Foundation

/// A recorded session with the shell: commands after `$ `, below each what it prints, both streams
/// as they come, and `exit N` where N is not zero. `[..]` stands for any text within a line.
struct Transcript {
  struct Step: CustomStringConvertible, Sendable {
    let file: String
    let command: String
    let output: [String]

    var description: String { "\(file): \(command)" }
  }

  let steps: [Step]

  init(_ text: String, named file: String) {
    var steps: [Step] = []
    var command: String?
    var output: [String] = []
    func finish() {
      guard let command else { return }
      while output.last?.isEmpty == true { output.removeLast() }
      steps.append(Step(file: file, command: command, output: output))
    }
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("$ ") {
        finish()
        command = String(line.dropFirst(2))
        output = []
      } else {
        output.append(String(line))
      }
    }
    finish()
    self.steps = steps
  }

  /// The commands of the blocks marked `console` in a Markdown text that run feedsim, by whatever
  /// name, with the output shown for them.
  static func steps(inMarkdown text: String, named file: String) -> [Step] {
    text.components(separatedBy: "```console\n").dropFirst()
      .flatMap { block in
        Transcript(block.components(separatedBy: "\n```")[0], named: file).steps
      }
      .compactMap { step in
        guard let name = step.command.firstRange(of: "feedsim") else { return nil }
        let runner = step.command[..<name.lowerBound]
        guard runner.isEmpty || runner.hasPrefix("swift run ") else { return nil }
        return Step(
          file: file, command: String(step.command[name.lowerBound...]), output: step.output)
      }
  }

  /// The lines without what differs from run to run: spacing, the lengths of rules, and the times
  /// below `median` and `p99`.
  static func timeless(_ lines: [String]) -> [String] {
    var timeColumns: [Int] = []
    return lines.map { line in
      var words = line.split(separator: " ").map(String.init)
      if words.contains("median") {
        timeColumns = words.indices.filter { words[$0] == "median" || words[$0] == "p99" }
      } else if words.isEmpty {
        timeColumns = []
      }
      if words.count == 1, words[0].allSatisfy({ $0 == "─" }) { return "─" }
      if !words.contains("median") {
        for column in timeColumns where column < words.count { words[column] = "[..]" }
      }
      return words.joined(separator: " ")
    }
  }

  /// Every step of the transcripts in `folder`, in the order of their names.
  static func steps(in folder: URL) -> [Step] {
    let files =
      (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil))
    return (files ?? []).filter { $0.pathExtension == "transcript" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
      .flatMap { file in
        let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
        return Transcript(text, named: file.deletingPathExtension().lastPathComponent).steps
      }
  }

  /// Whether `line` is what `pattern` describes.
  static func matches(_ line: String, pattern: String) -> Bool {
    let parts = pattern.components(separatedBy: "[..]")
    guard parts.count > 1 else { return line == pattern }
    guard line.hasPrefix(parts[0]) else { return false }
    var rest = line.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() {
      guard let range = rest.range(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }
}

/// Runs shell commands beside the built `feedsim`.
struct Shell {
  /// The folder that holds the test bundle and the executables.
  static let products = Bundle.module.bundleURL.deletingLastPathComponent()
  static let golden = Bundle.module.bundleURL.appending(path: "Golden")
  /// One folder for what the commands of one test run write, so that no two runs meet.
  private static let temporaryFolder: String = {
    let folder = FileManager.default.temporaryDirectory.appending(path: "feedsim-\(UUID())")
    try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    return folder.path()
  }()

  /// What `command` prints, its last line `exit N` where it fails.
  static func run(_ command: String, with variables: [String: String] = [:]) throws -> [String] {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = ["-c", "exec 2>&1; \(command)"]
    process.currentDirectoryURL = golden
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = products.path() + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
    environment["TMPDIR"] = temporaryFolder
    process.environment = environment.merging(variables) { $1 }
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardInput = FileHandle.nullDevice
    try process.run()
    let data = try pipe.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    var lines = String(decoding: data, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    while lines.last?.isEmpty == true { lines.removeLast() }
    if process.terminationStatus != 0 { lines.append("exit \(process.terminationStatus)") }
    return lines
  }
}
