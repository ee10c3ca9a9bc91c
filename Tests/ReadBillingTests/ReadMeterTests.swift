import ReadBilling
import Synchronization
import TestSupport
import Testing

extension ReadMeter {
  /// Records a query of `posts` that returns so many documents.
  @discardableResult
  func recordPage(_ returned: Int, query: String = "posts", fingerprint: UInt64 = 1) -> BilledReads
  {
    record(
      .query(returned: returned, skipped: 0, indexEntries: returned, rangeFields: 0),
      fingerprint: fingerprint, indexEntriesScanned: returned, path: "posts", query: { query })
  }
}

@Suite struct ReadMeterTests {
  @Test func `an entry says what happened, under which label, and what it cost`() throws {
    let meter = ReadMeter()
    ReadMeter.label("home") {
      _ = meter.record(
        .query(returned: 1, skipped: 10, indexEntries: 11, rangeFields: 1), fingerprint: 7,
        indexEntriesScanned: 11, path: "users/*/posts", query: { "posts limit 1 offset 10" })
    }
    let entry = try #require(meter.entries.first)
    #expect(entry.number == 1)
    #expect(entry.query == "posts limit 1 offset 10")
    #expect(entry.path == "users/*/posts")
    #expect(entry.label == "home")
    #expect(entry.returned == 1)
    #expect(entry.skipped == 10)
    #expect(entry.indexEntriesScanned == 11)
    #expect(entry.reads == [.documentsReturned: 1, .documentsSkipped: 10])
  }

  @Test func `totals are by cause, by query and by label`() {
    let meter = ReadMeter()
    meter.recordPage(2, query: "posts limit 2", fingerprint: 1)
    ReadMeter.label("home") {
      meter.recordPage(3, query: "posts limit 3", fingerprint: 1)
      meter.recordPage(0, query: "banks", fingerprint: 2)
    }
    #expect(meter.total == 6)
    #expect(meter.reads == [.documentsReturned: 5, .minimum: 1])
    #expect(meter.operationCount == 3)
    #expect(meter.byQuery.map(\.query) == ["posts limit 2", "banks"])
    #expect(meter.byQuery.map(\.operations) == [2, 1])
    #expect(meter.byQuery.map(\.reads.total) == [5, 1])
    #expect(meter.byLabel == ["home": [.documentsReturned: 3, .minimum: 1]])
    #expect(meter.reads(labelled: "home").total == 4)
    #expect(meter.reads(labelled: "elsewhere") == BilledReads())
  }

  @Test(arguments: [0, 1, 3, 10])
  func `only the last entries are kept, and the totals are of all`(capacity: Int) {
    let meter = ReadMeter(keeping: .entries(last: capacity))
    for _ in 1...8 { meter.recordPage(1) }
    #expect(meter.entries.map(\.number) == Array((1...8).suffix(capacity)))
    #expect(meter.operationCount == 8)
    #expect(meter.total == 8)
  }

  @Test func `a meter of totals asks for the text of a query once, and for no path`() {
    let meter = ReadMeter(keeping: .totals)
    var texts = 0
    for _ in 1...3 {
      meter.record(
        .get(found: true), fingerprint: 9, indexEntriesScanned: 0,
        path: {
          Issue.record("the path is not kept")
          return ""
        }()
      ) {
        texts += 1
        return "posts/1"
      }
    }
    #expect(texts == 1)
    #expect(meter.byQuery.map(\.query) == ["posts/1"])
    #expect(meter.entries.isEmpty)
  }

  @Test func `the text of a query may be made with the help of the meter`() {
    let meter = ReadMeter()
    meter.record(
      .get(found: true), fingerprint: 1, indexEntriesScanned: 0, path: "\(meter.total)",
      query: { "after \(meter.operationCount)" })
    #expect(meter.entries.map(\.query) == ["after 0"])
  }

  @Test func `after 10,000 different queries the others share a row, and the sum stays whole`() {
    let meter = ReadMeter(keeping: .totals)
    for fingerprint in 1...10_005 {
      meter.recordPage(2, query: "posts \(fingerprint)", fingerprint: UInt64(fingerprint))
    }
    meter.recordPage(2, query: "posts 1", fingerprint: 1)
    #expect(meter.byQuery.count == 10_001)
    #expect(meter.byQuery.first?.query == "further queries")
    #expect(meter.byQuery.first?.operations == 5)
    #expect(meter.byQuery.map(\.reads.total).reduce(0, +) == meter.total)
  }

