import ReadBilling
import TestSupport
import Testing

/// What an operation is billed under the documented assumptions, or with some overturned.
func bill(_ operation: BillableOperation, overturning rules: Set<OpenRule> = []) -> BilledReads {
  BillingRules.reads(for: operation, assuming: BillingAssumptions(overturning: rules))
}

extension BillableOperation {
  static func query(
    _ returned: Int, skipped: Int = 0, entries: Int = 0, ranges: Int = 0
  ) -> BillableOperation {
    .query(returned: returned, skipped: skipped, indexEntries: entries, rangeFields: ranges)
  }
}

@Suite struct QueryBillingTests {
  @Test func `a query is one read per document returned`() {
    #expect(bill(.query(15)) == [.documentsReturned: 15])
  }

  @Test func `a query without results is one read`() {
    #expect(bill(.query(0)) == [.minimum: 1])
  }

  @Test func `an offset is one read per document skipped`() {
    #expect(bill(.query(1, skipped: 10)) == [.documentsReturned: 1, .documentsSkipped: 10])
  }

  @Test func `an offset past the end is billed for what there was to skip`() {
    #expect(bill(.query(0, skipped: 4)) == [.documentsSkipped: 4])
  }

  @Test func `one range field reads index entries for nothing`() {
    #expect(bill(.query(5, entries: 95_000, ranges: 1)) == [.documentsReturned: 5])
  }

  @Test func `merged equalities read index entries for nothing`() {
    #expect(bill(.query(1_200, entries: 16_500)) == [.documentsReturned: 1_200])
  }

  @Test(arguments: [(1_000, 1), (1_001, 2), (95_000, 95)])
  func `several range fields are one read more per thousand index entries`(
    _ entries: Int, _ reads: Int
  ) {
    #expect(
      bill(.query(5, entries: entries, ranges: 2))
        == [.documentsReturned: 5, .indexEntries: reads])
  }

  @Test func `the minimum is a floor and no surcharge`() {
    #expect(bill(.query(0, entries: 2_500, ranges: 2)) == [.indexEntries: 3])
    #expect(bill(.query(0, entries: 0, ranges: 3)) == [.minimum: 1])
  }

  @Test func `whether the order by name is a range field can be switched`() {
    let query = BillableOperation.query(5, entries: 2_500, ranges: 1)
    #expect(bill(query) == [.documentsReturned: 5])
    #expect(
      bill(query, overturning: [.trailingNameOrderIsNoRange])
        == [.documentsReturned: 5, .indexEntries: 3])
    #expect(
      bill(.query(5, entries: 2_500), overturning: [.trailingNameOrderIsNoRange])
        == [.documentsReturned: 5])
  }

  @Test func `names alone cost as much as documents, unless that is switched`() {
    let names = BillableOperation.namesQuery(
      returned: 5, skipped: 2, indexEntries: 7, rangeFields: 0)
    #expect(bill(names) == [.documentsReturned: 5, .documentsSkipped: 2])
    #expect(bill(names, overturning: [.namesAreBilledAsDocuments]) == [.minimum: 1])
  }

  @Test func `the nearest vectors are one read more per hundred entries of the vector index`() {
    #expect(
      bill(.nearest(returned: 5, vectorIndexEntries: 1_550))
        == [.documentsReturned: 5, .vectorIndexEntries: 16])
    #expect(bill(.nearest(returned: 0, vectorIndexEntries: 0)) == [.minimum: 1])
  }

  @Test(arguments: [(0, 1), (1, 1), (1_000, 1), (1_001, 2), (1_500, 2), (2_000, 2), (50_000, 50)])
  func `an aggregation is one read per thousand index entries, and at least one`(
    _ entries: Int, _ reads: Int
  ) {
    #expect(bill(.aggregation(indexEntries: entries)) == [.aggregation: reads])
  }

  @Test func `a plan explained and not run is one read`() {
    #expect(bill(.explainPlan) == [.explainedPlan: 1])
  }

  @Test func `counts below zero are taken as zero, and the largest do not overflow`() {
    #expect(bill(.query(-3, skipped: -1, entries: -5, ranges: 2)) == [.minimum: 1])
    #expect(bill(.aggregation(indexEntries: .max)) == [.aggregation: .max / 1_000 + 1])
    #expect(bill(.verification(documents: -1)) == BilledReads())
  }
}

@Suite struct LookUpBillingTests {
  @Test func `a document that exists is one read`() {
    #expect(bill(.get(found: true)) == [.documentFound: 1])
  }

  @Test func `a document that is missing is one read, unless that is switched`() {
    #expect(bill(.get(found: false)) == [.documentMissing: 1])
    #expect(bill(.get(found: false), overturning: [.missingDocumentIsBilled]) == BilledReads())
  }

  @Test func `what comes from the cache is free`() {
    #expect(bill(.cached(returned: 40)) == BilledReads())
  }

