import Testing

@Suite struct TranscriptTests {
  @Test(arguments: Transcript.steps(in: Shell.golden))
  func `a command prints what its transcript says`(step: Transcript.Step) throws {
    let lines = try Shell.run(step.command)
    let text = lines.joined(separator: "\n")
    #expect(lines.count == step.output.count, "printed:\n\(text)")
    for (line, pattern) in zip(lines, step.output) where !Transcript.matches(line, pattern: pattern)
    {
      Issue.record("expected: \(pattern)\nprinted:  \(line)\nin:\n\(text)")
      return
    }
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
