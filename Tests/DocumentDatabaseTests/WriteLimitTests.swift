import DocumentDatabase
import Testing

/// The limits of what is written, each held right up to it and refused one beyond.
///
/// Source: https://firebase.google.com/docs/firestore/quotas
@Suite struct WriteLimitTests {
  private let database = Database { 1_000_000 }

  /// The refusal of a commit; nil where it is accepted.
  private func refusal(_ writes: [Write]) -> DatabaseError? {
    do throws(DatabaseError) {
      try database.commit(writes)
      return nil
    } catch { return error }
  }

  private func refusal(of fields: Fields, at path: String = "c/d") throws -> WriteError? {
    let error = refusal([Write(.update(try DocumentName(path: path), fields, mask: nil))])
    guard case .write(let problem, _)? = error else { return nil }
    return problem
  }

  private func text(_ bytes: Int) -> Value { .string(String(repeating: "x", count: bytes)) }

  // MARK: Size and shape

  @Test func `a document has at most a mebibyte`() throws {
    // The name counts 20 bytes, the document 32, each field its name and one more.
    let room = 1_048_576 - 20 - 32 - 2 * 2
    let fit = Fields([
      ("a", .bytes(.init(repeating: 1, count: 600_000))),
      ("b", .bytes(.init(repeating: 1, count: room - 600_000))),
    ])
    #expect(try refusal(of: fit) == nil)
    let over = Fields([
      ("a", .bytes(.init(repeating: 1, count: 600_000))),
      ("b", .bytes(.init(repeating: 1, count: room - 599_999))),
    ])
    #expect(try refusal(of: over) == .documentTooLarge(bytes: 1_048_577))
  }

