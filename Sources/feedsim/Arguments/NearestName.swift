/// Finds the name somebody probably meant.
enum NearestName {
  /// The closest of `names` to `word`; nil where none is close enough to be a slip.
  static func of(_ word: String, in names: [String]) -> String? {
    let allowed = max(1, word.count / 3)
    let wanted = Array(word.lowercased())
    return
      names
      .map { name in (name, distance(wanted, Array(name.lowercased()))) }
      .filter { $0.1 <= allowed }
      .min { $0.1 < $1.1 }?
      .0
  }

  /// The least number of characters to insert, delete, replace or swap with a neighbour.
  private static func distance(_ left: [Character], _ right: [Character]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for row in left.indices {
      var current = [row + 1]
      for column in right.indices {
        let isSame = left[row] == right[column]
        var best = min(
          last[column] + (isSame ? 0 : 1), last[column + 1] + 1, current[column] + 1)
        if row > 0, column > 0, left[row] == right[column - 1], left[row - 1] == right[column] {
          best = min(best, beforeLast[column - 1] + 1)
        }
        current.append(best)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
