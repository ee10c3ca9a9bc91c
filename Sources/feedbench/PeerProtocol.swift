import FeedStore
import Foundation

/// The modes that every peer of the workload has, one process each; one JSON line per operation.
struct PeerProtocol {
  let options: BenchOptions
  private let reference: @Sendable () -> FeedReference

  init(_ options: BenchOptions) {
    self.options = options
    let count = options.documents
    reference = { FeedReference(count: count) }
  }

  private var peer: String {
    options.decoding == .lazy ? "feedstore" : "feedstore-\(options.decoding.rawValue)"
  }

  func run() async throws {
    switch options.mode {
    case "load": try await load()
    case "read": try await read()
    case "open": try await open()
    case "rss": try await scrollForMemory()
    case "write": try await write()
    case "mt": try await readConcurrently()
    default: throw BenchOptions.Mistake(description: "there is no mode '\(options.mode)'")
    }
  }

  private func operations() throws -> FeedOperations {
    let db = try Firestore(
      directory: options.directory, durability: options.isDurable ? .perCommit : .none,
      readMeter: ReadMeter(keeping: .totals))
    return FeedOperations(db, decoding: options.decoding)
  }

  private func emit(_ measurement: Measurement, _ extra: [(String, String)] = []) {
    print(measurement.line(peer: peer, documents: options.documents, extra: extra))
  }

  // MARK: Modes

  private func load() async throws {
    try FileManager.default.createDirectory(
      atPath: options.directory, withIntermediateDirectories: true)
    let operations = try operations()
    try await operations.makeIndexes()
    var times = Measurement(options.isDurable ? "load_txn500_fsync" : "load_txn500_nosync")
    for start in stride(from: 0, to: options.documents, by: FeedWorkload.batchSize) {
      let end = min(start + FeedWorkload.batchSize, options.documents)
      let batch = (start..<end).map { FeedWorkload.post($0) }
      try await times.measure { try await operations.write(batch) }
    }
    var settling = Measurement("settle")
    try await settling.measure { try operations.db.synchronize() }
    try operations.db.close()
    let disk = Process.diskBytes(of: options.directory)
    emit(
      times,
      [
        ("total_ns", "\(times.total)"),
        ("per_doc_ns", "\(times.total / UInt64(max(options.documents, 1)))"),
        ("settle_ns", "\(settling.total)"), ("disk_bytes", "\(disk)"),
        ("disk_bytes_per_doc", "\(Double(disk) / Double(options.documents))"),
        ("max_rss_kb", "\(Process.memory().most)"),
      ])
  }

  private func open() async throws {
    if options.evicts { Process.dropFromPageCache(options.directory) }
    var times = Measurement(options.evicts ? "open_first_cold" : "open_first_warm")
    let first = try await times.measure { try await self.operations().page() }
    try expect(first.count == FeedWorkload.pageSize, "open returned \(first.count) documents")
    emit(times, Process.memory().fields)
  }

  private func scrollForMemory() async throws {
    let operations = try operations()
    var last: DocumentSnapshot?
    repeat { last = try await operations.page(after: last).documents.last } while last != nil
    let memory = Process.memory()
    let perDocument = Double(memory.anonymous) * 1024 / Double(options.documents)
    let disk = Double(Process.diskBytes(of: options.directory)) / Double(options.documents)
    var fields = memory.fields
    fields += [("anon_bytes_per_doc", "\(perDocument)"), ("disk_bytes_per_doc", "\(disk)")]
    print(
      "{\"peer\":\"\(peer)\",\"op\":\"rss_after_scroll\",\"n\":\(options.documents),"
        + fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}")
  }

  private func write() async throws {
    let operations = try operations()
    try await operations.makeIndexes()
    let base = options.documents + 2_000_000 + (options.isDurable ? 0 : 1_000_000)
    let wanted = options.isDurable ? 1000 : 5000
    var writes = Measurement(options.isDurable ? "write_fsync" : "write_nosync")
    for number in 0..<wanted where !writes.isOver(2 * options.budget) {
      let post = FeedWorkload.post(base + number)
      try await writes.measure { try await operations.write([post]) }
    }
    emit(writes)
    var updates = Measurement(options.isDurable ? "update_fsync" : "update_nosync")
    var random = BenchRandom(FeedWorkload.updateSeed + (options.isDurable ? 1 : 0))
    var last: (post: FeedPost, likes: Int64)?
    for _ in 0..<wanted where !updates.isOver(2 * options.budget) {
      let post = FeedWorkload.post(random.below(options.documents))
      let likes = Int64(random.below(1_000_000))
      try await updates.measure { try await operations.update(post.id, likes: likes) }
      last = (post, likes)
    }
    emit(updates)
    if let (post, likes) = last {
      let stored = try await operations.get(post.id)
      try expect(stored.get("likes") as? Int64 == likes, "the last update cannot be read")
    }
    try operations.db.close()
  }

  private func read() async throws {
    let operations = try operations()
    let checker = FeedChecker(reference: reference(), operations: operations)
    try await checker.warm()
    for times in try await ReadOperations(checker, budget: options.budget).all() { emit(times) }
    try operations.db.close()
  }

  private func readConcurrently() async throws {
    let operations = try operations()
    let checker = FeedChecker(reference: reference(), operations: operations)
    try await checker.warm()
    for hasWriter in [false, true] {
      let run = try await ConcurrentReaders(checker.reference, operations).run(
        seconds: 1.5, withWriter: hasWriter)
      emit(run.reads, [("per_second", "\(Int(run.readsPerSecond))")])
      if hasWriter { emit(run.writes, [("per_second", "\(Int(run.writesPerSecond))")]) }
    }
    try operations.db.close()
  }
}

func expect(_ condition: Bool, _ text: @autoclosure () -> String) throws {
  if !condition { throw WrongAnswer(description: text()) }
}

extension Measurement {
  /// Times `body` alone.
  mutating func measure<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    let start = Measurement.now()
    let result = try await body()
    add(Measurement.now() - start)
    return result
  }

  /// Whether this operation has had its time.
  func isOver(_ seconds: Double) -> Bool { count > 50 && Double(total) > seconds * 1e9 }
}
