import ReadBilling
import TestSupport
import Testing

@Suite struct BillingRulesTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var testDescription: String
    var operation: BillableOperation
    var reads: BilledReads

    init(_ description: String, _ operation: BillableOperation, _ reads: BilledReads) {
      testDescription = description
      self.operation = operation
      self.reads = reads
    }

    static func query(
      _ returned: Int, skipped: Int = 0, entries: Int = 0, ranges: Int = 0
    ) -> BillableOperation {
      .query(returned: returned, skipped: skipped, indexEntries: entries, rangeFields: ranges)
    }
  }

  static let published: [Case] = [
    Case("a page", Case.query(15), [.documentsReturned: 15]),
    Case("an empty result", Case.query(0), [.minimum: 1]),
    Case(
      "offset 10 and one result", Case.query(1, skipped: 10),
      [.documentsReturned: 1, .documentsSkipped: 10]),
    Case("an offset past the end", Case.query(0, skipped: 4), [.documentsSkipped: 4]),
    Case(
      "one range field is free", Case.query(5, entries: 95_000, ranges: 1), [.documentsReturned: 5]),
    Case(
      "merged equalities are free", Case.query(1_200, entries: 16_500), [.documentsReturned: 1_200]),
    Case(
      "two range fields", Case.query(5, entries: 1_000, ranges: 2),
      [.documentsReturned: 5, .indexEntries: 1]),
    Case(
      "two range fields, badly ordered", Case.query(5, entries: 95_000, ranges: 2),
      [.documentsReturned: 5, .indexEntries: 95]),
    Case(
      "no minimum on top of index entries", Case.query(0, entries: 2_500, ranges: 2),
      [.indexEntries: 3]),
    Case("nothing to scan, nothing found", Case.query(0, entries: 0, ranges: 3), [.minimum: 1]),
    Case("a document that exists", .get(found: true), [.documentFound: 1]),
    Case("a document that does not", .get(found: false), [.documentMissing: 1]),
    Case("a count of nothing", .aggregation(indexEntries: 0), [.aggregation: 1]),
    Case("a count of 1,000", .aggregation(indexEntries: 1_000), [.aggregation: 1]),
    Case("a count of 1,001", .aggregation(indexEntries: 1_001), [.aggregation: 2]),
    Case("a count of 1,500", .aggregation(indexEntries: 1_500), [.aggregation: 2]),
    Case("a count of 50,000", .aggregation(indexEntries: 50_000), [.aggregation: 50]),
    Case(
      "a count of all there can be", .aggregation(indexEntries: .max),
      [.aggregation: .max / 1_000 + 1]),
    Case("counts below zero", Case.query(-3, skipped: -1, entries: -5, ranges: 2), [.minimum: 1]),
  ]

  @Test(arguments: published)
  func `a published example is billed as published`(_ example: Case) {
    #expect(BillingRules.reads(for: example.operation) == example.reads)
  }

  @Test func `the causes of every operation add up to its total, and nothing is free`() {
    for number in Randomised.cases(2_000) {
      var generator = Randomised.generator(case: number)
      let operation = BillableOperation.random(using: &generator)
      let reads = BillingRules.reads(for: operation)
      #expect(reads.byCause.map(\.reads).reduce(0, +) == reads.total, "\(operation)")
      #expect(reads.total >= 1, "\(operation)")
      #expect(reads[.minimum] == 0 || reads.total == 1, "\(operation)")
    }
  }
}

@Suite struct BilledReadsTests {
  @Test func `a sum adds cause by cause`() {
    let sum: BilledReads = [.documentsReturned: 15, .minimum: 1] + [.documentsReturned: 2]
    #expect(sum == [.documentsReturned: 17, .minimum: 1])
    #expect(sum.total == 18)
  }

  @Test func `each cause has a place of its own`() {
    var reads = BilledReads()
    for (index, cause) in ReadCause.allCases.enumerated() { reads[cause] = index + 1 }
    #expect(reads.byCause.map(\.cause) == ReadCause.allCases)
    #expect(reads.byCause.map(\.reads) == Array(1...ReadCause.allCases.count))
  }

  @Test func `a listener pays for what comes in, changes, or leaves by a change`() {
    let bill = BillingRules.reads(for: .resultChange(added: 2, modified: 3, removed: 1))
    #expect(bill == [.documentsAdded: 2, .documentsModified: 3, .documentsRemoved: 1])
    #expect(BillingRules.reads(for: .resultChange(added: 0, modified: 0, removed: 0)).total == 0)
  }

  @Test func `a transaction pays for what it had verified`() {
    #expect(BillingRules.reads(for: .verification(documents: 2)) == [.documentsVerified: 2])
  }

  @Test func `a bill reads as its total and its causes`() {
    #expect("\(BilledReads())" == "0 reads")
    #expect("\([.minimum: 1] as BilledReads)" == "1 read (1 minimum)")
    let page: BilledReads = [.documentsReturned: 15, .documentsSkipped: 30]
    #expect("\(page)" == "45 reads (15 documents returned, 30 documents skipped)")
  }
}

extension BillableOperation {
  static func random(using generator: inout SeededGenerator) -> BillableOperation {
    switch Int.random(in: 0..<4, using: &generator) {
    case 0: .get(found: .random(using: &generator))
    case 1: .aggregation(indexEntries: .random(in: 0...5_000, using: &generator))
    default:
      .query(
        returned: .random(in: 0...3, using: &generator),
        skipped: .random(in: 0...3, using: &generator),
        indexEntries: .random(in: 0...5_000, using: &generator),
        rangeFields: .random(in: 0...3, using: &generator))
    }
  }
}
