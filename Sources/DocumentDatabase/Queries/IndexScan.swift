import StorageEngine

/// Reads the ranges of a query in one version: merges them, drops repeated documents, tests what is left
/// to test, and counts what it touches.
struct IndexScan {
  /// The stream of a query with one disjunct, which needs no merging.
  private var only: IndexStream?
  private var streams: [IndexStream] = []
  private let version: Version
  private let scope: QueryScope
  private let isReversed: Bool
  private(set) var indexEntriesScanned = 0
  private(set) var documentsScanned = 0

  /// A scan of `query` in `version`; a scan that has no place in `resolved` stands for a collection that
  /// never had a document.
  init(_ query: CanonicalQuery, _ resolved: ResolvedScans, version: Version) {
    let prepared = query.prepared
    self.version = version
    scope = prepared.scope
    isReversed = prepared.isReversed
    for (scan, place) in zip(prepared.scans, resolved.scans) {
      guard let place else { continue }
      let stream = IndexStream(
        place, residual: scan.residual, of: query, version: version)
      if prepared.scans.count == 1 { only = stream } else { streams.append(stream) }
    }
  }

  /// The record of the next document; nil at the end.
  mutating func next() -> UInt64? {
    if only != nil { return nextOfOne() }
    return streams.isEmpty ? nil : nextMerged()
  }

  /// The records of the next documents, at most `limit` of them.
  mutating func records(limit: Int) -> [UInt64] {
    var records: [UInt64] = []
    records.reserveCapacity(min(limit, 64))
    if only?.residual.isEmpty ?? false {
      only?.take(limit, into: &records)
      indexEntriesScanned += records.count
    } else {
      while records.count < limit, let record = next() { records.append(record) }
    }
    return records
  }

  /// Passes over `count` documents without visiting them, where their number can be told from the
  /// tree's counts; nil where each must be looked at.
  mutating func skip(_ count: Int) -> Int? {
    guard let only else { return streams.isEmpty ? 0 : nil }
    guard only.residual.isEmpty else { return nil }
    let skipped = self.only?.skip(count) ?? 0
    indexEntriesScanned += skipped
    return skipped
  }

  private mutating func nextOfOne() -> UInt64? {
    while let record = only?.next() {
      indexEntriesScanned += 1
      if let residual = only?.residual, passes(record, residual) { return record }
    }
    return nil
  }

  /// How many entries may have to be read for `wanted` results: all that are in range, but of each
  /// stream no more than that where every entry is a result.
  consuming func entriesAtMost(wanted: Int) -> Int {
    if let only { streams.append(only) }
    let isFiltered = streams.contains { !$0.residual.isEmpty }
    return streams.indices.reduce(0) { $0 + streams[$1].skip(isFiltered ? .max : wanted) }
  }

  /// The streams hold the same order, so the least of their heads is next; a document that several
  /// disjuncts let through has the same key behind the equality part in each of them.
  private mutating func nextMerged() -> UInt64? {
    while true {
      var least: Int?
      for index in streams.indices {
        indexEntriesScanned += streams[index].fill()
        guard let head = streams[index].head else { continue }
        guard let other = least, let best = streams[other].head else {
          least = index
          continue
        }
        let precedes = head.key.lexicographicallyPrecedes(best.key)
        if isReversed ? head.key != best.key && !precedes : precedes { least = index }
      }
      guard let least, let head = streams[least].head else { return nil }
      var isMatch = false
      for index in streams.indices where streams[index].head?.key == head.key {
        if !isMatch { isMatch = passes(head.record, streams[index].residual) }
        streams[index].head = nil
      }
      if isMatch { return head.record }
    }
  }

  private mutating func passes(_ record: UInt64, _ residual: [Predicate]) -> Bool {
    if residual.isEmpty { return true }
    guard let bytes = version.record(record) else { return false }
    documentsScanned += 1
    let document = StoredDocument(bytes)
    return residual.allSatisfy { $0.matches(document, in: scope) }
  }
}

/// The entries of one scan, range after range.
private struct IndexStream {
  let residual: [Predicate]
  /// The entry that comes next, while streams are merged.
  var head: (key: [UInt8], record: UInt64)?
  private var cursor: TreeCursor?
  /// The ranges to come, the next one last.
  private var ranges: [ByteRange] = []
  private let version: Version
  private let isReversed: Bool
  private let keyOffset: Int

  init(
    _ scan: ResolvedScans.Scan, residual: [Predicate], of query: CanonicalQuery, version: Version
  ) {
    self.residual = residual
    self.version = version
    isReversed = query.prepared.isReversed
    keyOffset = scan.prefix.count
    if scan.ranges.count == 1 {
      let range = scan.ranges[0].between(
        query.start, query.end, isReversed: isReversed, behind: scan.prefix)
      if !range.isEmpty { cursor = open(range) }
    } else {
      for range in scan.ranges {
        let range = range.between(
          query.start, query.end, isReversed: isReversed, behind: scan.prefix)
        if !range.isEmpty { ranges.append(range) }
      }
      if !isReversed { ranges.reverse() }
      advance()
    }
  }

  private func open(_ range: ByteRange) -> TreeCursor {
    TreeCursor(version, from: range.lower, to: range.upper ?? [], isReversed: isReversed)
  }

  private mutating func advance() { cursor = ranges.popLast().map { open($0) } }

  mutating func next() -> UInt64? {
    while cursor != nil {
      if let record = cursor?.next() { return record }
      advance()
    }
    return nil
  }

  mutating func take(_ count: Int, into records: inout [UInt64]) {
    let end = count < .max - records.count ? records.count + count : .max
    while cursor != nil, records.count < end {
      cursor?.take(end - records.count, into: &records)
      if records.count < end { advance() }
    }
  }

  mutating func skip(_ count: Int) -> Int {
    var skipped = 0
    while cursor != nil, skipped < count {
      skipped += cursor?.skip(count - skipped) ?? 0
      if skipped < count { advance() }
    }
    return skipped
  }

  /// Fetches the head where it is missing; answers how many entries that read.
  mutating func fill() -> Int {
    guard head == nil, let record = next() else { return 0 }
    var writer = ByteWriter()
    cursor?.appendKey(dropping: keyOffset, to: &writer)
    head = (writer.bytes, record)
    return 1
  }
}
