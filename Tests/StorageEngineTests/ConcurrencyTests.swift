import StorageEngine
import Testing

@Suite struct ConcurrencyTests {
  @Test func `readers beside a writer see whole transactions only`() async {
    let store = OrderedStore(nodeCapacity: 8)
    await withTaskGroup(of: Void.self) { group in
      group.addTask {
        for round in UInt64(1)...2_000 {
          // Ten keys always hold the same number, and the record of that number says it again.
          store.write(
            { transaction in
              var record = ByteWriter()
              record.append(word: round.littleEndian)
              let number = transaction.addRecord(record)
              for key in UInt8(0)..<10 {
                var writer = ByteWriter()
                writer.append([key])
                let old = transaction.insert(writer, value: number)
                if key == 9, let old { transaction.removeRecord(old) }
              }
            }, publish: { _ in })
        }
      }
      for _ in 0..<3 {
        group.addTask {
          var last: UInt64 = 0
          while last < 2_000 {
            let version = store.version
            var cursor = TreeCursor(version, from: [0], to: [10], isReversed: false)
            var numbers: [UInt64] = []
            while let number = cursor.next() { numbers.append(number) }
            guard let first = numbers.first else { continue }
            #expect(numbers == Array(repeating: first, count: 10))
            let round = version.record(first)?.uint64(at: 0) ?? 0
            #expect(round == version.number && round >= last)
            last = round
          }
        }
      }
    }
  }
}