  @Test func `a field's value has at most 1,048,487 bytes`() throws {
    #expect(try refusal(of: Fields([("a", text(1_048_486))])) == nil)
    #expect(
      try refusal(of: Fields([("a", text(1_048_487))]))
        == .fieldValueTooLarge(field: "a", bytes: 1_048_488))
  }

  @Test func `maps and arrays nest twenty levels`() throws {
    func nested(_ levels: Int) -> Fields {
      let value = (1..<levels).reduce(Value.map(Fields())) { inner, _ in
        .map(Fields([("m", inner)]))
      }
      return Fields([("a", value)])
    }
    #expect(try refusal(of: nested(20)) == nil)
    #expect(try refusal(of: nested(21)) == .tooDeep(field: "a"))
  }

  @Test func `an array stands in an array only within a map`() throws {
    let inner = Value.array([.integer(1)])
    #expect(
      try refusal(of: Fields([("a", .array([.map(Fields([("m", inner)]))]))])) == nil)
    #expect(try refusal(of: Fields([("a", .array([inner]))])) == .nestedArray(field: "a"))
  }

  @Test func `a vector has at most 2,048 dimensions`() throws {
    #expect(try refusal(of: Fields([("v", .vector(.init(repeating: 0, count: 2048)))])) == nil)
    #expect(
      try refusal(of: Fields([("v", .vector(.init(repeating: 0, count: 2049)))]))
        == .tooManyDimensions(field: "v", 2049))
  }

  @Test(arguments: ["", "__a__", "____a____", String(repeating: "n", count: 1501)])
  func `a field name is not empty, reserved or longer than 1,500 bytes`(name: String) throws {
    for fields in [Fields([(name, .null)]), Fields([("m", .map(Fields([(name, .null)])))])] {
      guard case .fieldName? = try refusal(of: fields) else {
        Issue.record("accepted \(name.prefix(20))")
        continue
      }
    }
  }

  @Test(arguments: [
    "_a_", "__a_", "_a__", "____", "a.b", "`", " ", "🐵", String(repeating: "n", count: 1500),
  ])
  func `other field names are taken`(name: String) throws {
    #expect(try refusal(of: Fields([(name, .null)])) == nil)
  }

  // MARK: Names of documents and collections

  @Test(arguments: [
    "", "c", "c//d", "c/.", "c/..", "./d", "c/__a__", "__a__/d", "c/d/e",
    "c/" + String(repeating: "n", count: 1501),
    [String](repeating: String(repeating: "n", count: 1400), count: 6).joined(separator: "/"),
    [String](repeating: "n", count: 202).joined(separator: "/"),
  ])
  func `a document's name keeps the rules`(path: String) {
    #expect(throws: NameError.self) { try DocumentName(path: path) }
  }

  @Test(arguments: [
    "c/d", "c/...", "c/.a", "c/__a", "c/a__", "c/____", "c/__id7__", "c/`", "c/é", "c/ ",
    "c/" + String(repeating: "n", count: 1500),
    [String](repeating: "n", count: 200).joined(separator: "/"),
  ])
  func `other names are taken`(path: String) throws {
    #expect(try refusal(of: Fields(), at: path) == nil)
  }

  // MARK: Index entries

  @Test func `a document has at most 40,000 index entries`() throws {
    // The array as a whole has two entries, and each different element one.
    func array(_ count: Int) -> Fields {
      Fields([("a", .array((0..<count).map { .integer(Int64($0)) }))])
    }
    #expect(try refusal(of: array(39_998)) == nil)
    #expect(try refusal(of: array(39_999)) == .tooManyIndexEntries(40_001))
    let same = Fields([("a", .array(.init(repeating: .integer(1), count: 60_000)))])
    #expect(try refusal(of: same) == nil)
  }

  @Test func `every field of a map has entries of its own`() throws {
    func map(_ count: Int) -> Fields {
      Fields([("m", .map(Fields((0..<count).map { ("f\($0)", .null) })))])
    }
    #expect(try refusal(of: map(19_999)) == nil)
    #expect(try refusal(of: map(20_000)) == .tooManyIndexEntries(40_002))
  }

  @Test func `an index entry has at most 7,680 bytes`() throws {
    let long = String(repeating: "x", count: 1500)
    let path = "a/\(long)/\(long)/\(long.prefix(1400))"
    // The parent's name has 16 + 2 + 1501 bytes, the document's 1501 + 1401 more; 32, the field's name
    // and one, and at most 1,500 bytes of the value.
    let common = 1519 + (1519 + 2902) + 32 + 1 + 1500
    let fit = String(repeating: "n", count: 7680 - common)
    #expect(try refusal(of: Fields([(fit, text(5000))]), at: path) == nil)
    #expect(
      try refusal(of: Fields([(fit + "n", text(5000))]), at: path)
        == .indexEntryTooLarge(bytes: 7681))
  }

  @Test func `the index entries of a document have at most 8 MiB together`() throws {
    let name = String(repeating: "n", count: 1000)
    func array(_ count: Int) -> Fields {
      Fields([(name, .array((0..<count).map { .integer(Int64($0)) }))])
    }
    #expect(try refusal(of: array(7_000)) == nil)
    guard case .indexEntriesTooLarge? = try refusal(of: array(9_000)) else {
      Issue.record("accepted")
      return
    }
  }

  // MARK: Requests

  @Test func `a commit transforms a document at most 500 times`() throws {
    func write(_ path: String, _ count: Int) throws -> Write {
      Write(
        .update(try DocumentName(path: path), Fields(), mask: []),
        transforms: (0..<count).map {
          FieldTransform(FieldReference(segments: ["f\($0)"]), .increment(.integer(1)))
        })
    }
    #expect(refusal([try write("c/a", 500), try write("c/b", 500)]) == nil)
    guard
      case .write(.tooManyTransforms(501), _)? = refusal([
        try write("c/a", 300), try write("c/a", 201),
      ])
    else {
      Issue.record("accepted")
      return
    }
  }

  @Test func `a commit has at most 10 MiB`() throws {
    func writes(_ count: Int, _ bytes: Int) throws -> [Write] {
      try (0..<count).map {
        Write(.update(try DocumentName(path: "c/d\($0)"), Fields([("a", text(bytes))]), mask: nil))
      }
    }
    #expect(refusal(try writes(10, 1_000_000)) == nil)
    guard case .write(.requestTooLarge, _)? = refusal(try writes(12, 1_000_000)) else {
      Issue.record("accepted")
      return
    }
    #expect(try database.get(try DocumentName(path: "c/d11")) == nil)
    #expect(refusal(try writes(600, 100)) == nil, "there is no limit on the number of writes")
  }
}
