/// A position in one range of one version's keys that moves to one end of the range.
///
/// It keeps the leaf it stands in and the rank of its position; the next leaf is found by rank, once
/// for as many steps as a leaf has entries.
///
/// Invariant of the unsafe code here: `leaf` belongs to `version`, which the cursor holds.
@safe
package struct TreeCursor {
  private let version: Version
  private let lower: [UInt8]
  private let upper: [UInt8]
  private let isReversed: Bool
  private var leaf: TreeNode?
  /// The entry that `next()` would return where the cursor moves up, one past it where it moves down.
  private var index = 0
  /// Where in `leaf` the range, or the leaf, ends.
  private var limit = 0
  /// How many keys of the whole version come before `index`.
  private var rank = 0

  /// A cursor over the keys from `lower`, included, up to `upper`, excluded; reversed it starts at the
  /// end and moves down.
  ///
  /// - Complexity: O(log n).
  package init(_ version: Version, from lower: [UInt8], to upper: [UInt8], isReversed: Bool) {
    self.version = version
    self.lower = lower
    self.upper = upper
    self.isReversed = isReversed
    guard let tree = unsafe version.tree else { return }
    let position = unsafe (isReversed ? upper : lower).withUnsafeBytes {
      unsafe tree.seek($0, in: version.view)
    }
    rank = unsafe position.rank
    unsafe enter(position.leaf, at: position.index)
  }

  /// The value of the next entry; nil at the end of the range.
  ///
  /// - Complexity: amortised O(1).
  package mutating func next() -> UInt64? {
    while let leaf = unsafe leaf {
      if isReversed && index > limit {
        index -= 1
        rank -= 1
        return unsafe leaf.value(at: index)
      }
      if !isReversed && index < limit {
        index += 1
        rank += 1
        return unsafe leaf.value(at: index - 1)
      }
      // A limit inside the leaf is the range's end; at the leaf's edge the next leaf may go on.
      guard unsafe isReversed ? limit == 0 : limit == leaf.count else { break }
      enterLeaf(atRank: rank)
    }
    unsafe leaf = nil
    return nil
  }

  /// How many entries are left.
  ///
  /// - Complexity: O(log n).
  package var remaining: Int {
    guard let tree = unsafe version.tree else { return 0 }
    let end = unsafe (isReversed ? lower : upper).withUnsafeBytes {
      unsafe tree.seek($0, in: version.view).rank
    }
    return max(isReversed ? rank - end : end - rank, 0)
  }

  /// Passes over `count` entries, or over all that are left; answers over how many.
  ///
  /// - Complexity: O(log n).
  package mutating func skip(_ count: Int) -> Int {
    let remaining = remaining
    let skipped = min(count, remaining)
    guard skipped > 0 else { return 0 }
    rank += isReversed ? -skipped : skipped
    if skipped == remaining {
      // Who counts what is left does not want to stand anywhere.
      unsafe leaf = nil
    } else {
      enterLeaf(atRank: rank)
    }
    return skipped
  }

  /// Appends the values of the next `count` entries, or of all that are left.
  ///
  /// - Complexity: O(log n) for each leaf.
  package mutating func take(_ count: Int, into values: inout [UInt64]) {
    var wanted = count
    while wanted > 0, let leaf = unsafe leaf {
      // A range that ends before it starts has nothing, nor has one in an image made to do harm.
      let taken = max(min(wanted, isReversed ? index - limit : limit - index), 0)
      if isReversed {
        for position in stride(from: index - 1, to: index - 1 - taken, by: -1) {
          unsafe values.append(leaf.value(at: position))
        }
      } else {
        for position in index..<(index + taken) { unsafe values.append(leaf.value(at: position)) }
      }
      index += isReversed ? -taken : taken
      rank += isReversed ? -taken : taken
      wanted -= taken
      if wanted == 0 { return }
      // The next entry is in another leaf, if there is one.
      guard let value = next() else { return }
      values.append(value)
      wanted -= 1
    }
  }

  /// Appends the bytes after the first `dropping` of the key that `next()` returned last.
  package func appendKey(dropping count: Int, to writer: inout ByteWriter) {
    guard let leaf = unsafe leaf else { return }
    let key = unsafe leaf.key(at: isReversed ? index : index - 1)
    writer.append(Array(key.dropFirst(count)))
  }

  private mutating func enterLeaf(atRank rank: Int) {
    guard let tree = unsafe version.tree, isReversed ? rank > 0 : rank < version.count else {
      unsafe leaf = nil
      return
    }
    let position = unsafe tree.seek(rank: isReversed ? rank - 1 : rank, in: version.view)
    // Where a leaf is damaged an empty one stands in its place: nothing more is to be found.
    guard unsafe position.index < position.leaf.count else {
      unsafe leaf = nil
      return
    }
    unsafe enter(position.leaf, at: isReversed ? position.index + 1 : position.index)
  }

  private mutating func enter(_ leaf: TreeNode, at index: Int) {
    unsafe self.leaf = unsafe leaf
    self.index = index
    limit = unsafe (isReversed ? lower : upper).withUnsafeBytes { unsafe leaf.lowerBound($0).index }
  }
}
