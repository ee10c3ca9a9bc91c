import Foundation
import Testing

@Suite struct TranscriptTests {
  /// The steps of one transcript run one after the other: a later one may use what an earlier one
  /// wrote. Different transcripts run side by side.
  @Test(arguments: Set(Transcript.steps(in: Shell.golden).map(\.file)).sorted())
  func `a command prints what its transcript says`(file: String) throws {
    for step in Transcript.steps(in: Shell.golden) where step.file == file {
      try expect(step, to: Shell.run(step.command))
    }
  }

  private func expect(_ step: Transcript.Step, to lines: [String]) {
    let text = lines.joined(separator: "\n")
    #expect(lines.count == step.output.count, "\(step)\nprinted:\n\(text)")
    for (line, pattern) in zip(lines, step.output) where !Transcript.matches(line, pattern: pattern)
    {
      Issue.record("\(step)\nexpected: \(pattern)\nprinted:  \(line)\nin:\n\(text)")
      return
    }
  }

  private static let readme: [Transcript.Step] = {
    let file = URL(filePath: #filePath).appending(path: "../../../README.md").standardizedFileURL
    let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    return Transcript.steps(inMarkdown: text, named: "README.md")
  }()

  @Test(.enabled(if: !readme.isEmpty, "README.md shows no run of feedsim"), arguments: readme)
  func `the README shows what a command prints, but for the times`(step: Transcript.Step) throws {
    let lines = try Shell.run(step.command)
    #expect(Transcript.timeless(lines) == Transcript.timeless(step.output))
  }

  @Test func `a run in Markdown is found by whatever name it has`() {
    let text = """
      ```console
      $ swift run -c release feedsim compare
      a   b  median  p99
      ────
      x   1     2.5   30
      $ swift test
      ```
      ```console
      $ feedsim --version
      feedsim
      ```
      """
    let steps = Transcript.steps(inMarkdown: text, named: "x")
    #expect(steps.map(\.command) == ["feedsim compare", "feedsim --version"])
    #expect(
      Transcript.timeless(steps[0].output) == ["a b median p99", "─", "x 1 [..] [..]"])
  }

  /// 1,707 real events of the United States Geological Survey, which are not part of the package.
  private static let earthquakes: URL = {
    if let path = ProcessInfo.processInfo.environment["FEEDSTORE_EARTHQUAKES"] {
      return URL(filePath: path)
    }
    return URL(filePath: #filePath).appending(path: "../../../../shared/data/earthquakes.ndjson")
      .standardizedFileURL
  }()

  @Test(
    .enabled(
      if: FileManager.default.isReadableFile(atPath: earthquakes.path()),
      "no earthquakes; FEEDSTORE_EARTHQUAKES gives their path"),
    arguments: Transcript.steps(in: Shell.golden.appending(path: "earthquakes")))
  func `a query of real events prints what its transcript says`(
    step: Transcript.Step
  ) throws {
    expect(
      step, to: try Shell.run(step.command, with: ["EARTHQUAKES": Self.earthquakes.path()]))
  }

  @Test func `there are transcripts`() {
    #expect(Transcript.steps(in: Shell.golden).count > 20)
  }

  @Test(arguments: [
    ("took 5 ms in all", "took [..] ms in all", true),
    ("took 5 s in all", "took [..] ms in all", false),
    ("ab", "ab[..]", true),
    ("aXbYc", "a[..]b[..]c", true),
    ("a", "[..]aa", false),
  ])
  func `a wildcard stands for text within a line`(line: String, pattern: String, fits: Bool) {
    #expect(Transcript.matches(line, pattern: pattern) == fits)
  }
}