  @Test func `a retried transaction reads again, unless that is switched`() {
    #expect(bill(.retriedGet(found: true)) == [.transactionRetry: 1])
    #expect(bill(.retriedGet(found: false)) == [.transactionRetry: 1])
    #expect(bill(.retriedGet(found: true), overturning: [.retryIsBilled]) == BilledReads())
    #expect(
      bill(.retriedGet(found: false), overturning: [.missingDocumentIsBilled]) == BilledReads())
  }

  @Test func `a document read and not written is verified for one read, unless that is switched`() {
    #expect(bill(.verification(documents: 2)) == [.verification: 2])
    #expect(bill(.verification(documents: 2), overturning: [.verificationIsBilled]) == [:])
  }

  @Test func `security rules are one read per different document they look up`() {
    #expect(bill(.ruleLookups(documents: 2)) == [.ruleLookup: 2])
  }

  @Test func `declared look-ups of rules are added to every request, and to nothing else`() {
    let meter = ReadMeter(ruleLookupsPerRequest: 2)
    meter.recordPage(15)
    #expect(meter.reads == [.documentsReturned: 15, .ruleLookup: 2])
    for free in [
      BillableOperation.cached(returned: 4), .listenShared(returned: 4),
      .listenChange(ListenerChanges(removedByDeletion: 1, metadataOnly: 1)),
    ] {
      meter.record(free, fingerprint: 2, indexEntriesScanned: 0, path: "", query: { "" })
    }
    #expect(meter.reads.total == 17)
    meter.record(
      .listenChange(ListenerChanges(modified: 1)), fingerprint: 2, indexEntriesScanned: 0, path: "",
      query: { "" })
    #expect(meter.reads[.ruleLookup] == 4)
  }
}

@Suite struct ListBillingTests {
  @Test func `a list of collection ids is one read per request, unless that is switched`() {
    #expect(bill(.listCollectionIDs(ids: 40)) == [.listing: 1])
    #expect(bill(.listCollectionIDs(ids: 0)) == [.listing: 1])
    #expect(
      bill(.listCollectionIDs(ids: 40), overturning: [.listingIsBilledPerRequest])
        == [.listing: 40])
  }

  @Test func `a list of documents is one read per document, and parents are free, unless switched`()
  {
    let list = BillableOperation.listDocuments(returned: 3, missing: 2)
    #expect(bill(list) == [.documentsReturned: 3])
    #expect(bill(list, overturning: [.listedParentIsFree]) == [.documentsReturned: 5])
    #expect(bill(.listDocuments(returned: 0, missing: 2)) == [.minimum: 1])
  }

  @Test func `a partition of a query is one read`() {
    #expect(bill(.partitionQuery) == [.listing: 1])
  }

  @Test func `an export is one read per document`() {
    #expect(bill(.export(documents: 700)) == [.documentsExported: 700])
  }

  @Test(arguments: [(0, 0), (1, 1), (1_000, 1), (1_500, 2)])
  func `a bulk delete is one read per thousand documents`(_ documents: Int, _ reads: Int) {
    #expect(bill(.bulkDelete(documents: documents)).total == reads)
  }
}

@Suite struct AssumptionTests {
  @Test func `every open rule is stated, each way, with its page`() {
    let documented = BillingAssumptions.documented
    let overturned = BillingAssumptions(overturning: Set(OpenRule.allCases))
    #expect(Set(documented.statements).count == OpenRule.allCases.count)
    for rule in OpenRule.allCases {
      #expect(documented.holds(rule) && !overturned.holds(rule))
      #expect(documented.statement(of: rule) != overturned.statement(of: rule))
      #expect(rule.source.hasPrefix("https://"))
      let one = BillingAssumptions(overturning: [rule])
      #expect(OpenRule.allCases.filter { !one.holds($0) } == [rule])
    }
  }

  @Test func `a meter bills under its own assumptions`() {
    let meter = ReadMeter(
      assuming: BillingAssumptions(overturning: [.missingDocumentIsBilled]))
    meter.record(
      .get(found: false), fingerprint: 1, indexEntriesScanned: 0, path: "posts/*",
      query: { "get posts/*" })
    #expect(meter.total == 0)
    #expect(meter.operationCount == 1)
    #expect("\(ReadInvoice(meter))".contains("a look-up that finds nothing is free"))
  }
}

@Suite struct EnterpriseUnitTests {
  @Test(arguments: [(0, 1), (1_024, 1), (4_096, 1), (4_097, 2), (1_048_576, 256)])
  func `a look-up is one unit per 4 KiB of its document`(_ bytes: Int, _ units: Int) {
    #expect(EnterpriseUnits.get(bytes: bytes) == units)
  }

  @Test func `a query adds sizes up before it rounds, and look-ups do not`() {
    #expect(EnterpriseUnits.query(bytes: 100 * 1_024) == 25)
    #expect((0..<100).reduce(0) { sum, _ in sum + EnterpriseUnits.get(bytes: 1_024) } == 100)
    #expect(EnterpriseUnits.query(bytes: 0) == 1)
  }

  @Test(arguments: [(1, 1), (1_024, 1), (1_025, 2)])
  func `a write is one unit per KiB`(_ bytes: Int, _ units: Int) {
    #expect(EnterpriseUnits.write(bytes: bytes) == units)
  }
}

@Suite struct BilledReadsTests {
  @Test func `a sum adds cause by cause`() {
    let sum: BilledReads = [.documentsReturned: 15, .minimum: 1] + [.documentsReturned: 2]
    #expect(sum == [.documentsReturned: 17, .minimum: 1])
    #expect(sum.total == 18)
    #expect(sum + BilledReads() == sum)
    #expect(BilledReads() + sum == sum)
  }

  @Test func `each cause has a place of its own`() {
    var reads = BilledReads()
    for (index, cause) in ReadCause.allCases.enumerated() { reads[cause] = index + 1 }
    #expect(reads.byCause.map(\.cause) == ReadCause.allCases)
    #expect(reads.byCause.map(\.reads) == Array(1...ReadCause.allCases.count))
  }

  @Test func `a bill reads as its total and its causes`() {
    #expect("\(BilledReads())" == "0 reads")
    #expect("\([.minimum: 1] as BilledReads)" == "1 read (1 minimum)")
    let page: BilledReads = [.documentsReturned: 1_500, .documentsSkipped: 30]
    #expect("\(page)" == "1,530 reads (1,500 documents returned, 30 documents skipped)")
  }
}
