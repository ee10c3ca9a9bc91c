import DocumentDatabase
import StorageEngine
import TestSupport
import Testing

/// Indexes in checkpoints: kept, in step with the log, and not believed where they are damaged.
@Suite struct StoredIndexTests {
  private func open(_ disk: SimulatedFileSystem) throws -> Database {
    try Database.open(
      "db", options: StoreOptions(later: nil), in: disk, nodeCapacity: 4, now: { 1 }
    ).database
  }

  private func update(_ path: String, _ fields: [(String, Value)]) throws -> Write {
    Write(.update(try DocumentName(path: path), Fields(fields), mask: nil))
  }

  /// Queries that need an index of every form.
  private func queries() throws -> [StructuredQuery] {
    let posts = StructuredQuery.CollectionSelector.collection(try CollectionName(path: "posts"))
    var byNumber = StructuredQuery(from: posts)
    byNumber.orderBy = [.init(try FieldReference(parsing: "n"), .descending)]
    var byName = byNumber
    byName.orderBy.append(.init(.documentName, .ascending))
    var tagged = StructuredQuery(from: posts)
    tagged.where = .field(try FieldReference(parsing: "map.tags"), .arrayContains, .integer(1))
    var everywhere = StructuredQuery(from: .collectionGroup(id: "posts"))
    everywhere.orderBy = [.init(try FieldReference(parsing: "`odd name`"), .ascending)]
    var nowhere = StructuredQuery(from: .collection(try CollectionName(path: "none")))
    nowhere.orderBy = [.init(try FieldReference(parsing: "n"), .ascending)]
    return [byNumber, byName, tagged, everywhere, nowhere]
  }

  private func answers(of database: Database) throws -> [[String]] {
    try queries().map { try database.run($0).documents.map { "\($0.name) \($0.fields)" } }
  }

  private func fill(_ database: Database, _ range: Range<Int>) throws {
    for number in range {
      let fields: [(String, Value)] = [
        ("n", .integer(Int64(number % 7))), ("odd name", .string("x\(number)")),
        ("map", .map(Fields([("tags", .array([.integer(Int64(number % 3)), .null]))]))),
      ]
      try database.commit([
        try update("posts/\(number)", fields), try update("users/u/posts/\(number)", fields),
      ])
    }
  }

  @Test func `the indexes of a checkpoint are there when it is opened`() throws {
    let disk = SimulatedFileSystem()
    var database = try open(disk)
    try fill(database, 0..<40)
    let before = try answers(of: database)
    let census = database.check().census
    #expect(census.indexes == 5)
    try database.compact()
    try database.close()
    database = try open(disk)
    #expect(database.check().census == census)
    #expect(database.check().problems == [])
    #expect(try answers(of: database) == before)
    #expect(database.check().census == census, "a query built an index that was there")
  }

  @Test func `what the log says after a checkpoint is in its indexes`() throws {
    let disk = SimulatedFileSystem()
    var database = try open(disk)
    try fill(database, 0..<20)
    _ = try answers(of: database)
    try database.compact()
    try fill(database, 10..<30)
    try database.commit([
      Write(.delete(try DocumentName(path: "posts/3"))),
      try update("posts/4", [("n", .integer(99))]), try update("none/a", [("n", .integer(1))]),
    ])
    let before = try answers(of: database)
    let census = database.check().census
    try database.close()
    database = try open(disk)
    #expect(database.check().problems == [])
    #expect(database.check().census == census)
    #expect(try answers(of: database) == before)
    #expect(try database.commit([try update("posts/5", [])]).commitTime > 1)
  }

  @Test func `an index that no checkpoint has is built again`() throws {
    let disk = SimulatedFileSystem()
    var database = try open(disk)
    try fill(database, 0..<10)
    try database.compact()
    let before = try answers(of: database)
    try database.close()
    database = try open(disk)
    #expect(database.check().census.indexes == 0)
    #expect(try answers(of: database) == before)
    #expect(database.check().problems == [])
  }

  @Test func `damage fails the query that meets it and every one after it`() throws {
    let disk = SimulatedFileSystem()
    let database = try open(disk)
    try fill(database, 0..<30)
    let right = try answers(of: database)
    try database.compact()
    try database.close()
    let name = try #require(disk.files.keys.first { $0.contains("checkpoint") })
    let bytes = try #require(disk.files[name])
    let document = try DocumentName(path: "posts/3")
    let stored = try open(disk).get(document)
    var found = 0
    for position in stride(from: 112, to: bytes.count, by: 37) {
      var files = disk.files
      files[name]?[position] ^= 0x40
      do throws(any Error) {
        let database = try open(SimulatedFileSystem(files: files))
        let answers = try answers(of: database)
        #expect(answers == right, "byte \(position)")
        #expect(try database.get(document)?.fields == stored?.fields)
        // What no query has met is found by whoever looks at everything.
        _ = try? Database.read("db", in: SimulatedFileSystem(files: files))
      } catch {
        guard case .storage(.corrupt(name, _, _))? = error as? DatabaseError else {
          Issue.record("byte \(position): \(error)")
          continue
        }
        found += 1
      }
    }
    #expect(found > 100)
    print("damage met by queries: \(found)")
  }

  /// A closed database of 30 documents with indexes, all of it in a checkpoint, and the name of that.
  private func checkpointed() throws -> (files: [String: [UInt8]], name: String) {
    let disk = SimulatedFileSystem()
    let database = try open(disk)
    try fill(database, 0..<30)
    _ = try answers(of: database)
    try database.compact()
    try database.close()
    return (disk.files, try #require(disk.files.keys.first { $0.contains("checkpoint") }))
  }

  /// An offset that the header of a checkpoint has.
  private func offset(
    at position: Int, of name: String, in files: [String: [UInt8]]
  ) throws -> Int {
    let bytes = try #require(files[name])
    return (0..<8).reduce(0) { $0 | Int(bytes[position + $1]) << (8 * $1) }
  }

  @Test func `a damaged database stays damaged, also to writers`() throws {
    var (files, name) = try checkpointed()
    let pages = try offset(at: 48, of: name, in: files)
    // Documents: the definitions of indexes stand before them, the collections behind them.
    for position in stride(from: 1200, to: pages - 200, by: 64) { files[name]?[position] ^= 1 }
    let damaged = try open(SimulatedFileSystem(files: files))
    let first = try #require(
      #expect(throws: DatabaseError.self) { try answers(of: damaged) })
    let document = try DocumentName(path: "posts/3")
    #expect(throws: first) { try damaged.get(document) }
    #expect(throws: first) { try damaged.commit([try update("posts/99", [])]) }
    #expect(throws: first) {
      try damaged.aggregate(
        try queries()[0], [Aggregation(alias: "count", .count())])
    }
    #expect(damaged.check().problems.isEmpty == false)
  }

  @Test func `documents whose place is lost are saved all the same`() throws {
    var (files, name) = try checkpointed()
    let bytes = try #require(files[name])
    let nodes = try offset(at: 56, of: name, in: files)
    // Nothing is left of the tree, and the newest log has one document of it.
    for position in nodes..<bytes.count { files[name]?[position] = 0 }
    var names: Set<String> = []
    let problems = try Database.salvage("db", in: SimulatedFileSystem(files: files)) {
      names.insert($0.name.path)
    }
    #expect(problems.count == 1)
    #expect(names.count == 60)
  }
}
