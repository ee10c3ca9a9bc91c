import ReadBilling
import Synchronization
import TestSupport
import Testing

@Suite struct LedgerTests {
  @Test func `an entry has the time of the clock that was handed in, and the page`() async {
    let seconds = Mutex(10)
    let meter = ReadMeter(now: {
      seconds.withLock { seconds in
        seconds += 1
        return .seconds(seconds)
      }
    })
    await ReadMeter.page(3) { _ = meter.recordPage(1) }
    meter.recordPage(1)
    #expect(meter.entries.map(\.time) == [.seconds(11), .seconds(12)])
    #expect(meter.entries.map(\.pageNumber) == [3, nil])
    #expect(meter.entries.map(\.fingerprint) == [1, 1])
  }

  @Test func `a page keeps the label around it, and a label the page`() async {
    let meter = ReadMeter()
    await ReadMeter.label("home") { await ReadMeter.page(2) { _ = meter.recordPage(1) } }
    await ReadMeter.page(2) { ReadMeter.label("home") { _ = meter.recordPage(1) } }
    #expect(meter.entries.map(\.label) == ["home", "home"])
    #expect(meter.entries.map(\.pageNumber) == [2, 2])
  }

  @Test func `a wasted operation moves to that cause everywhere, and the total stays`() throws {
    let meter = ReadMeter()
    meter.recordPage(4)
    let receipt = ReadMeter.label("home") {
      meter.book(
        .query(15, skipped: 2), fingerprint: 1, indexEntriesScanned: 17, path: "posts",
        query: { "posts" })
    }
    meter.waste(receipt)
    let wasted: BilledReads = [.wasted: 17]
    #expect(meter.reads == [.documentsReturned: 4, .wasted: 17])
    #expect(meter.byLabel == ["home": wasted])
    #expect(meter.byQuery.map(\.reads) == [[.documentsReturned: 4, .wasted: 17]])
    let entry = try #require(meter.entries.last)
    #expect(entry.reads == wasted)
    #expect(entry.isWasted && entry.returned == 15 && entry.skipped == 2)
  }

  @Test func `a receipt from before a reset says nothing about what came after`() {
    let meter = ReadMeter()
    let receipt = meter.book(
      .query(15), fingerprint: 1, indexEntriesScanned: 0, path: "", query: { "" })
    meter.reset()
    meter.recordPage(3)
    meter.waste(receipt)
    meter.markAsLookedAt(receipt)
    #expect(meter.reads == [.documentsReturned: 3])
    #expect(meter.entries.map(\.evidence.wasLookedAt) == [nil])
  }

  @Test func `an operation whose entry had to go is wasted in the sums alone`() {
    let meter = ReadMeter(keeping: .entries(last: 1))
    let receipt = meter.book(
      .query(15), fingerprint: 1, indexEntriesScanned: 0, path: "", query: { "" })
    meter.recordPage(3)
    meter.waste(receipt)
    #expect(meter.reads == [.documentsReturned: 3, .wasted: 15])
    #expect(meter.entries.map(\.reads) == [[.documentsReturned: 3]])
  }

  @Test(arguments: [Ledger.Retention.all, .entries(last: 3), .totals])
  func `every entry is spilled once, in order, however few are kept`(_ retention: Ledger.Retention)
  {
    let spilled = Mutex<[LedgerEntry]>([])
    let meter = ReadMeter(
      keeping: retention, spill: { entry in spilled.withLock { $0.append(entry) } })
    for page in 1...8 { meter.recordPage(page) }
    let total = meter.reads
    meter.flush()
    let entries = spilled.withLock { $0 }
    guard retention != .totals else {
      #expect(entries.isEmpty)
      return
    }
    #expect(entries.map(\.number) == Array(1...8))
    #expect(entries.map(\.reads).reduce(BilledReads(), +) == total)
    #expect(meter.operationCount == 0)
  }

  @Test func `all entries are kept where that is chosen`() {
    let meter = ReadMeter(keeping: .all)
    for _ in 1...20_000 { meter.recordPage(1) }
    #expect(meter.entries.map(\.number) == Array(1...20_000))
  }

