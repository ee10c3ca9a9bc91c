import Testing

@Suite struct ConformanceTests {
  @Test func `the vectors can be read`() throws {
    #expect(try !Vectors.cases.get().isEmpty)
  }

  @Test(arguments: (try? Vectors.cases.get()) ?? [])
  func `a case comes out as it does in Firestore`(_ vector: ConformanceCase) async throws {
    try await expectToHold(vector)
  }

  @Test func `what did not simply pass is listed, and everything is counted`() async throws {
    let report = await ConformanceReport(judging: try Vectors.cases.get())
    print(report.text)
    #expect(!report.results.isEmpty)
  }

  @Test(.disabled(if: Vectors.areForeign, "these vectors are not ours to decide"))
  func `every contested case of ours is decided`() throws {
    let undecided = try Vectors.cases.get().filter {
      $0.isContested && !ContestedDecision.isDecided($0)
    }
    #expect(undecided.map(\.name) == [])
  }
}

/// Google's conformance tests of its clients: https://github.com/googleapis/conformance-tests. They
/// are not part of the package: `FEEDSTORE_GOOGLEAPIS` gives the folder `firestore/v1`.
@Suite(.enabled(if: Vectors.areGoogleapisPresent, "no googleapis; FEEDSTORE_GOOGLEAPIS gives them"))
struct GoogleapisTests {
  @Test(arguments: (try? Vectors.googleapis.get()) ?? [])
  func `a call is what Google's clients send`(_ vector: ConformanceCase) async throws {
    try await expectToHold(vector)
  }

  @Test func `every file is judged, or listed with its reason`() async throws {
    let report = await ConformanceReport(judging: try Vectors.googleapis.get())
    print(report.text)
    #expect(report.results.count == 228)
    let undecided = report.results.map(\.vector).filter {
      $0.isContested && !ContestedDecision.isDecided($0)
    }
    #expect(undecided.map(\.name) == [])
  }
}

private func expectToHold(_ vector: ConformanceCase) async throws {
  switch await Judge.outcome(of: vector) {
  case .passed: break
  case .failed(let expected, let got):
    Issue.record("expected \(expected), got \(got)")
  case .notCovered(let reason): try Test.cancel("\(reason)")
  case .contested(let decision, let holds, let got):
    #expect(holds || Vectors.areForeign, "decided: \(decision.reason); got \(got)")
  }
}
