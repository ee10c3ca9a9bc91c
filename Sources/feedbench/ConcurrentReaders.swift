import FeedStore
import Synchronization

/// Four readers of random pages, alone or beside a writer of single documents.
struct ConcurrentReaders {
  struct Run {
    var reads: Measurement
    var writes = Measurement("mt_write_nosync")
    var seconds = 0.0

    var readsPerSecond: Double { Double(reads.count) / seconds }
    var writesPerSecond: Double { Double(writes.count) / seconds }
  }

  private let reference: FeedReference
  private let operations: FeedOperations

  init(_ reference: FeedReference, _ operations: FeedOperations) {
    self.reference = reference
    self.operations = operations
  }

  private func cursors() async throws -> [DocumentSnapshot] {
    var random = BenchRandom(FeedWorkload.querySeed + 99)
    var cursors: [DocumentSnapshot] = []
    for _ in 0..<4096 {
      let rank = random.below(reference.rows.count - FeedWorkload.pageSize - 1)
      cursors.append(try await operations.get(reference.rows[rank].id))
    }
    return cursors
  }

  func run(seconds: Double, withWriter hasWriter: Bool) async throws -> Run {
    let base = reference.rows.count + 5_000_000
    let operations = operations
    let cursors = try await cursors()
    let start = Measurement.now()
    let end = start + UInt64(seconds * 1e9)
    let parts = try await withThrowingTaskGroup(of: Measurement.self) { group in
      for reader in 0..<4 {
        group.addTask {
          var times = Measurement("read")
          var random = BenchRandom(FeedWorkload.querySeed + 100 + UInt64(reader))
          while Measurement.now() < end {
            let cursor = cursors[random.below(cursors.count)]
            _ = try await times.measure { try await operations.page(after: cursor) }
            // Nothing here waits, and there may be fewer threads than tasks.
            if times.count.isMultiple(of: 32) { await Task.yield() }
          }
          return times
        }
      }
      if hasWriter {
        group.addTask {
          var times = Measurement("write")
          while Measurement.now() < end {
            let post = FeedWorkload.post(base + times.count)
            try await times.measure { try await operations.write([post]) }
            if times.count.isMultiple(of: 32) { await Task.yield() }
          }
          return times
        }
      }
      var parts: [Measurement] = []
      for try await part in group { parts.append(part) }
      return parts
    }
    var run = Run(reads: Measurement(hasWriter ? "mt4_page_1writer" : "mt4_page_nowriter"))
    for part in parts {
      if part.operation == "read" {
        run.reads.add(contentsOf: part)
      } else {
        run.writes.add(contentsOf: part)
      }
    }
    run.seconds = Double(Measurement.now() - start) / 1e9
    return run
  }
}
