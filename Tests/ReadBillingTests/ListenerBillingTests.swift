import ReadBilling
import Testing

@Suite struct ListenerBillingTests {
  static func change(
    _ changes: ListenerChanges, overturning rules: Set<OpenRule> = []
  ) -> BilledReads {
    bill(.listenChange(changes), overturning: rules)
  }

  static func resume(
    _ minutes: Int, cache: Bool, returned: Int = 15, entries: Int = 0, ranges: Int = 0,
    _ changes: ListenerChanges = ListenerChanges(), overturning rules: Set<OpenRule> = []
  ) -> BilledReads {
    bill(
      .listenResume(
        ListenerResumption(
          offline: .seconds(minutes * 60), hasPersistentCache: cache, returned: returned,
          indexEntries: entries, rangeFields: ranges, changes: changes)), overturning: rules)
  }

  @Test func `a listener starts for the price of its query`() {
    let start = BillableOperation.listenStart(returned: 15, indexEntries: 2_000, rangeFields: 2)
    #expect(bill(start) == [.documentsReturned: 15, .indexEntries: 2])
  }

  @Test func `a listener without results starts for one read, unless that is switched`() {
    let start = BillableOperation.listenStart(returned: 0, indexEntries: 0, rangeFields: 0)
    #expect(bill(start) == [.minimum: 1])
    #expect(bill(start, overturning: [.emptyListenerIsBilled]) == BilledReads())
  }

  @Test func `a document added or changed is one read`() {
    #expect(Self.change(ListenerChanges(added: 2, modified: 3)) == [.liveChange: 5])
  }

  @Test func `a document that leaves because it changed is one read`() {
    #expect(Self.change(ListenerChanges(removedByChange: 1)) == [.liveChange: 1])
  }

  @Test func `a document that leaves because it was deleted is free`() {
    #expect(Self.change(ListenerChanges(removedByDeletion: 7)) == BilledReads())
  }

  @Test func `a change of metadata is free`() {
    #expect(Self.change(ListenerChanges(metadataOnly: 7)) == BilledReads())
  }

  @Test func `a refill of a limited result is one read, unless that is switched`() {
    let refill = ListenerChanges(removedByDeletion: 1, refilled: 1)
    #expect(Self.change(refill) == [.liveChange: 1])
    #expect(Self.change(refill, overturning: [.refillIsBilled]) == BilledReads())
  }

  @Test func `a document pushed out of a limited result is free, unless that is switched`() {
    let push = ListenerChanges(added: 1, pushedOut: 1)
    #expect(Self.change(push) == [.liveChange: 1])
    #expect(Self.change(push, overturning: [.pushedOutIsFree]) == [.liveChange: 2])
  }

  @Test func `the client's own writes are charged like anybody's, unless that is switched`() {
    let echo = ListenerChanges(added: 1, modified: 1, ownWrites: 1)
    #expect(Self.change(echo) == [.liveChange: 2])
    #expect(Self.change(echo, overturning: [.ownWriteIsBilled]) == [.liveChange: 1])
  }

  @Test func `a second listener on the same query is free`() {
    #expect(bill(.listenShared(returned: 15)) == BilledReads())
  }

  @Test(arguments: [0, 29, 30])
  func `within 30 minutes and with a persistent cache a listener resumes for what changed`(
    _ minutes: Int
  ) {
    #expect(Self.resume(minutes, cache: true) == BilledReads())
    #expect(
      Self.resume(minutes, cache: true, ListenerChanges(added: 1, removedByDeletion: 1))
        == [.resumed: 1])
  }

  @Test func `whether an unchanged resumption is free can be switched`() {
    #expect(Self.resume(1, cache: true, overturning: [.unchangedResumeIsFree]) == [.minimum: 1])
  }

  @Test func `after 30 minutes a listener resumes for the price of a new query`() {
    #expect(Self.resume(31, cache: true) == [.resumed: 15])
    #expect(
      Self.resume(31, cache: true, entries: 1_001, ranges: 2)
        == [.resumed: 15, .indexEntries: 2])
    #expect(Self.resume(31, cache: true, returned: 0) == [.minimum: 1])
  }

  @Test(arguments: [0, 1, 31])
  func `without a persistent cache every resumption has the price of a new query`(_ minutes: Int) {
    #expect(Self.resume(minutes, cache: false) == [.resumed: 15])
  }
}

/// Figures that people measured or asked for in public.
@Suite struct KnownFigureTests {
  static func total(_ operations: BillableOperation...) -> Int {
    operations.reduce(0) { $0 + bill($1).total }
  }

  static let start = BillableOperation.listenStart(returned: 15, indexEntries: 15, rangeFields: 0)

  static func resume(_ minutes: Int, cache: Bool) -> BillableOperation {
    .listenResume(
      ListenerResumption(offline: .seconds(60 * minutes), hasPersistentCache: cache, returned: 15))
  }

  @Test func `a listener of 15 with one change is 16`() {
    #expect(Self.total(Self.start, .listenChange(ListenerChanges(modified: 1))) == 16)
  }

  @Test func `a listener of 15 resumed after 31 minutes is 30`() {
    #expect(Self.total(Self.start, Self.resume(31, cache: true)) == 30)
  }

  @Test func `a listener of 15 resumed after 29 minutes with a persistent cache is 15`() {
    #expect(Self.total(Self.start, Self.resume(29, cache: true)) == 15)
  }

  @Test func `a listener of 15 reconnected three times without a cache is 60`() {
    let again = Self.resume(1, cache: false)
    #expect(Self.total(Self.start, again, again, again) == 60)
  }

  @Test func `growing a limit over 1,000 documents by 10 is 50,500`() {
    let pages = stride(from: 10, through: 1_000, by: 10).map { BillableOperation.query($0) }
    #expect(pages.reduce(0) { $0 + bill($1).total } == 50_500)
  }

  @Test func `one document at offset 2,900 of 2,901 is 2,901`() {
    #expect(bill(.query(1, skipped: 2_900)) == [.documentsReturned: 1, .documentsSkipped: 2_900])
  }

  @Test func `counts over 0, 1,000, 1,001 and 1,500 are 1, 1, 2 and 2`() {
    #expect(
      [0, 1_000, 1_001, 1_500].map { bill(.aggregation(indexEntries: $0)).total } == [1, 1, 2, 2])
  }

  @Test func `five live pages of 15 with ten edits are 85`() {
    let edits = Array(
      repeating: BillableOperation.listenChange(ListenerChanges(modified: 1)), count: 10)
    let pages = Array(repeating: Self.start, count: 5)
    #expect((pages + edits).reduce(0) { $0 + bill($1).total } == 85)
  }
}
