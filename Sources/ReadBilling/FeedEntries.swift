/// The entries of one query, whatever its cursors, offset and limit, and what is to be found in them.
struct FeedEntries {
  /// In the order in which they were recorded.
  private let entries: [LedgerEntry]
  private let thresholds: Finding.Thresholds

  init(_ entries: [LedgerEntry], _ thresholds: Finding.Thresholds) {
    self.entries = entries.sorted { $0.number < $1.number }
    self.thresholds = thresholds
  }

  var findings: [Finding] {
    [
      offsetPaging, growingLimit, countingByDownloading, wholeList, unchangedRepeat,
      reattachedListener, extraRow, absentDocuments, cutTies, wastedLoads,
    ].compactMap(\.self)
  }

  private func finding(
    _ kind: Finding.Kind, _ found: [LedgerEntry], saving: Int, losing: Int = 0
  ) -> Finding? {
    guard let first = found.first, saving > 0 || losing > 0 else { return nil }
    let labels = Set(found.map(\.label))
    return Finding(
      kind: kind, query: first.query, path: first.path,
      label: labels.count == 1 ? first.label : nil, entries: found.map(\.number),
      reads: found.reduce(0) { $0 + $1.reads.total }, readsSaved: saving, documentsLost: losing)
  }

  private var queries: [LedgerEntry] {
    entries.filter { entry in
      switch entry.operation {
      case .query, .namesQuery: true
      default: false
      }
    }
  }

  /// What ran under one label is one reader's scroll, as far as a ledger can tell.
  private func byLabel(_ entries: [LedgerEntry]) -> [[LedgerEntry]] {
    Dictionary(grouping: entries, by: \.label).values.sorted {
      ($0.first?.number ?? 0) < ($1.first?.number ?? 0)
    }
  }

  private var consecutiveQueries: [(page: LedgerEntry, next: LedgerEntry)] {
    byLabel(queries).flatMap { queries in
      zip(queries, queries.dropFirst()).map { (page: $0, next: $1) }
    }
  }

  /// A cursor would have skipped for nothing.
  private var offsetPaging: Finding? {
    let found = queries.filter { $0.skipped > 0 }
    return finding(.offsetPaging, found, saving: found.reduce(0) { $0 + $1.skipped })
  }

  /// The documents that were returned before, under a smaller limit, need not have come again.
  private var growingLimit: Finding? {
    var found: [LedgerEntry] = []
    var saving = 0
    var run: [LedgerEntry] = []
    func close() {
      if run.count >= thresholds.occurrences {
        found += run
        saving += run.dropLast().reduce(0) { $0 + $1.returned }
      }
      run = []
    }
    for entries in byLabel(entries) {
      for entry in entries
      where entry.isQuestion && !entry.evidence.startsAtCursor && entry.skipped == 0 {
        guard let limit = entry.evidence.limit else { continue }
        if let last = run.last?.evidence.limit, limit <= last { close() }
        run.append(entry)
      }
      close()
    }
    return finding(.growingLimit, found, saving: saving)
  }

  /// A page would have been enough for the screen.
  private var wholeList: Finding? {
    let found = queries.filter {
      $0.evidence.limit == nil && $0.returned > thresholds.longList
        && $0.evidence.wasLookedAt != false
    }
    let saving = found.reduce(0) { $0 + $1.returned - thresholds.pageSize }
    return finding(.wholeList, found, saving: saving)
  }

  /// A count would have cost one read for a thousand.
  private var countingByDownloading: Finding? {
    let found = queries.filter {
      $0.evidence.wasLookedAt == false && $0.evidence.limit == nil && $0.returned > 1
        && !$0.isWasted
    }
    let saving = found.reduce(0) { saving, entry in
      let count = BillingRules.aggregation(indexEntries: entry.returned).total
      return saving + max(0, entry.returned - count)
    }
    return finding(.countingByDownloading, found, saving: saving)
  }

  /// The answer was known.
  private var unchangedRepeat: Finding? {
    struct Question: Hashable {
      var query: String
      var answer: UInt64
    }
    var asked: [Question: [LedgerEntry]] = [:]
    for entry in entries where entry.isFetch && entry.reads.total > 0 {
      guard let answer = entry.evidence.answer else { continue }
      asked[Question(query: entry.query, answer: answer), default: []].append(entry)
    }
    let repeated = asked.values.filter { $0.count >= 2 }
    let found = repeated.flatMap(\.self).sorted { $0.number < $1.number }
    let saving = repeated.reduce(0) { saving, same in
      saving + same.dropFirst().reduce(0) { $0 + $1.reads.total }
    }
    return finding(.unchangedRepeat, found, saving: saving)
  }

  /// A listener that stays is told what changes, and no more.
  private var reattachedListener: Finding? {
    let starts = entries.filter {
      if case .listenStart = $0.operation { true } else { false }
    }
    let found = Dictionary(grouping: starts, by: \.query).values
      .filter { $0.count >= thresholds.occurrences }
    let saving = found.reduce(0) { saving, same in
      saving + same.dropFirst().reduce(0) { $0 + $1.reads.total }
    }
    return finding(
      .reattachedListener, found.flatMap(\.self).sorted { $0.number < $1.number }, saving: saving)
  }

  /// The row that was read ahead was read again as the first one of the next page.
  ///
  /// A page of 15 that asks for 16 shows the first 15, and the next page starts after the last one
  /// shown: its first document is the one read ahead.
  private var extraRow: Finding? {
    var found: [LedgerEntry] = []
    var saving = 0
    for (page, next) in consecutiveQueries {
      guard next.evidence.startsAtCursor, let first = next.evidence.first,
        first == page.evidence.last, page.returned > 1
      else { continue }
      if found.last?.number != page.number { found.append(page) }
      found.append(next)
      saving += 1
    }
    return finding(.extraRow, found, saving: saving)
  }

  /// Whoever knows that a document is not there need not ask.
  private var absentDocuments: Finding? {
    let found = entries.filter {
      switch $0.operation {
      case .get(found: false), .retriedGet(found: false): $0.reads.total > 0
      default: false
      }
    }
    return finding(.absentDocuments, found, saving: found.reduce(0) { $0 + $1.reads.total })
  }

  /// Of the documents that are level with the cursor, those after the last one shown are lost.
  private var cutTies: Finding? {
    var found: [LedgerEntry] = []
    var lost = 0
    for (page, next) in consecutiveQueries {
      guard let last = page.evidence.last,
        let place = next.evidence.tied.lastIndex(of: last),
        place + 1 < next.evidence.tied.count
      else { continue }
      lost += next.evidence.tied.count - place - 1
      found.append(next)
    }
    return finding(.cutTies, found, saving: 0, losing: lost)
  }

  /// Nobody saw the answers.
  private var wastedLoads: Finding? {
    let found = entries.filter(\.isWasted)
    return finding(.wastedLoads, found, saving: found.reduce(0) { $0 + $1.reads[.wasted] })
  }
}

extension LedgerEntry {
  /// Whether it asked for documents by a query, once or to listen to it.
  fileprivate var isQuestion: Bool {
    switch operation {
    case .query, .namesQuery, .listenStart: true
    default: false
    }
  }

  /// Whether it asked the server for something, once.
  fileprivate var isFetch: Bool {
    switch operation {
    case .query, .namesQuery, .nearest, .get, .aggregation: true
    default: false
    }
  }
}
