import StorageEngine
import TestSupport
import Testing

@Suite struct RecordTableTests {
  @Test func `records keep their numbers, and every version keeps its records`() {
    var random = Randomised.generator(case: 0)
    let store = OrderedStore()
    var model: [UInt64: [UInt8]] = [:]
    var held: [(version: Version, model: [UInt64: [UInt8]])] = []
    for step in Randomised.cases(1500) {
      store.write(
        { transaction in
          for _ in 0..<3 { change(&transaction, &model, using: &random) }
        }, publish: { _ in })
      if step.isMultiple(of: 300) { held.append((store.version, model)) }
    }
    held.append((store.version, model))
    for (version, model) in held {
      for number in 0..<UInt64(3000) {
        #expect(version.record(number).map { $0.array(0, $0.count) } == model[number])
      }
    }
  }

  @Test func `the records of a page stand in one allocation, in the order asked for`() {
    let store = OrderedStore()
    store.write(
      { transaction in
        for byte in UInt8(0)..<100 {
          var record = ByteWriter()
          record.append(Array(repeating: byte, count: Int(byte)))
          _ = transaction.addRecord(record)
        }
      }, publish: { _ in })
    let page = store.version.page(of: [7, 0, 99, 7])
    #expect(page.map(\.count) == [7, 0, 99, 7])
    #expect(page.map { $0.array(0, min($0.count, 1)) } == [[7], [], [99], [7]])
    #expect(page.allSatisfy { $0.storage === page[0].storage })
  }

  private func change(
    _ transaction: inout WriteTransaction, _ model: inout [UInt64: [UInt8]],
    using random: inout SeededGenerator
  ) {
    let bytes = (0..<Int.random(in: 0...20, using: &random)).map { _ in
      UInt8.random(in: 0...255, using: &random)
    }
    var record = ByteWriter()
    record.append(bytes)
    let victim = model.keys.sorted().randomElement(using: &random)
    switch (Int.random(in: 0...3, using: &random), victim) {
    case (2, let number?):
      transaction.replaceRecord(number, with: record)
      model[number] = bytes
    case (3, let number?):
      transaction.removeRecord(number)
      model[number] = nil
    default:
      let number = transaction.addRecord(record)
      #expect(model[number] == nil)
      model[number] = bytes
    }
  }
}
