/// What Cloud Firestore (Standard edition, Native mode) bills for an operation: one function for
/// each published rule.
public enum BillingRules {
  /// The index entries that one read pays for, where index entries are billed at all.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing>
  public static let indexEntriesPerRead = 1_000

  /// The reads billed for an operation, by cause.
  public static func reads(for operation: BillableOperation) -> BilledReads {
    switch operation {
    case .query(let returned, let skipped, let indexEntries, let rangeFields):
      query(
        returned: returned, skipped: skipped, indexEntries: indexEntries, rangeFields: rangeFields)
    case .get(let found): get(found: found)
    case .aggregation(let indexEntries): aggregation(indexEntries: indexEntries)
    case .resultChange(let added, let modified, let removed):
      resultChange(added: added, modified: modified, removed: removed)
    case .verification(let documents): BilledReads(.documentsVerified, max(0, documents))
    case .explainPlan: explainPlan()
    }
  }

  /// A query is billed for its documents and, under several range fields, for its index entries;
  /// when that comes to nothing it is billed one read.
  ///
  /// The minimum is a floor and not a surcharge, so it appears only when nothing else does.
  /// Source: <https://firebase.google.com/docs/firestore/pricing#minimum_charge_for_queries>
  static func query(
    returned: Int, skipped: Int, indexEntries: Int, rangeFields: Int
  ) -> BilledReads {
    var reads = documents(returned: returned, skipped: skipped)
    reads += rangeScan(indexEntries: indexEntries, rangeFields: rangeFields)
    if reads == BilledReads() { reads[.minimum] = 1 }
    return reads
  }

  /// Each document returned is one read, and so is each document that an offset skips.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing#cursors_page_tokens_and_offsets>
  static func documents(returned: Int, skipped: Int) -> BilledReads {
    BilledReads(.documentsReturned, max(0, returned))
      + BilledReads(.documentsSkipped, max(0, skipped))
  }

  /// A query with two range fields or more is billed for the index entries it reads; with one, or
  /// none, they are free.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing#index-reads>
  static func rangeScan(indexEntries: Int, rangeFields: Int) -> BilledReads {
    rangeFields < 2 ? BilledReads() : BilledReads(.indexEntries, batches(indexEntries))
  }

  /// A look-up by name is one read, whether or not the document exists.
  ///
  /// Source: <https://cloud.google.com/datastore/docs/concepts/entities> (each requested key is
  /// charged; the pages of Native mode do not say)
  static func get(found: Bool) -> BilledReads {
    BilledReads(found ? .documentFound : .documentMissing, 1)
  }

  /// An aggregation is one read for every batch of up to 1,000 index entries, and at least one.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing#aggregation_queries>
  static func aggregation(indexEntries: Int) -> BilledReads {
    BilledReads(.aggregation, max(1, batches(indexEntries)))
  }

  /// While a result is listened to, each document that comes in or changes in it is one read, and so is
  /// each that a change takes out of it; what a deletion takes out is free.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing#listens>
  static func resultChange(added: Int, modified: Int, removed: Int) -> BilledReads {
    BilledReads(.documentsAdded, max(0, added)) + BilledReads(.documentsModified, max(0, modified))
      + BilledReads(.documentsRemoved, max(0, removed))
  }

  /// A plan without a run is one read.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/query-explain#pricing>
  static func explainPlan() -> BilledReads { BilledReads(.explainedPlan, 1) }

  private static func batches(_ indexEntries: Int) -> Int {
    let (full, rest) = max(0, indexEntries).quotientAndRemainder(dividingBy: indexEntriesPerRead)
    return rest == 0 ? full : full + 1
  }
}
