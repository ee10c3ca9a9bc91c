/// Runs one case and says what came of it.
enum Judge {
  static func outcome(of vector: ConformanceCase) async -> Outcome {
    let comparison: Comparison
    do {
      comparison =
        switch vector.dialect {
        case .groundTruth: try await GroundTruthJudge(vector).comparison()
        case .reference: try await ReferenceVectorJudge(vector).comparison()
        case .protocolTests: try await ProtocolTestJudge(vector).comparison()
        }
    } catch let error as NotExpressible {
      return .notCovered(error.reason)
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
}
