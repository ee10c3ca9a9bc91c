/// What became of one case.
enum Outcome: Sendable {
  case passed
  case failed(expected: String, got: String)
  /// Not judged, and why: never a pass.
  case notCovered(String)
  /// The sources disagree; what we decided, and whether the product does it.
  case contested(ContestedDecision, holds: Bool, got: String)
}

/// What a case says must come out, beside what came out. Both are compared as text, so that every
/// difference can be shown.
struct Comparison {
  var expected: String
  var got: String

  init(_ expected: String, _ got: String) {
    self.expected = expected
    self.got = got
  }

  var agrees: Bool { expected.utf8.elementsEqual(got.utf8) }
}