  @Test func `a reset starts from nothing and from number 1`() {
    let meter = ReadMeter()
    ReadMeter.label("home") { _ = meter.recordPage(4) }
    meter.reset()
    #expect(meter.total == 0)
    #expect(meter.operationCount == 0)
    #expect(meter.entries.isEmpty)
    #expect(meter.byQuery.isEmpty)
    #expect(meter.byLabel.isEmpty)
    meter.recordPage(1)
    #expect(meter.entries.map(\.number) == [1])
  }

  @Test func `nothing is lost when many threads record at once`() async {
    let meter = ReadMeter(keeping: .entries(last: 100))
    await withTaskGroup { group in
      for task in 1...8 {
        group.addTask {
          ReadMeter.label("task \(task)") {
            for _ in 1...500 { meter.recordPage(task, fingerprint: UInt64(task)) }
          }
        }
      }
    }
    #expect(meter.operationCount == 4_000)
    #expect(meter.total == 500 * (1...8).reduce(0, +))
    #expect(meter.reads(labelled: "task 3").total == 1_500)
    #expect(meter.entries.map(\.number) == Array(3_901...4_000))
  }

  @Test func `whatever is recorded, every breakdown adds up to the total`() {
    for number in Randomised.cases(50) {
      var generator = Randomised.generator(case: number)
      let meter = ReadMeter(keeping: .entries(last: 1_000))
      for _ in 0..<Int.random(in: 0...60, using: &generator) {
        let operation = BillableOperation.random(using: &generator)
        let fingerprint = UInt64.random(in: 0...4, using: &generator)
        ReadMeter.label("\(fingerprint % 2)") {
          _ = meter.record(
            operation, fingerprint: fingerprint, indexEntriesScanned: 0, path: "",
            query: { "\(fingerprint)" })
        }
      }
      #expect(meter.reads.byCause.map(\.reads).reduce(0, +) == meter.total)
      #expect(meter.entries.map(\.reads).reduce(BilledReads(), +) == meter.reads)
      #expect(meter.byQuery.map(\.reads).reduce(BilledReads(), +) == meter.reads)
      #expect(meter.byLabel.values.reduce(BilledReads(), +) == meter.reads)
    }
  }
}

@Suite struct MeasuringTests {
  @Test func `a scope counts what was recorded in it, and nothing before or after`() {
    let meter = ReadMeter()
    meter.recordPage(100)
    let (value, reads) = meter.measure {
      meter.recordPage(15)
      return "page"
    }
    meter.recordPage(100)
    #expect(value == "page")
    #expect(reads == [.documentsReturned: 15])
  }

  @Test func `nested scopes all count`() {
    let meter = ReadMeter()
    let outer = meter.measure {
      meter.recordPage(1)
      let inner = meter.measure { meter.recordPage(2) }
      #expect(inner.reads.total == 2)
      meter.recordPage(4)
    }
    #expect(outer.reads.total == 7)
  }

  @Test func `a scope counts its own meter, also around the scope of another`() {
    let meter = ReadMeter()
    let other = ReadMeter()
    let outer = meter.measure {
      let inner = other.measure {
        meter.recordPage(1)
        other.recordPage(2)
      }
      #expect(inner.reads.total == 2)
    }
    #expect(outer.reads.total == 1)
  }

  @Test func `a scope counts the tasks started in it, and not its neighbours`() async {
    let meter = ReadMeter()
    await withTaskGroup { group in
      for size in 1...4 {
        group.addTask {
          let measured = await meter.measure {
            async let first = meter.recordPage(size)
            async let second = Task { meter.recordPage(size) }.value
            _ = await (first, second)
          }
          #expect(measured.reads.total == 2 * size)
        }
      }
    }
    #expect(meter.total == 20)
  }

  @Test func `the innermost label counts, and a scope keeps the label around it`() async {
    let meter = ReadMeter()
    await ReadMeter.label("outer") {
      await Task { _ = meter.recordPage(1) }.value
      _ = ReadMeter.label("inner") { meter.recordPage(2) }
      _ = meter.measure { meter.recordPage(4) }
    }
    meter.recordPage(8)
    #expect(meter.byLabel.mapValues(\.total) == ["outer": 5, "inner": 2])
  }

  @Test func `an error leaves its scope and its label`() {
    struct Failure: Error {}
    let meter = ReadMeter()
    #expect(throws: Failure.self) {
      try ReadMeter.label("failing") { try meter.measure { throw Failure() } }
    }
    meter.recordPage(1)
    #expect(meter.byLabel.isEmpty)
  }
}
