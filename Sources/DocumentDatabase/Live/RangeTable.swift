/// Ranges of an order, each with a number, to be found by a place that they contain.
///
/// The ranges stand in the order of their lower bounds, with a binary tree of largest upper bounds over
/// them, which passes over whole groups that end too early. The tree is made anew when it is asked after
/// ranges came or went.
package struct RangeTable: Sendable {
  private var ranges: [Int: ByteRange] = [:]
  private var sorted: [(id: Int, range: ByteRange)] = []
  private var places: [Int: Int] = [:]
  /// Node 1 is the root, the children of `n` are `2n` and `2n + 1`; leaves are the sorted ranges.
  private var ends: [End] = []
  private var leaves = 0
  private var isSorted = true

  private enum End: Sendable {
    case nothing
    case before([UInt8])
    case open

    func reaches(_ key: [UInt8]) -> Bool {
      switch self {
      case .nothing: false
      case .before(let upper): key.lexicographicallyPrecedes(upper)
      case .open: true
      }
    }

    func later(_ other: End) -> End {
      switch (self, other) {
      case (.open, _), (_, .nothing): self
      case (_, .open), (.nothing, _): other
      case (.before(let mine), .before(let theirs)):
        mine.lexicographicallyPrecedes(theirs) ? other : self
      }
    }
  }

  package init() {}

  package var isEmpty: Bool { ranges.isEmpty }

  /// The range of a number; nil takes it out.
  ///
  /// - Complexity: O(log n) where only the upper bound of a known range changes.
  package subscript(id: Int) -> ByteRange? {
    get { ranges[id] }
    set {
      let old = ranges[id]
      ranges[id] = newValue
      guard isSorted, let newValue, let old, old.lower == newValue.lower, let place = places[id]
      else {
        isSorted = false
        return
      }
      sorted[place].range = newValue
      setEnd(of: place)
    }
  }

  /// The numbers of the ranges that contain `key`.
  ///
  /// - Complexity: O(log n) for each of them, and O(n log n) after ranges came or went.
  package mutating func ids(containing key: [UInt8]) -> [Int] {
    if !isSorted { sort() }
    var found: [Int] = []
    collect(key, node: 1, first: 0, count: leaves, &found)
    return found
  }

  private func collect(
    _ key: [UInt8], node: Int, first: Int, count: Int, _ found: inout [Int]
  ) {
    guard first < sorted.count, !key.lexicographicallyPrecedes(sorted[first].range.lower),
      ends[node].reaches(key)
    else { return }
    if count == 1 {
      found.append(sorted[first].id)
      return
    }
    collect(key, node: 2 * node, first: first, count: count / 2, &found)
    collect(key, node: 2 * node + 1, first: first + count / 2, count: count / 2, &found)
  }

  private mutating func sort() {
    sorted = ranges.map { ($0.key, $0.value) }
      .sorted { $0.range.lower.lexicographicallyPrecedes($1.range.lower) }
    places = [:]
    for (place, entry) in sorted.enumerated() { places[entry.id] = place }
    leaves = 1
    while leaves < sorted.count { leaves *= 2 }
    ends = Array(repeating: .nothing, count: 2 * leaves)
    for (place, entry) in sorted.enumerated() {
      ends[leaves + place] = entry.range.upper.map { .before($0) } ?? .open
    }
    for node in (1..<leaves).reversed() { ends[node] = ends[2 * node].later(ends[2 * node + 1]) }
    isSorted = true
  }

  private mutating func setEnd(of place: Int) {
    var node = leaves + place
    ends[node] = sorted[place].range.upper.map { .before($0) } ?? .open
    while node > 1 {
      node /= 2
      ends[node] = ends[2 * node].later(ends[2 * node + 1])
    }
  }
}