  @Test func `with wasted loads too, every breakdown adds up to the total`() {
    for number in Randomised.cases(50) {
      var generator = Randomised.generator(case: number)
      let meter = ReadMeter(keeping: .all)
      var receipts: [ReadMeter.Receipt] = []
      for _ in 0..<Int.random(in: 0...60, using: &generator) {
        let operation = BillableOperation.random(using: &generator)
        let query = UInt64.random(in: 0...4, using: &generator)
        ReadMeter.label("\(query % 2)") {
          receipts.append(
            meter.book(
              operation, fingerprint: query, indexEntriesScanned: 0, path: "",
              query: { "\(query)" }))
        }
      }
      let total = meter.total
      for receipt in receipts where Bool.random(using: &generator) { meter.waste(receipt) }
      #expect(meter.total == total)
      #expect(meter.reads.byCause.map(\.reads).reduce(0, +) == total)
      #expect(meter.entries.map(\.reads).reduce(BilledReads(), +) == meter.reads)
      #expect(meter.byQuery.map(\.reads).reduce(BilledReads(), +) == meter.reads)
      #expect(meter.byLabel.values.reduce(BilledReads(), +) == meter.reads)
    }
  }
}

@Suite struct ExportTests {
  static func entry() -> LedgerEntry {
    LedgerEntry(
      number: 7, time: .milliseconds(1_500), operation: .query(15, skipped: 30), fingerprint: 0xAB,
      query: "posts where title == \"a, b\"\u{1}", path: "users/*/posts", label: "home, top",
      pageNumber: 3, indexEntriesScanned: 45,
      reads: [.documentsReturned: 15, .documentsSkipped: 30])
  }

  @Test func `an entry is one line of JSON`() {
    #expect(
      Self.entry().jsonLine == """
        {"number":7,"time":1.500000,"label":"home, top","page":3,"operation":"query",\
        "path":"users/*/posts","query":"posts where title == \\"a, b\\"\\u0001",\
        "fingerprint":"00000000000000ab","returned":15,"skipped":30,"index_entries_scanned":45,\
        "reads":45,"causes":{"documents_returned":15,"documents_skipped":30}}
        """)
  }

  @Test func `an entry is one row of CSV, with a column for each cause`() {
    let header = LedgerEntry.csvHeader.split(separator: ",").map(String.init)
    #expect(header.count == 12 + ReadCause.allCases.count)
    #expect(header.suffix(2) == ["bulk_delete", "wasted_by_a_stale_load"])
    let row = Self.entry().csvRow
    #expect(
      row.hasPrefix(
        "7,1.500000,\"home, top\",3,query,users/*/posts,"
          + "\"posts where title == \"\"a, b\"\"\u{1}\",00000000000000ab,15,30,45,45,15,30,0"))
  }

  @Test func `a time before 1970 keeps its sign`() {
    var entry = Self.entry()
    entry.time = .milliseconds(-500)
    #expect(entry.jsonLine.contains("\"time\":-0.500000,"))
  }

  @Test func `a meter exports what it remembers`() {
    let meter = ReadMeter()
    meter.recordPage(2)
    meter.recordPage(3)
    #expect(meter.jsonLines.split(separator: "\n").count == 2)
    #expect(meter.csv.split(separator: "\r\n").count == 3)
  }

  @Test func `an invoice adds up, and states what was assumed`() {
    let meter = ReadMeter(keeping: .totals)
    for _ in 1...1_200 { meter.recordPage(1, query: "posts limit 1") }
    meter.recordPage(0, query: "banks", fingerprint: 2)
    let invoice = ReadInvoice(meter)
    #expect(invoice.reads == meter.reads)
    #expect(invoice.operations == 1_201)
    let lines = "\(invoice)".split(separator: "\n").map(String.init)
    #expect(lines[2] == "   1         1,200         1,200  posts limit 1")
    #expect(lines[3].hasSuffix("1,200 documents returned"))
    #expect(lines.contains("             1,201         1,201  Total"))
    #expect(lines.suffix(OpenRule.allCases.count).allSatisfy { $0.hasPrefix("  - ") })
  }
}
