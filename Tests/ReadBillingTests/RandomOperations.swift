import ReadBilling
import TestSupport
import Testing

extension BillableOperation {
  static func random(using generator: inout SeededGenerator) -> BillableOperation {
    var generator = generator
    func few() -> Int { .random(in: 0...3, using: &generator) }
    func entries() -> Int { .random(in: 0...5_000, using: &generator) }
    func flag() -> Bool { .random(using: &generator) }
    func changes() -> ListenerChanges {
      ListenerChanges(
        added: few(), modified: few(), removedByChange: few(), removedByDeletion: few(),
        refilled: few(), pushedOut: few(), ownWrites: few(), metadataOnly: few())
    }
    let operations: [BillableOperation] = [
      .query(returned: few(), skipped: few(), indexEntries: entries(), rangeFields: few()),
      .namesQuery(returned: few(), skipped: few(), indexEntries: entries(), rangeFields: few()),
      .nearest(returned: few(), vectorIndexEntries: entries()), .get(found: flag()),
      .retriedGet(found: flag()), .verification(documents: few()),
      .aggregation(indexEntries: entries()),
      .listenStart(returned: few(), indexEntries: entries(), rangeFields: few()),
      .listenShared(returned: few()), .listenChange(changes()),
      .listenResume(
        ListenerResumption(
          offline: .seconds(900 * few()), hasPersistentCache: flag(), returned: few(),
          indexEntries: entries(), rangeFields: few(), changes: changes())),
      .cached(returned: few()), .ruleLookups(documents: few()), .listCollectionIDs(ids: few()),
      .listDocuments(returned: few(), missing: few()), .partitionQuery, .explainPlan,
      .export(documents: few()), .bulkDelete(documents: entries()),
    ]
    return operations.randomElement(using: &generator) ?? .explainPlan
  }
}

@Suite struct RandomOperationTests {
  @Test func `the causes of every operation add up to its total, which is never negative`() {
    for number in Randomised.cases(5_000) {
      var generator = Randomised.generator(case: number)
      let operation = BillableOperation.random(using: &generator)
      let overturned = Set(OpenRule.allCases.filter { _ in .random(using: &generator) })
      for reads in [bill(operation), bill(operation, overturning: overturned)] {
        #expect(reads.byCause.map(\.reads).reduce(0, +) == reads.total, "\(operation)")
        #expect(reads.byCause.allSatisfy { $0.reads > 0 }, "\(operation)")
        #expect(reads[.minimum] == 0 || reads.total == 1, "\(operation)")
      }
    }
  }
}
