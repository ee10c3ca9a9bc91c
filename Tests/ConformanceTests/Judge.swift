import DocumentDatabase

/// Runs one case and says what came of it.
enum Judge {
  static func outcome(of vector: ConformanceCase) -> Outcome {
    if let reason = NotYetCovered.reason(for: vector) { return .notCovered(reason) }
    let comparison: Comparison
    do {
      comparison =
        switch vector.dialect {
        case .groundTruth: try GroundTruthJudge(vector).comparison()
        case .reference: try ReferenceVectorJudge(vector).comparison()
        }
    } catch let refusal as ClientRefusal {
      return .notCovered("a client's rule, refused by the runner itself: \(refusal.rule)")
    } catch {
      return .failed(expected: "a case that can be run", got: "\(error)")
    }
    if vector.isContested {
      let decision = ContestedDecision.decision(for: vector)
      return .contested(
        decision, holds: comparison.agrees == decision.followsTheCase, got: comparison.got)
    }
    return comparison.agrees
      ? .passed : .failed(expected: comparison.expected, got: comparison.got)
  }

  /// Runs `body`, giving the code of a database's error in place of an answer.
  static func answer(_ body: () throws -> String) throws -> String {
    do { return try body() } catch {
      guard let code = Subject.code(of: error) else { throw error }
      return code
    }
  }

  /// Names in a form that shows which bytes they are made of where that is not obvious.
  static func list(_ names: [String]) -> String {
    "["
      + names.map { $0.unicodeScalars.allSatisfy(\.isASCII) ? $0 : "\($0) \(Array($0.utf8))" }
      .joined(separator: ", ") + "]"
  }
}
