/// What Cloud Firestore (Standard edition, Native mode) bills for an operation: one function for
/// each published rule.
public enum BillingRules {
  /// The index entries that one read pays for, where index entries are billed at all.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing>
  public static let indexEntriesPerRead = 1_000

  /// The entries of a vector index that one read pays for.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing>
  public static let vectorIndexEntriesPerRead = 100

  /// The reads billed for an operation, by cause.
  ///
  /// - Parameters:
  ///   - operation: what happened, as counts.
  ///   - assumptions: how rules are taken that Google's pages leave open.
  /// - Returns: the reads; none for what is free.
  public static func reads(
    for operation: BillableOperation, assuming assumptions: BillingAssumptions = .documented
  ) -> BilledReads {
    switch operation {
    case .query(let returned, let skipped, let entries, let fields):
      query(
        returned: returned, skipped: skipped, indexEntries: entries, rangeFields: fields,
        assumptions)
    case .namesQuery(let returned, let skipped, let entries, let fields):
      names(
        returned: returned, skipped: skipped, indexEntries: entries, rangeFields: fields,
        assumptions)
    case .nearest(let returned, let entries):
      nearest(returned: returned, vectorIndexEntries: entries)
    case .get(let found): get(found: found, assumptions)
    case .retriedGet(let found): retriedGet(found: found, assumptions)
    case .verification(let documents): verification(documents: documents, assumptions)
    case .aggregation(let entries): aggregation(indexEntries: entries)
    case .listenStart(let returned, let entries, let fields):
      listenStart(returned: returned, indexEntries: entries, rangeFields: fields, assumptions)
    case .listenShared: listenShared()
    case .listenChange(let changes): BilledReads(.liveChange, self.changes(changes, assumptions))
    case .listenResume(let resumption): listenResume(resumption, assumptions)
    case .cached: cached()
    case .ruleLookups(let documents): ruleLookups(documents: documents)
    case .listCollectionIDs(let ids): listCollectionIDs(ids: ids, assumptions)
    case .listDocuments(let returned, let missing):
      listDocuments(returned: returned, missing: missing, assumptions)
    case .partitionQuery: partitionQuery()
    case .explainPlan: explainPlan()
    case .export(let documents): export(documents: documents)
    case .bulkDelete(let documents): bulkDelete(documents: documents)
    }
  }

  /// How many batches of `size` it takes; the last need not be full.
  static func batches(_ count: Int, of size: Int) -> Int {
    let (full, rest) = max(0, count).quotientAndRemainder(dividingBy: size)
    return rest == 0 ? full : full + 1
  }
}

// MARK: - Queries

extension BillingRules {
  /// A query is billed for its documents and, under several range fields, for its index entries;
  /// when that comes to nothing it is billed one read.
  ///
  /// Limits, limits to the last, cursors, projections, `or` and `in` change what is returned and
  /// have no price of their own; a document that satisfies several disjuncts is returned once. The
  /// minimum is a floor and not a surcharge, so it appears only when nothing else does.
  /// Source: <https://firebase.google.com/docs/firestore/pricing#minimum_charge_for_queries>
  static func query(
    returned: Int, skipped: Int, indexEntries: Int, rangeFields: Int,
    _ assumptions: BillingAssumptions
  ) -> BilledReads {
    var reads = documents(returned: returned, skipped: skipped)
    reads += rangeScan(indexEntries: indexEntries, rangeFields: rangeFields, assumptions)
    return atLeastOne(reads)
  }

  /// A query for names alone is billed as one for documents; in Datastore mode it would be one
  /// small operation.
  ///
  /// Source: <https://cloud.google.com/datastore/docs/concepts/queries> (open for Native mode)
  static func names(
    returned: Int, skipped: Int, indexEntries: Int, rangeFields: Int,
    _ assumptions: BillingAssumptions
  ) -> BilledReads {
    guard assumptions.holds(.namesAreBilledAsDocuments) else { return BilledReads(.minimum, 1) }
    return query(
      returned: returned, skipped: skipped, indexEntries: indexEntries, rangeFields: rangeFields,
      assumptions)
  }

  /// Each document returned is one read, and so is each document that an offset skips.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing#cursors_page_tokens_and_offsets>
  static func documents(returned: Int, skipped: Int) -> BilledReads {
    var reads = BilledReads(.documentsReturned, max(0, returned))
    if skipped > 0 { reads[.documentsSkipped] = skipped }
    return reads
  }

