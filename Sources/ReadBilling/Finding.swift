/// Something in a ledger that costs more than it need, or loses documents.
public struct Finding: Hashable, Sendable {
  /// What was found.
  public enum Kind: String, CaseIterable, Codable, Hashable, Sendable {
    /// Pages by offset, which pay again for every document before them.
    case offsetPaging = "offset paging"
    /// The same query again and again with a larger limit.
    case growingLimit = "growing limit"
    /// A long list that was read as a whole.
    case wholeList = "whole list"
    /// The same query with the same answer.
    case unchangedRepeat = "unchanged repeat"
    /// A listener that is removed and attached again.
    case reattachedListener = "re-attached listener"
    /// Documents of which nothing but the number was wanted.
    case countingByDownloading = "counting by downloading"
    /// Pages that read one document more than they show.
    case extraRow = "extra row"
    /// Look-ups of documents that do not exist.
    case absentDocuments = "absent documents"
    /// Documents that a cursor of values skips, because they are level with the last one shown.
    case cutTies = "cut ties"
    /// Loads whose answers nobody saw.
    case wastedLoads = "wasted loads"
  }

  /// What was found.
  public var kind: Kind
  /// The query, as it was first asked.
  public var query: String
  /// The pattern of the paths.
  public var path: String
  /// The label under which all of it ran; nil if there was none, or more than one.
  public var label: String?
  /// The numbers of the entries it is about, ascending.
  public var entries: [Int]
  /// What these entries were billed.
  public var reads: Int
  /// The reads that the advice would have saved.
  public var readsSaved: Int
  /// The documents that were never shown.
  public var documentsLost: Int

  /// A finding.
  public init(
    kind: Kind, query: String, path: String, label: String?, entries: [Int], reads: Int,
    readsSaved: Int, documentsLost: Int
  ) {
    self.kind = kind
    self.query = query
    self.path = path
    self.label = label
    self.entries = entries
    self.reads = reads
    self.readsSaved = readsSaved
    self.documentsLost = documentsLost
  }

  /// What happened, what it cost, and what to do, in words.
  public var message: String { "\(problem) \(advice)" }
}

extension Finding {
  /// Where findings begin.
  public struct Thresholds: Hashable, Sendable {
    /// The documents of a list that is long.
    public var longList: Int
    /// The documents of a page, where none was asked for.
    public var pageSize: Int
    /// How often something must happen before it is a habit.
    public var occurrences: Int

    /// Where findings begin: a long list has more than 100 documents, a page 15, and a habit is what
    /// happens three times.
    public init(longList: Int = 100, pageSize: Int = 15, occurrences: Int = 3) {
      self.longList = longList
      self.pageSize = pageSize
      self.occurrences = max(2, occurrences)
    }
  }

  /// What is to be found in `entries`, the greatest saving first.
  ///
  /// An entry may be part of several findings, so their savings are not to be added up.
  ///
  /// - Complexity: O(n log n) in the number of entries.
  public static func all(
    in entries: [LedgerEntry], thresholds: Thresholds = Thresholds()
  ) -> [Finding] {
    let feeds = Dictionary(grouping: entries, by: \.fingerprint).values
    let findings = feeds.flatMap { FeedEntries($0, thresholds).findings }
    return findings.sorted {
      ($1.readsSaved, $1.documentsLost, $0.entries.first ?? 0)
        < ($0.readsSaved, $0.documentsLost, $1.entries.first ?? 0)
    }
  }
}

extension ReadMeter {
  /// What is to be found in the entries that are still remembered, the greatest saving first.
  public var findings: [Finding] { Finding.all(in: entries) }
}
