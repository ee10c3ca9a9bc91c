import DocumentDatabase
import TestSupport
import Testing

@Suite struct RangeTableTests {
  @Test(arguments: Randomised.cases(50))
  func `a table finds what looking at each range finds`(_ number: Int) {
    var random = Randomised.generator(case: number)
    var table = RangeTable()
    var ranges: [Int: ByteRange] = [:]
    for step in 0..<200 {
      let id = Int.random(in: 0..<40, using: &random)
      switch Int.random(in: 0..<10, using: &random) {
      case 0: ranges[id] = nil
      case 1..<5:
        // As when a window narrows: the lower bound stays.
        guard var range = ranges[id] else { continue }
        range.upper = upper(&random)
        ranges[id] = range
      default: ranges[id] = ByteRange(lower: key(&random), upper: upper(&random))
      }
      table[id] = ranges[id]
      let key = key(&random)
      let expected = ranges.filter { $0.value.contains(key) }.map(\.key).sorted()
      #expect(table.ids(containing: key).sorted() == expected, "case \(number), step \(step)")
    }
  }

  private func key(_ random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...2, using: &random)).map { _ in .random(in: 0...5, using: &random) }
  }

  private func upper(_ random: inout SeededGenerator) -> [UInt8]? {
    Int.random(in: 0..<5, using: &random) == 0 ? nil : key(&random)
  }
}