  /// A query with two range fields or more is billed for the index entries it reads; with one, or
  /// none, they are free.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing#index-reads>
  static func rangeScan(
    indexEntries: Int, rangeFields: Int, _ assumptions: BillingAssumptions
  ) -> BilledReads {
    guard rangeFields > 0 else { return BilledReads() }
    let billedFrom = assumptions.holds(.trailingNameOrderIsNoRange) ? 2 : 1
    guard rangeFields >= billedFrom else { return BilledReads() }
    return BilledReads(.indexEntries, batches(indexEntries, of: indexEntriesPerRead))
  }

  /// A search for the nearest vectors is one read per document and one for every batch of up to 100
  /// entries of the vector index.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing>
  static func nearest(returned: Int, vectorIndexEntries: Int) -> BilledReads {
    var reads = BilledReads(.documentsReturned, max(0, returned))
    reads[.vectorIndexEntries] = batches(vectorIndexEntries, of: vectorIndexEntriesPerRead)
    return atLeastOne(reads)
  }

  /// An aggregation is one read for every batch of up to 1,000 index entries, and at least one,
  /// however many values it computes.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing#aggregation_queries>
  static func aggregation(indexEntries: Int) -> BilledReads {
    BilledReads(.aggregation, max(1, batches(indexEntries, of: indexEntriesPerRead)))
  }

  /// A query that is explained and not run is one read.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/query-explain>
  static func explainPlan() -> BilledReads { BilledReads(.explainedPlan, 1) }

  /// An empty answer costs one read.
  static func atLeastOne(_ reads: BilledReads) -> BilledReads {
    reads == BilledReads() ? BilledReads(.minimum, 1) : reads
  }
}

// MARK: - Look-ups

extension BillingRules {
  /// A look-up by name is one read, whether or not the document exists.
  ///
  /// Source: <https://cloud.google.com/datastore/docs/concepts/entities> (each requested key is
  /// charged; the pages of Native mode do not say)
  static func get(found: Bool, _ assumptions: BillingAssumptions) -> BilledReads {
    if found { return BilledReads(.documentFound, 1) }
    return BilledReads(.documentMissing, assumptions.holds(.missingDocumentIsBilled) ? 1 : 0)
  }

  /// A transaction that is run again looks everything up again.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/manage-data/transactions>
  static func retriedGet(found: Bool, _ assumptions: BillingAssumptions) -> BilledReads {
    guard assumptions.holds(.retryIsBilled) else { return BilledReads() }
    return BilledReads(.transactionRetry, get(found: found, assumptions).total)
  }

  /// A document that a mobile transaction read and did not write is verified, for one read.
  ///
  /// Source: <https://docs.cloud.google.com/firestore/native/docs/billing-questions>
  static func verification(documents: Int, _ assumptions: BillingAssumptions) -> BilledReads {
    guard assumptions.holds(.verificationIsBilled) else { return BilledReads() }
    return BilledReads(.verification, max(0, documents))
  }

  /// What comes from the client's cache is free: there is no request.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/manage-data/enable-offline>
  static func cached() -> BilledReads { BilledReads() }

  /// Each different document that security rules look up for a request is one read, also when the
  /// request is denied.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing>
  static func ruleLookups(documents: Int) -> BilledReads {
    BilledReads(.ruleLookup, max(0, documents))
  }
}

// MARK: - Lists and administration

extension BillingRules {
  /// A list of collection ids is one read per request; the console's usage page shows one per id.
  ///
  /// Source: <https://docs.cloud.google.com/firestore/native/docs/billing-questions>
  static func listCollectionIDs(ids: Int, _ assumptions: BillingAssumptions) -> BilledReads {
    BilledReads(.listing, assumptions.holds(.listingIsBilledPerRequest) ? 1 : max(1, ids))
  }

  /// A list of documents is one read per document returned.
  ///
  /// Source:
  /// <https://firebase.google.com/docs/firestore/reference/rest/v1/projects.databases.documents/list>
  static func listDocuments(
    returned: Int, missing: Int, _ assumptions: BillingAssumptions
  ) -> BilledReads {
    let parents = assumptions.holds(.listedParentIsFree) ? 0 : max(0, missing)
    return atLeastOne(BilledReads(.documentsReturned, max(0, returned) + parents))
  }

  /// Dividing a query is a request for something other than documents: one read.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/pricing>
  static func partitionQuery() -> BilledReads { BilledReads(.listing, 1) }

  /// An export is one read per document.
  ///
  /// Source: <https://docs.cloud.google.com/firestore/native/docs/billing-questions>
  static func export(documents: Int) -> BilledReads {
    BilledReads(.documentsExported, max(0, documents))
  }

  /// A bulk delete is one read for every batch of up to 1,000 documents, beside the deletes.
  ///
  /// Source: <https://firebase.google.com/docs/firestore/manage-data/bulk-delete>
  static func bulkDelete(documents: Int) -> BilledReads {
    BilledReads(.bulkDelete, batches(documents, of: 1_000))
  }
}
