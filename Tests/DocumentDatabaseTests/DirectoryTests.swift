import DocumentDatabase
import StorageEngine
import Synchronization
import TestSupport
import Testing

/// A database that is kept in a directory, on a simulated disk.
@Suite struct DirectoryTests {
  private func open(
    _ disk: SimulatedFileSystem, _ options: StoreOptions = StoreOptions(logStep: 0, later: nil)
  ) throws -> Database {
    try Database.open("db", options: options, in: disk, nodeCapacity: 4, now: { 1 }).database
  }

  private func update(
    _ path: String, _ fields: [(String, Value)]
  ) throws -> Write {
    Write(.update(try DocumentName(path: path), Fields(fields), mask: nil))
  }

  private func query(_ collection: String, by field: String) throws -> StructuredQuery {
    var query = StructuredQuery(from: .collection(try CollectionName(path: collection)))
    query.orderBy = [.init(try FieldReference(parsing: field), .ascending)]
    return query
  }

  private func contents(of database: Database) throws -> [String] {
    try ["posts", "users/a/posts"].flatMap { collection in
      try database.run(try query(collection, by: "n")).documents.map { document in
        "\(document.name) \(document.createTime) \(document.updateTime) \(document.fields)"
      }
    }
  }

  @Test(arguments: 0..<4)
  func `an opened database answers as the one that wrote it, and its indexes are right`(
    seed: Int
  ) throws {
    var random = Randomised.generator(case: seed)
    var disk = SimulatedFileSystem()
    var database = try open(disk)
    for step in Randomised.cases(60) {
      let writes = try (0..<Int.random(in: 1...3, using: &random)).map { _ in
        let collection = ["posts", "users/a/posts"].randomElement(using: &random) ?? "posts"
        let path = "\(collection)/\(Int.random(in: 0..<30, using: &random))"
        if Int.random(in: 0..<4, using: &random) == 0 {
          return Write(.delete(try DocumentName(path: path)))
        }
        return try update(
          path,
          [
            ("n", .integer(Int64.random(in: 0...9, using: &random))),
            ("tags", .array([.integer(Int64(step % 3)), .string("x")])),
          ])
      }
      try database.commit(writes)
      let before = try contents(of: database)
      #expect(database.check().problems == [])
      switch Int.random(in: 0..<6, using: &random) {
      case 0: try database.compact()
      case 1:
        try database.close()
        database = try open(disk)
      case 2:
        disk = disk.afterPowerLoss(.everything, using: &random)
        database = try open(disk)
      default: break
      }
      #expect(try contents(of: database) == before)
    }
  }

  @Test func `commit times go on where they stopped`() throws {
    let disk = SimulatedFileSystem()
    let first = try open(disk)
    for number in 0..<5 { try first.commit([try update("a/b", [("n", .integer(Int64(number)))])]) }
    let time = try #require(try first.get(try DocumentName(path: "a/b"))?.updateTime)
    try first.close()
    let second = try open(disk)
    #expect(try second.commit([try update("a/b", [("n", .integer(9))])]).commitTime > time)
  }

  @Test func `after a failed sync the database reads, builds indexes and refuses writes`() throws {
    let disk = SimulatedFileSystem()
    let database = try open(disk)
    try database.commit([try update("posts/a", [("n", .integer(1))])])
    disk.fail(disk.calls + 2, with: .failedCall)
    let name = try DocumentName(path: "posts/b")
    for attempt in 0..<2 {
      let error = #expect(throws: DatabaseError.self) {
        try database.commit([try update("posts/b", [("n", .integer(2))])])
      }
      guard case .storage(.syncFailed)? = error else {
        Issue.record("attempt \(attempt): \(String(describing: error))")
        continue
      }
      #expect(try database.get(name) == nil)
    }
    #expect(try database.run(try query("posts", by: "n")).documents.count == 1)
    #expect(try database.run(try query("posts", by: "other")).documents.count == 0)
    #expect(database.check().problems == [])
  }

  @Test func `a full disk fails the commit and nothing else`() throws {
    let disk = SimulatedFileSystem()
    let database = try open(disk)
    disk.fail(disk.calls + 1, with: .diskFull)
    #expect(throws: DatabaseError.self) {
      try database.commit([try update("posts/a", [("n", .integer(1))])])
    }
    try database.commit([try update("posts/b", [("n", .integer(2))])])
    try database.close()
    #expect(try contents(of: try open(disk)).count == 1)
  }

  @Test func `a directory has one owner`() throws {
    let disk = SimulatedFileSystem()
    let database = try open(disk)
    let error = #expect(throws: DatabaseError.self) { try open(disk) }
    #expect(error == .storage(.locked(directory: "db", process: nil)))
    try database.close()
    _ = try open(disk)
  }

  /// Records that pass every checksum and are not documents.
  @Test func `a document that was made to do harm is refused`() throws {
    var random = Randomised.generator(case: 0)
    let disk = SimulatedFileSystem()
    let database = try open(disk)
    try database.commit([
      try update(
        "posts/a",
        [
          ("n", .integer(1000)), ("list", .array([.null, .double(1), .string("text")])),
          ("map", .map(Fields([("at", .timestamp(microseconds: 5)), ("big", .integer(.max))]))),
        ])
    ])
    try database.close()
    let (store, _) = try OrderedStore.read("db", in: disk)
    let key = ByteWriter.of([0, 0, 0, 1, 2] + Array("a".utf8) + [0, 1])
    let number = store.version.value(for: key)
    let slice = try #require(number.flatMap { store.version.record($0) })
    let record = slice.array(0, slice.count)
    var refused = 0
    for _ in Randomised.cases(2000) {
      var bytes = record
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let position = Int.random(in: 16..<bytes.count, using: &random)
        bytes[position] = [0, 1, 2, 4, 9, 12, 0x7F, 0xFF].randomElement(using: &random) ?? 0
      }
      if Bool.random(using: &random) {
        bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      }
      let forged = SimulatedFileSystem(files: disk.files)
      try OrderedStore.open("db", options: StoreOptions(later: nil), in: forged).store
        .overwrite(key, with: bytes)
      do {
        let (database, _) = try Database.read("db", in: forged)
        // What is accepted can be read.
        _ = database.check()
        _ = try database.run(try query("posts", by: "map.at")).documents.map(\.fields)
      } catch { refused += 1 }
      #expect(throws: Never.self) { try Database.salvage("db", in: forged) { _ = $0.fields } }
    }
    #expect(refused > 100)
  }
}

extension ByteWriter {
  fileprivate static func of(_ bytes: [UInt8]) -> ByteWriter {
    var writer = ByteWriter()
    writer.append(bytes)
    return writer
  }
}

extension OrderedStore {
  fileprivate func overwrite(_ key: borrowing ByteWriter, with bytes: [UInt8]) throws {
    let number = version.value(for: key)
    let record = ByteWriter.of(bytes)
    let bytes = key.bytes
    try write(
      { transaction throws(StorageError) in
        _ = transaction.put(record, under: ByteWriter.of(bytes), replacing: number)
      }, accepted: { _ in {} }, refusal: { $0 })
    try close()
  }
}
