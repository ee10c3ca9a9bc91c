/// One recorded operation: what happened, for whom, and what it was billed.
public struct LedgerEntry: Hashable, Sendable, Identifiable {
  /// The place of the operation among all that its meter recorded, from 1.
  public var number: Int
  /// When it was recorded, since the start of 1970; nil if the meter has no clock.
  public var time: Duration?
  /// What happened, as counts.
  public var operation: BillableOperation
  /// Identifies the query without its cursors, offset and limit.
  public var fingerprint: UInt64
  /// The query in readable form, cursors and limit included.
  public var query: String
  /// The pattern of the paths that were read, such as `posts` or `users/*/posts`.
  public var path: String
  /// The label under which the operation ran.
  public var label: String?
  /// The page of a feed for which it ran, from 1.
  public var pageNumber: Int?
  /// The index entries that were read, billed or not.
  public var indexEntriesScanned: Int
  /// What it was billed, by cause.
  public var reads: BilledReads
  /// What findings need to know of the question and its answer.
  public var evidence: Evidence

  /// The number of the entry, which is unique in its meter.
  public var id: Int { number }
  /// The documents that the operation returned.
  public var returned: Int { operation.returned }
  /// The documents that an offset dropped.
  public var skipped: Int { operation.skipped }
  /// Whether the answer came too late, was cancelled or failed, so that nobody saw it.
  public var isWasted: Bool { reads[.wasted] > 0 }

  /// An entry.
  public init(
    number: Int, time: Duration? = nil, operation: BillableOperation, fingerprint: UInt64 = 0,
    query: String = "", path: String = "", label: String? = nil, pageNumber: Int? = nil,
    indexEntriesScanned: Int = 0, reads: BilledReads, evidence: Evidence = Evidence()
  ) {
    self.number = number
    self.time = time
    self.operation = operation
    self.fingerprint = fingerprint
    self.query = query
    self.path = path
    self.label = label
    self.pageNumber = pageNumber
    self.indexEntriesScanned = indexEntriesScanned
    self.reads = reads
    self.evidence = evidence
  }
}

extension LedgerEntry {
  /// What findings need to know of a question and its answer, without keeping a document.
  public struct Evidence: Hashable, Sendable {
    /// The most documents that the query asked for; nil without a limit.
    public var limit: Int?
    /// Whether the query started at a cursor.
    public var startsAtCursor: Bool
    /// A digest of the names and versions of the documents returned, in their order; nil if it was
    /// not computed.
    public var answer: UInt64?
    /// A digest of the name of the first document returned.
    public var first: UInt64?
    /// A digest of the name of the last document returned.
    public var last: UInt64?
    /// Digests of the names of all documents that are level with the values of the cursor that the
    /// query started after, in their order; empty if the cursor is a document's.
    public var tied: [UInt64]
    /// Whether anybody looked at a document that was returned; nil if it was not observed.
    public var wasLookedAt: Bool?

    /// What is known of a question and its answer.
    public init(
      limit: Int? = nil, startsAtCursor: Bool = false, answer: UInt64? = nil, first: UInt64? = nil,
      last: UInt64? = nil, tied: [UInt64] = [], wasLookedAt: Bool? = nil
    ) {
      self.limit = limit
      self.startsAtCursor = startsAtCursor
      self.answer = answer
      self.first = first
      self.last = last
      self.tied = tied
      self.wasLookedAt = wasLookedAt
    }
  }
}
