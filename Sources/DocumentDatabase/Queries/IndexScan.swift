import StorageEngine

/// Reads the ranges of a plan in one version: merges them, drops repeated documents, tests what is
/// left to test, and counts what it touches.
struct IndexScan {
  private var streams: [IndexStream] = []
  private let version: Version
  private let scope: QueryScope
  private let isReversed: Bool
  private(set) var indexEntriesScanned = 0
  private(set) var documentsScanned = 0

  /// A scan of `plan` whose indexes have these `numbers`, in the order of its scans; nil stands for an
  /// index without entries.
  init(_ plan: QueryPlan, numbers: [UInt32?], scope: QueryScope, version: Version) {
    self.version = version
    self.scope = scope
    isReversed = plan.isReversed
    for (scan, number) in zip(plan.scans, numbers) {
      guard let number else { continue }
      let stream = IndexStream(scan, number: number, isReversed: isReversed, version: version)
      streams.append(stream)
    }
  }

  /// The record of the next document; nil at the end.
  mutating func next() -> UInt64? {
    if streams.count == 1 { return nextOfOne() }
    return nextMerged()
  }

  /// Passes over `count` documents without visiting them, where their number can be told from the
  /// tree's counts; nil where each must be looked at.
  mutating func skip(_ count: Int) -> Int? {
    if streams.isEmpty { return 0 }
    guard streams.count == 1, streams[0].residual.isEmpty else { return nil }
    let skipped = streams[0].skip(count)
    indexEntriesScanned += skipped
    return skipped
  }

  private mutating func nextOfOne() -> UInt64? {
    while let record = streams[0].next() {
      indexEntriesScanned += 1
      if passes(record, streams[0].residual) { return record }
    }
    return nil
  }

  /// How many entries may have to be read for `wanted` results: all that are in range, but of each
  /// stream no more than that where every entry is a result.
  consuming func entriesAtMost(wanted: Int) -> Int {
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
  private var cursors: [TreeCursor]
  private let keyOffset: Int

  init(_ scan: QueryPlan.Scan, number: UInt32, isReversed: Bool, version: Version) {
    residual = scan.residual
    var writer = ByteWriter()
    writer.append(word: number.bigEndian)
    writer.append(scan.prefix)
    let prefix = writer.bytes
    keyOffset = prefix.count
    // The next cursor is the last one.
    let ranges = isReversed ? scan.ranges : scan.ranges.reversed()
    cursors = ranges.map { range in
      let whole = range.prefixed(by: prefix)
      return TreeCursor(
        version, from: whole.lower, to: whole.upper ?? [], isReversed: isReversed)
    }
  }

  mutating func next() -> UInt64? {
    while let last = cursors.indices.last {
      if let record = cursors[last].next() { return record }
      cursors.removeLast()
    }
    return nil
  }

  mutating func skip(_ count: Int) -> Int {
    var skipped = 0
    while let last = cursors.indices.last, skipped < count {
      skipped += cursors[last].skip(count - skipped)
      if skipped < count { cursors.removeLast() }
    }
    return skipped
  }

  /// Fetches the head where it is missing; answers how many entries that read.
  mutating func fill() -> Int {
    guard head == nil else { return 0 }
    while let last = cursors.indices.last {
      if let record = cursors[last].next() {
        var writer = ByteWriter()
        cursors[last].appendKey(dropping: keyOffset, to: &writer)
        head = (writer.bytes, record)
        return 1
      }
      cursors.removeLast()
    }
    return 0
  }
}
