import DocumentDatabase
import Testing

/// Writes that leave a part of a document, or of a batch, alone.
@Suite struct PartialWriteTests {
  private let database = Database(nodeCapacity: 4) { 1_000_000 }

  private func name(_ path: String) throws -> DocumentName { try DocumentName(path: path) }

  private func field(_ text: String) throws -> FieldReference { try FieldReference(parsing: text) }

  /// Sets `path` of the document to `value`, or removes it.
  private func set(_ path: String, _ value: Value?, of document: String = "c/d") throws {
    let path = try field(path)
    var fields = Fields()
    fields[path] = value
    try database.commit([Write(.update(try name(document), fields, mask: [path]))])
  }

  private func ids(orderedBy path: String) throws -> [String] {
    var query = StructuredQuery(from: .collection(try CollectionName(path: "c")))
    query.orderBy = [.init(try field(path), .ascending)]
    return try database.run(query).documents.map(\.name.id)
  }

  @Test func `an index follows a change of its field, of a map around it and of a field in it`()
    throws
  {
    try set("m.n", .integer(1))
    try set("m.n", .integer(2), of: "c/e")
    #expect(try ids(orderedBy: "m.n") == ["d", "e"])
    try set("m.n", .integer(3))
    #expect(try ids(orderedBy: "m.n") == ["e", "d"])
    try set("m", .map(Fields([("n", .integer(0))])))
    #expect(try ids(orderedBy: "m.n") == ["d", "e"])
    try set("m.n.deep", .integer(0))
    #expect(try ids(orderedBy: "m.n") == ["e", "d"])
    try set("other", .integer(0), of: "c/e")
    #expect(try ids(orderedBy: "m.n") == ["e", "d"])
    try set("m", nil, of: "c/e")
    #expect(try ids(orderedBy: "m.n") == ["d"])
    #expect(database.check().problems == [])
  }

  @Test func `a write that changes nothing leaves the document's time`() throws {
    try set("a.b", .double(.nan))
    try set("x", .integer(1))
    let before = try database.get(name("c/d"))
    try set("a.b", .double(-.nan))
    try set("x", .integer(1))
    try set("x.y", nil)
    try set("absent", nil)
    let whole = Fields([("a", .map(Fields([("b", .double(.nan))]))), ("x", .integer(1))])
    try database.commit([Write(.update(try name("c/d"), whole, mask: nil))])
    #expect(try database.get(name("c/d"))?.updateTime == before?.updateTime)
    try set("x", .double(1))
    #expect(try database.get(name("c/d"))?.updateTime != before?.updateTime)
  }

  @Test func `a document that breaks a limit is found among many, whole or as it becomes`() throws {
    let large = Value.bytes(.init(repeating: 1, count: 600_000))
    let good = try (0..<20).map { number in
      Write(.update(try name("c/\(number)"), Fields([("a", .integer(1))]), mask: nil))
    }
    try database.commit([
      Write(.update(try name("c/large"), Fields([("a", large)]), mask: nil))
    ])
    let whole = Write(
      .update(try name("c/0"), Fields([("a", .array([.array([])]))]), mask: nil))
    let grown = Write(
      .update(try name("c/large"), Fields([("b", large)]), mask: [try field("b")]))
    for bad in [whole, grown] {
      #expect(throws: DatabaseError.self) { try database.commit(good + [bad]) }
      #expect(try database.get(name("c/1")) == nil)
    }
    // What one request can hold is looked at first.
    let many = try (0..<19).map { number in
      Write(.update(try name("c/\(number)"), Fields([("a", large)]), mask: nil))
    }
    let error = #expect(throws: DatabaseError.self) { try database.commit(many + [whole]) }
    guard case .write(.requestTooLarge, _)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func `fields stand in the order of their bytes, whatever they start with`() throws {
    let names = [
      "description2", "description10", "description1", "b", "a", "a\u{0}", "É", "E\u{301}", "aa",
      "description", "descripti", "z", "__x", "0",
    ]
    let fields = Fields(names.enumerated().map { ($1, .integer(Int64($0))) })
    let sorted = names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
    #expect(fields.sorted.map { Array($0.name.utf8) } == sorted)
    for (number, name) in names.enumerated() {
      #expect(fields[name] == .integer(Int64(number)), "\(name)")
    }
    #expect(Fields([("a", .null), ("b", .null), ("a", .boolean(true))])["a"] == .boolean(true))
  }
}
