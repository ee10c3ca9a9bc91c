extension BillingRules {
  /// How long a listener may be away and still be charged for nothing but what changed.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing>
  public static let resumptionLimit = Duration.seconds(30 * 60)

  /// The first result of a listener is billed as a query.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing>
  static func listenStart(
    returned: Int, indexEntries: Int, rangeFields: Int, _ assumptions: BillingAssumptions
  ) -> BilledReads {
    var reads = documents(returned: returned, skipped: 0)
    reads += rangeScan(indexEntries: indexEntries, rangeFields: rangeFields, assumptions)
    return assumptions.holds(.emptyListenerIsBilled) ? atLeastOne(reads) : reads
  }

  /// Another listener on the same query of the same client shares the first one's connection to the
  /// server, for nothing.
  ///
  /// Source: <https://github.com/firebase/firebase-js-sdk/issues/4501>
  static func listenShared() -> BilledReads { BilledReads() }

  /// Each document that enters a result, changes in it or leaves it because it changed is one read;
  /// one that leaves because it was deleted, and a change of metadata, are free.
  ///
  /// A document that refills a limited result was read to be sent; one that is pushed out was not.
  /// Source: <https://docs.cloud.google.com/firestore/native/docs/billing-questions>
  static func changes(_ changes: ListenerChanges, _ assumptions: BillingAssumptions) -> Int {
    var reads =
      max(0, changes.added) + max(0, changes.modified) + max(0, changes.removedByChange)
    if !assumptions.holds(.ownWriteIsBilled) { reads -= min(reads, max(0, changes.ownWrites)) }
    if assumptions.holds(.refillIsBilled) { reads += max(0, changes.refilled) }
    if !assumptions.holds(.pushedOutIsFree) { reads += max(0, changes.pushedOut) }
    return reads
  }

  /// A listener that comes back within 30 minutes and has kept its result in a persistent cache is
  /// charged for what changed; any other as for a new query.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing>
  static func listenResume(
    _ resumption: ListenerResumption, _ assumptions: BillingAssumptions
  ) -> BilledReads {
    guard resumption.hasPersistentCache, resumption.offline <= resumptionLimit else {
      return restart(resumption, assumptions)
    }
    let reads = BilledReads(.resumed, changes(resumption.changes, assumptions))
    return assumptions.holds(.unchangedResumeIsFree) ? reads : atLeastOne(reads)
  }

  private static func restart(
    _ resumption: ListenerResumption, _ assumptions: BillingAssumptions
  ) -> BilledReads {
    var reads = BilledReads(.resumed, max(0, resumption.returned))
    reads += rangeScan(
      indexEntries: resumption.indexEntries, rangeFields: resumption.rangeFields, assumptions)
    return assumptions.holds(.emptyListenerIsBilled) ? atLeastOne(reads) : reads
  }
}
