import DocumentDatabase
import ReferenceModel
import TestSupport
import Testing

/// Values at the limits of what is stored and of what queries see of them.
@Suite struct ExtremeValuesTests {
  @Test(arguments: [1, 2, 3, 5])
  func `documents with the longest values are found in order by several fields`(
    _ orders: Int
  ) throws {
    var pair = Pair(nodeCapacity: 4)
    var generator = Randomised.generator(case: orders)
    for number in 0..<30 {
      var fields: ModelFields = [:]
      for name in RandomQueries.fields {
        setValue(ExtremeValuesTests.long(&generator), at: name, in: &fields)
      }
      let id = Bytes(repeating: 0x61 + UInt8(number % 3), count: 1400) + Bytes("\(number)".utf8)
      let path = [Bytes("c".utf8), id]
      #expect(try pair.apply([ModelWrite(path, .update(fields, mask: nil))]) == nil)
    }
    for descending in [false, true] {
      var query = ModelQuery(.collection(RandomQueries.collection))
      query.orders = RandomQueries.fields.prefix(orders).enumerated().map { index, field in
        .init(field, descending: descending != index.isMultiple(of: 2))
      }
      query.limit = 7
      var shown = 0
      while true {
        if let problem = try pair.disagreement(on: query) {
          Issue.record("\(problem.prefix(300))")
          return
        }
        guard let last = pair.model.run(query).results.last else { break }
        shown += 1
        query.orders = query.effectiveOrders
        query.start = .init(pair.model.position(of: last, in: query.orders), isBefore: false)
      }
      #expect(shown == 5)
    }
  }

  private static func long(_ generator: inout SeededGenerator) -> ModelValue {
    let byte: UInt8 = generator.pick([0, 0, 0x61, 0x7f])
    let text = Bytes(repeating: byte, count: generator.pick([1499, 1500, 1501, 1600]))
    return generator.pick([.string(text), .bytes(text.map { $0 == 0 ? 255 : $0 })])
  }

  @Test func `an array holds texts apart that differ only behind their indexed bytes`() throws {
    var pair = Pair()
    let path = ModelPath(text: "c/a")
    let texts = ["a", "b"].map { ModelValue.string(String(repeating: "p", count: 1500) + $0) }
    for kind in [
      ModelWrite.Kind.arrayUnion(texts), .arrayRemove([texts[0]]), .arrayUnion([texts[0]]),
    ] {
      var write = ModelWrite(path, .update([:], mask: []))
      write.transforms = [.init(RandomQueries.tags, kind)]
      #expect(try pair.apply([write]) == nil)
      #expect(try pair.disagreementOfContents().map { $0.prefix(100) } == nil)
    }
  }

  @Test func `an index over many long fields is refused or kept, but ends nothing`() async {
    await #expect(processExitsWith: .success) {
      var pair = Pair()
      var fields: ModelFields = [:]
      let names = (0..<14).map { Bytes("field\($0)".utf8) }
      for name in names { fields[name] = .string(Bytes(repeating: 0, count: 1500)) }
      var query = ModelQuery(.collection(RandomQueries.collection))
      query.orders = names.map { .init([$0]) }
      for id in ["before", "after"] {
        let path = ModelPath(text: "c/\(id)")
        _ = try? pair.apply([ModelWrite(path, .update(fields, mask: nil))])
        _ = try? pair.disagreement(on: query)
      }
    }
  }
}
