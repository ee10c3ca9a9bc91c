/// Byte strings from `lower`, included, up to `upper`, excluded; no `upper` means no end.
package struct ByteRange: Hashable, Sendable {
  package var lower: [UInt8]
  package var upper: [UInt8]?

  package init(lower: [UInt8], upper: [UInt8]?) {
    self.lower = lower
    self.upper = upper
  }

  package static let all = ByteRange(lower: [], upper: nil)

  /// All that start with `prefix`.
  static func starting(with prefix: [UInt8]) -> ByteRange {
    ByteRange(lower: prefix, upper: KeyEncoding.successor(of: prefix))
  }

  var isEmpty: Bool {
    guard let upper else { return false }
    return !lower.lexicographicallyPrecedes(upper)
  }

  package func contains(_ bytes: [UInt8]) -> Bool {
    if bytes.lexicographicallyPrecedes(lower) { return false }
    guard let upper else { return true }
    return bytes.lexicographicallyPrecedes(upper)
  }

  func intersection(_ other: ByteRange) -> ByteRange {
    ByteRange(
      lower: lower.lexicographicallyPrecedes(other.lower) ? other.lower : lower,
      upper: ByteRange.smaller(upper, other.upper))
  }

  private static func smaller(_ left: [UInt8]?, _ right: [UInt8]?) -> [UInt8]? {
    guard let left else { return right }
    guard let right else { return left }
    return right.lexicographicallyPrecedes(left) ? right : left
  }

  /// The same encodings with their bits inverted, as they stand in a descending order.
  var inverted: ByteRange {
    // What starts with a bound is not below it, and stays on the same side when bits are inverted.
    func behind(_ bound: [UInt8]) -> [UInt8]? { KeyEncoding.successor(of: bound.map { ~$0 }) }
    return ByteRange(lower: upper.flatMap(behind) ?? [], upper: behind(lower))
  }

  /// This range behind `prefix`.
  func prefixed(by prefix: [UInt8]) -> ByteRange {
    ByteRange(
      lower: lower.isEmpty ? prefix : prefix + lower,
      upper: upper.map { prefix + $0 } ?? KeyEncoding.successor(of: prefix))
  }
}

/// Disjoint ranges in ascending order: which encoded values a filter lets through.
package struct ByteRangeSet: Hashable, Sendable {
  package private(set) var ranges: [ByteRange]

  static let all = ByteRangeSet([.all])
  static let none = ByteRangeSet([])

  init(_ ranges: [ByteRange]) { self.ranges = ranges.filter { !$0.isEmpty } }

  /// All byte strings but those in `excluded`, which are disjoint and ascend.
  init(allBut excluded: [ByteRange]) {
    var ranges: [ByteRange] = []
    var lower: [UInt8]? = []
    for range in excluded {
      if let lower { ranges.append(ByteRange(lower: lower, upper: range.lower)) }
      lower = range.upper
    }
    if let lower { ranges.append(ByteRange(lower: lower, upper: nil)) }
    self.init(ranges)
  }

  func contains(_ bytes: [UInt8]) -> Bool { ranges.contains { $0.contains(bytes) } }

  func intersection(_ other: ByteRangeSet) -> ByteRangeSet {
    ByteRangeSet(ranges.flatMap { mine in other.ranges.map { mine.intersection($0) } })
  }
}
