import StorageEngine
import TestSupport
import Testing

@Suite struct CountedTreeTests {
  @Test(arguments: [4, 5, 8, 64], 0..<6)
  func `every step of random changes keeps the tree well formed and equal to a dictionary`(
    capacity: Int, seed: Int
  ) {
    var random = Randomised.generator(case: seed)
    let store = OrderedStore(nodeCapacity: capacity)
    var model: [[UInt8]: UInt64] = [:]
    for step in Randomised.cases(300) {
      let insertions = (step / 80).isMultiple(of: 2) ? 8 : 3
      store.write(
        { transaction in
          for _ in 0..<Int.random(in: 1...3, using: &random) {
            let change = Change(model, insertionsInTen: insertions, using: &random)
            #expect(change.apply(to: &transaction) == change.apply(to: &model))
          }
        }, publish: { _ in })
      #expect(store.version.violations(nodeCapacity: capacity).isEmpty)
      #expect(store.version.count == model.count)
    }
    #expect(store.version.contents == model)
  }

  @Test(arguments: [4, 64])
  func `a cursor walks, counts and skips every range in both directions`(capacity: Int) {
    var random = Randomised.generator(case: capacity)
    for _ in Randomised.cases(60) {
      let store = OrderedStore(nodeCapacity: capacity)
      var model: [[UInt8]: UInt64] = [:]
      store.write(
        { transaction in
          for _ in 0..<Int.random(in: 0...200, using: &random) {
            let change = Change(model, insertionsInTen: 10, using: &random)
            #expect(change.apply(to: &transaction) == change.apply(to: &model))
          }
        }, publish: { _ in })
      let lower = Change.key(using: &random)
      let upper = Change.key(using: &random)
      let inside = model.keys.sorted { $0.lexicographicallyPrecedes($1) }
        .filter { !$0.lexicographicallyPrecedes(lower) && $0.lexicographicallyPrecedes(upper) }
        .compactMap { model[$0] }
      let skipped = Int.random(in: 0...30, using: &random)
      for isReversed in [false, true] {
        let expected = isReversed ? inside.reversed() : inside
        var cursor = TreeCursor(store.version, from: lower, to: upper, isReversed: isReversed)
        #expect(cursor.remaining == expected.count)
        #expect(Array(draining: &cursor) == expected)
        var second = TreeCursor(store.version, from: lower, to: upper, isReversed: isReversed)
        #expect(second.skip(skipped) == min(skipped, expected.count))
        #expect(Array(draining: &second) == Array(expected.dropFirst(skipped)))
        var third = TreeCursor(store.version, from: lower, to: upper, isReversed: isReversed)
        var taken: [UInt64] = []
        third.take(skipped, into: &taken)
        #expect(taken == Array(expected.prefix(skipped)))
        #expect(Array(draining: &third) == Array(expected.dropFirst(skipped)))
      }
    }
  }

  @Test func `an old version keeps what it held while later ones change`() {
    var random = Randomised.generator(case: 0)
    let store = OrderedStore(nodeCapacity: 4)
    var model: [[UInt8]: UInt64] = [:]
    var held: [(version: Version, model: [[UInt8]: UInt64])] = []
    for step in Randomised.cases(400) {
      store.write(
        { transaction in
          let change = Change(model, insertionsInTen: 6, using: &random)
          #expect(change.apply(to: &transaction) == change.apply(to: &model))
        }, publish: { _ in })
      if step.isMultiple(of: 20) { held.append((store.version, model)) }
      if held.count > 5 { held.remove(at: Int.random(in: 0..<held.count, using: &random)) }
    }
    for (version, model) in held { #expect(version.contents == model) }
  }

  @Test func `a refused transaction changes nothing and its memory is given back`() {
    struct Refusal: Error {}
    var random = Randomised.generator(case: 0)
    let store = OrderedStore(nodeCapacity: 4)
    var model: [[UInt8]: UInt64] = [:]
    for _ in Randomised.cases(200) {
      store.write(
        { transaction in
          let change = Change(model, insertionsInTen: 8, using: &random)
          #expect(change.apply(to: &transaction) == change.apply(to: &model))
        }, publish: { _ in })
      var scratch = model
      #expect(throws: Refusal.self) {
        try store.write(
          { transaction throws(Refusal) in
            for _ in 0..<5 {
              let change = Change(scratch, insertionsInTen: 5, using: &random)
              #expect(change.apply(to: &transaction) == change.apply(to: &scratch))
            }
            throw Refusal()
          }, publish: { _ in Issue.record("a refused transaction was published") })
      }
      #expect(store.version.contents == model)
      #expect(store.version.violations(nodeCapacity: 4).isEmpty)
    }
  }

  @Test func `letting go of a long chain of versions does not overflow the stack`() {
    let store = OrderedStore()
    let oldest = store.version
    for number in 0..<50_000 {
      store.write(
        { transaction in
          var key = ByteWriter(capacity: 16)
          key.append(word: UInt32(number % 100).bigEndian)
          transaction.insert(key, value: UInt64(number))
        }, publish: { _ in })
    }
    #expect(oldest.count == 0)
    #expect(store.version.count == 100)
  }
}

/// One random change of a tree and of the dictionary that it must equal.
private struct Change {
  let key: [UInt8]
  /// Nil removes the key.
  let value: UInt64?

  /// Short keys over few bytes: many share prefixes, and many are prefixes of others.
  static func key(using random: inout SeededGenerator) -> [UInt8] {
    (0..<Int.random(in: 0...14, using: &random)).map { _ in
      Bool.random(using: &random) ? 0 : UInt8.random(in: 0...3, using: &random)
    }
  }

  init(
    _ model: [[UInt8]: UInt64], insertionsInTen: Int, using random: inout SeededGenerator
  ) {
    if Int.random(in: 0..<10, using: &random) < insertionsInTen || model.isEmpty {
      key = Change.key(using: &random)
      value = UInt64.random(in: 0...1000, using: &random)
    } else {
      let keys = model.keys.sorted { $0.lexicographicallyPrecedes($1) }
      key = keys[Int.random(in: 0..<keys.count, using: &random)]
      value = nil
    }
  }

  func apply(to transaction: inout WriteTransaction) -> UInt64? {
    var writer = ByteWriter()
    writer.append(key)
    guard let value else { return transaction.remove(writer) }
    return transaction.insert(writer, value: value)
  }

  func apply(to model: inout [[UInt8]: UInt64]) -> UInt64? {
    guard let value else { return model.removeValue(forKey: key) }
    return model.updateValue(value, forKey: key)
  }
}

extension Version {
  fileprivate var contents: [[UInt8]: UInt64] {
    Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value) })
  }
}

extension [UInt64] {
  fileprivate init(draining cursor: inout TreeCursor) {
    self = []
    while let value = cursor.next() { append(value) }
  }
}
