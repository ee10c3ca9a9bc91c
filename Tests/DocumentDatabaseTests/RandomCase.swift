import TestSupport
import Testing

/// One randomly made case of a property, which can say what is wrong and be made smaller.
protocol RandomCase {
  init(using generator: inout SeededGenerator)

  /// What the engine did otherwise than the model; nil where they agree.
  func disagreement() -> String?

  /// The same case with something left out, the greatest cuts first.
  var smaller: [Self] { get }
}

/// Runs `cases` cases times the effort asked for. The first that fails is reduced and reported with
/// its seed, which makes the same cases again.
func check<Case: RandomCase>(
  _ type: Case.Type, cases: Int, at location: SourceLocation = #_sourceLocation
) {
  for number in Randomised.cases(cases) {
    var generator = Randomised.generator(case: number)
    let original = Case(using: &generator)
    guard original.disagreement() != nil else { continue }
    let reduced = reduce(original)
    let report = """
      FEEDSTORE_SEED=\(Randomised.seed) case \(number): \(reduced.disagreement() ?? "")
      \(reduced)
      """
    Issue.record(Comment(rawValue: report), sourceLocation: location)
    return
  }
}

/// Makes a case smaller as long as it fails in the same way: by an answer or by an error.
private func reduce<Case: RandomCase>(_ original: Case) -> Case {
  func isError(_ random: Case) -> Bool? { random.disagreement()?.hasPrefix("threw") }
  let kind = isError(original)
  var current = original
  while let next = current.smaller.first(where: { isError($0) == kind }) { current = next }
  return current
}

extension Array {
  /// The array without its first half, without its second, without each element alone.
  var shorter: [[Element]] {
    guard count > 1 else { return isEmpty ? [] : [[]] }
    let middle = count / 2
    return [Array(self[middle...]), Array(self[..<middle])]
      + indices.map { index in
        var rest = self
        rest.remove(at: index)
        return rest
      }
  }
}

extension SeededGenerator {
  mutating func chance(_ probability: Double) -> Bool {
    Double.random(in: 0..<1, using: &self) < probability
  }

  /// One of `choices`, which must not be empty.
  mutating func pick<Choice>(_ choices: [Choice]) -> Choice {
    choices[Int.random(in: 0..<choices.count, using: &self)]
  }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }
}
