/// All cases of this run, each judged once.
struct ConformanceReport: Sendable {
  var results: [(vector: ConformanceCase, outcome: Outcome)]

  init(judging vectors: [ConformanceCase]) async {
    results = []
    for vector in vectors { results.append((vector, await Judge.outcome(of: vector))) }
  }

  /// One line for every case that did not simply pass, and the counts.
  var text: String {
    var lines: [String] = []
    for (vector, outcome) in results {
      switch outcome {
      case .passed: break
      case .failed(let expected, let got):
        lines.append("FAILED \(vector.testDescription): expected \(expected), got \(got)")
      case .notCovered(let reason):
        lines.append("not covered \(vector.testDescription): \(reason)")
      case .contested(let decision, let holds, let got):
        lines.append(
          """
          \(holds ? "contested" : "CONTESTED") \(vector.testDescription): we \
          \(decision.followsTheCase ? "follow" : "differ"), \(decision.reason); got \(got)
          """)
      }
    }
    return (lines + [counts]).joined(separator: "\n")
  }

  private var counts: String {
    var passed = 0
    var failed = 0
    var notCovered = 0
    var contested = 0
    for (_, outcome) in results {
      switch outcome {
      case .passed: passed += 1
      case .failed: failed += 1
      case .notCovered: notCovered += 1
      case .contested: contested += 1
      }
    }
    return """
      \(results.count) cases: \(passed) passed, \(failed) failed, \(notCovered) not covered, \
      \(contested) contested
      """
  }
}
