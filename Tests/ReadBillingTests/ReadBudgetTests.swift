import ReadBilling
import Testing

@Suite struct ReadBudgetTests {
  /// What `body` throws, as a test framework would print it.
  func failure(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return "no failure"
    } catch {
      return "\(error)"
    }
  }

  @Test func `work within its budget returns its value`() async throws {
    let meter = ReadMeter()
    let value = try await expectReads(15) {
      meter.recordPage(15)
      return "page"
    }
    #expect(value == "page")
    try await ReadBudget(atMost: 15).check { await Task { _ = meter.recordPage(14) }.value }
    try ReadBudget(atMost: 15).check { _ = meter.recordPage(15) }
  }

  @Test func `work above its budget fails with its bill, line by line`() async {
    let meter = ReadMeter()
    let failure = await failure {
      try ReadBudget(atMost: 15).check {
        meter.recordPage(15, query: "posts limit 15")
        ReadMeter.label("badge") {
          for _ in 1...2 { meter.recordPage(40, query: "notices", fingerprint: 2) }
        }
      }
    }
    #expect(
      failure == """
        Expected at most 15 reads, billed 95: 80 more.
            15  posts limit 15
            80  2 × notices  [badge]
            95 reads (95 documents returned)
        """)
  }

  @Test func `a number that is expected must not be missed downwards either`() async {
    let meter = ReadMeter()
    let failure = await failure { try await expectReads(15) { _ = meter.recordPage(1) } }
    #expect(failure.hasPrefix("Expected 15 reads, billed 1: 14 fewer."))
  }

  @Test func `a budget of a label counts that label alone`() async throws {
    let meter = ReadMeter()
    try await expectReads(15, label: "home") {
      meter.recordPage(100)
      ReadMeter.label("home") { _ = meter.recordPage(15) }
    }
    let failure = await failure {
      try await expectReads(1, label: "home") {
        ReadMeter.label("home") { _ = meter.recordPage(15) }
      }
    }
    #expect(failure.hasPrefix("Expected 1 read under “home”, billed 15: 14 more."))
  }

  @Test func `a budget of a meter counts that meter alone, and one without counts all`()
    async throws
  {
    let meter = ReadMeter()
    let other = ReadMeter(keeping: .totals)
    try await expectReads(15, of: meter) {
      meter.recordPage(15)
      other.recordPage(100)
    }
    try await expectReads(115) {
      meter.recordPage(15)
      other.recordPage(100)
    }
  }

  @Test func `an error of the work is what is thrown`() async {
    struct Failure: Error {}
    let meter = ReadMeter()
    await #expect(throws: Failure.self) {
      try await expectReads(0) {
        meter.recordPage(1)
        throw Failure()
      }
    }
  }

  @Test func `tasks of the work count, detached ones do not`() async throws {
    let meter = ReadMeter()
    try await expectReads(3) {
      async let first = meter.recordPage(1)
      _ = await first
      await Task { _ = meter.recordPage(2) }.value
      await Task.detached { _ = meter.recordPage(4) }.value
    }
  }

  @Test func `work on the main actor may be measured there`() async throws {
    try await Self.measureOnMainActor()
  }

  @MainActor private static func measureOnMainActor() async throws {
    let meter = ReadMeter()
    var pages = 0
    try await expectReads(15) {
      pages += 1
      meter.recordPage(15)
    }
    #expect(pages == 1)
  }

  @Test func `a bill of a thousand lines sums up what follows`() {
    var bill = ReadBill()
    for page in 1...1_500 { bill.add("page \(page)", [.documentsReturned: 1]) }
    #expect(bill.lines.count == 1_001)
    #expect(bill.lines.last?.query == "further queries")
    #expect(bill.lines.last?.operations == 500)
    #expect(bill.total == 1_500)
  }
}
