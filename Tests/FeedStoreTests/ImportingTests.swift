import DocumentDatabase
import FeedStore
import Testing

@Suite struct ImportingTests {
  private func documents(
    _ text: String, timestampFields: [String] = []
  ) throws(InputError) -> [ImportedDocument] {
    try DocumentImport(Array(text.utf8), timestampFields: timestampFields).documents
  }

  @Test(arguments: [
    ("{\"id\": \"a\", \"n\": 1}\n{\"id\": \"b\", \"n\": 2}\n", InputFormat.jsonLines),
    ("\u{FEFF}\n  [{\"id\": \"a\", \"n\": 1},\n {\"id\": \"b\", \"n\": 2}]", .jsonArray),
    ("id,n\r\na,1\r\nb,2\r\n", .csv),
    (
      """
      {"documents": [
        {"name": "projects/p/databases/(default)/documents/c/a", "fields": {"n": {"integerValue": "1"}}},
        {"name": "projects/p/databases/(default)/documents/c/b", "fields": {"n": {"integerValue": "2"}}}
      ], "nextPageToken": "x"}
      """, .restDocuments
    ),
    (
      """
      {"name": "projects/p/databases/(default)/documents/c/a", "fields": {"n": {"integerValue": "1"}}}
      {"name": "projects/p/databases/(default)/documents/c/b", "fields": {"n": {"integerValue": "2"}}}
      """, .restDocuments
    ),
    (
      """
      [{"document": {"name": "projects/p/databases/(default)/documents/c/a",
        "fields": {"n": {"integerValue": "1"}}, "createTime": "2026-01-01T00:00:00Z"},
        "readTime": "2026-01-01T00:00:00Z"},
       {"document": {"name": "projects/p/databases/(default)/documents/c/b",
        "fields": {"n": {"integerValue": "2"}}}, "readTime": "2026-01-01T00:00:00Z"},
       {"readTime": "2026-01-01T00:00:00Z"}]
      """, .restDocuments
    ),
  ])
  func `a format is recognised by its content`(text: String, format: InputFormat) throws {
    let source = try DocumentImport(Array(text.utf8))
    #expect(source.format == format)
    #expect(source.documents.map(\.id) == ["a", "b"])
    #expect(source.documents.map { $0.fields["n"] } == [.integer(1), .integer(2)])
  }

  @Test func `every JSON value keeps its kind`() throws {
    let text =
      #"{"a": null, "b": true, "c": -12, "d": 1.0, "e": 1e2, "f": "x\u00e9\ud83d\ude00\n","#
      + #" "g": [1, {"h": []}], "i": 9223372036854775808}"#
    let fields = try documents(text)[0].fields
    #expect(fields["a"] == .null)
    #expect(fields["b"] == .boolean(true))
    #expect(fields["c"] == .integer(-12))
    #expect(fields["d"] == .double(1))
    #expect(fields["e"] == .double(100))
    #expect(fields["f"] == .string("xé😀\n"))
    #expect(fields["g"] == .array([.integer(1), .map(Fields([("h", .array([]))]))]))
    #expect(fields["i"] == .double(9_223_372_036_854_775_808))
  }

  @Test func `every type of a REST document is read`() throws {
    let text = """
      {"name": "projects/p/databases/(default)/documents/users/u/posts/x", "fields": {
        "a": {"nullValue": null}, "b": {"booleanValue": false}, "c": {"integerValue": "-5"},
        "d": {"doubleValue": "NaN"}, "e": {"timestampValue": "2026-01-31T09:30:00.123456789Z"},
        "f": {"bytesValue": "AQI="},
        "g": {"referenceValue": "projects/p/databases/(default)/documents/c/d"},
        "h": {"geoPointValue": {"latitude": 1.5}},
        "i": {"arrayValue": {"values": [{"stringValue": "s"}]}}, "j": {"arrayValue": {}},
        "k": {"mapValue": {"fields": {"m": {"doubleValue": 2}}}},
        "l": {"mapValue": {"fields": {"__type__": {"stringValue": "__vector__"},
          "value": {"arrayValue": {"values": [{"doubleValue": 1}, {"doubleValue": 2.5}]}}}}}}}
      """
    let document = try documents(text)[0]
    let reference = try ResourceName(
      database: DatabaseName(project: "p"), document: DocumentName(path: "c/d"))
    #expect(document.id == "x")
    #expect(
      document.fields
        == Fields([
          ("a", .null), ("b", .boolean(false)), ("c", .integer(-5)), ("d", .double(.nan)),
          ("e", .timestamp(microseconds: 1_769_851_800_123_456)), ("f", .bytes([1, 2])),
          ("g", .reference(reference)), ("h", .geoPoint(latitude: 1.5, longitude: 0)),
          ("i", .array([.string("s")])), ("j", .array([])),
          ("k", .map(Fields([("m", .double(2))]))), ("l", .vector([1, 2.5])),
        ]))
  }

  @Test func `a CSV cell is a number, a boolean, absent, or text`() throws {
    let text = """
      id,int,double,flag,empty,quoted,zeros,text
      a,42,-1.5e3,true,,"42",007,"say ""hi"",
      twice"
      """
    let fields = try documents(text)[0].fields
    #expect(fields["int"] == .integer(42))
    #expect(fields["double"] == .double(-1500))
    #expect(fields["flag"] == .boolean(true))
    #expect(fields["empty"] == nil)
    #expect(fields["quoted"] == .string("42"))
    #expect(fields["zeros"] == .string("007"))
    #expect(fields["text"] == .string("say \"hi\",\ntwice"))
  }

  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0),
      ("2026-01-31", 1_769_817_600_000_000),
      ("2024-02-29T12:00Z", 1_709_208_000_000_000),
      ("2026-01-31 09:30:05.25+02:00", 1_769_844_605_250_000),
      ("1969-12-31T23:59:59.9999999Z", -1),
      ("0001-01-01T00:00:00Z", -62_135_596_800_000_000),
      ("9999-12-31T23:59:59.999999Z", 253_402_300_799_999_999),
    ] as [(String, Int64)])
  func `ISO 8601 text becomes microseconds`(text: String, microseconds: Int64) throws {
    let line = "{\"when\": \"\(text)\"}"
    let fields = try documents(line, timestampFields: ["when"])[0].fields
    #expect(fields["when"] == .timestamp(microseconds: microseconds))
  }

  @Test(arguments: [
    "2026-13-01", "2026-02-29", "2026-01-01T24:00Z", "2026-1-1", "yesterday",
    "9999-12-31T23:59:59-01:00", "0000-01-01", "2026-01-01T00:00:00.Z",
  ])
  func `text that is no timestamp is refused with its line`(text: String) {
    #expect(throws: InputError.notATimestamp(line: 2, field: "when", found: "\"\(text)\"")) {
      try documents(
        "{\"when\": null}\n{\"when\": \"\(text)\"}", timestampFields: ["when"])
    }
  }

  @Test func `text in a REST document becomes a timestamp where asked`() throws {
    let text =
      #"{"name": "projects/p/databases/d/documents/c/a", "fields": "#
      + #"{"when": {"stringValue": "1970-01-01"}, "then": {"timestampValue": "1970-01-01T00:00:01Z"}}}"#
    let fields = try documents(text, timestampFields: ["when", "then"])[0].fields
    #expect(fields["when"] == .timestamp(microseconds: 0))
    #expect(fields["then"] == .timestamp(microseconds: 1_000_000))
  }

  @Test func `a broken line is named and nothing is imported`() {
    let lines = (1...50).map { $0 == 37 ? "{\"n\": 37,}" : "{\"n\": \($0)}" }
    #expect(
      throws: InputError.syntax(
        line: 37, column: 10,
        .unexpected(UInt8(ascii: "}"), expected: "a name in quotes"))
    ) { try documents(lines.joined(separator: "\n")) }
  }

  @Test(
    arguments: [
      ("", InputError.empty),
      (" \n\n", .empty),
      ("[]", .empty),
      ("{\"documents\": []}", .empty),
      ("a,b\n", .empty),
      ("hello world", .unrecognised(start: "hello world")),
      ("{\"a\": 1}\n[2]", .notAnObject(line: 2, found: "an array")),
      ("[{\"a\": 1},\n 7]", .notAnObject(line: 2, found: "a number")),
      ("{\"a\": [[1]]}", .nestedArray(line: 1, field: "a")),
      ("{\"a\": 1, \"a\": 2}", .syntax(line: 1, column: 10, .nameTwice("a"))),
      ("{\"a\": 01}", .syntax(line: 1, column: 7, .leadingZero)),
      ("{\"a\": 1e999}", .syntax(line: 1, column: 7, .numberTooLarge("1e999"))),
      ("{\"a\": \"\\ud800\"}", .syntax(line: 1, column: 8, .loneSurrogate)),
      ("{\"a\": \"x\ty\"}", .syntax(line: 1, column: 9, .controlCharacter(9))),
      ("{\"a\":\n{\"a\": 1}", .syntax(line: 1, column: 6, .endsEarly)),
      (
        "{\n\"a\": 1,\n}\n",
        .syntax(line: 3, column: 1, .unexpected(125, expected: "a name in quotes"))
      ),
      ("{\"__x__\": 1}", .badFieldName(line: 1, name: "__x__")),
      ("{\"id\": \"a/b\"}", .badID(line: 1, field: "id", found: "\"a/b\"")),
      ("{\"id\": 1.5}", .badID(line: 1, field: "id", found: "a number")),
      ("{\"id\": \"a\"}\n\n{\"id\": \"a\"}", .idTwice("a", first: 1, second: 3)),
      ("1,2\n3,4", .csv(line: 1, .noHeader(cell: "1"))),
      ("a,2026-01-01\n3,4", .csv(line: 1, .noHeader(cell: "2026-01-01"))),
      ("a,,b\n1,2,3", .csv(line: 1, .emptyColumnName(column: 2))),
      ("a,b,a\n1,2,3", .csv(line: 1, .columnTwice("a", first: 1, second: 3))),
      ("a,b\n1,2\n3", .csv(line: 3, .wrongCellCount(1, columns: 2))),
      ("a,b\n1,\"2\n3", .csv(line: 2, .openQuote)),
      ("a,b\n1,\"2\"x", .csv(line: 2, .textAfterQuote)),
      ("a,b\n1,2\"3\"", .csv(line: 2, .strayQuote)),
      (
        "{\"name\": \"projects/p/databases/d/documents/c/a\", \"fields\": {\"n\": {\"integerValue\": \"x\"}}}",
        .typedValue(
          line: 1, RESTProblem(path: "n", expected: "a integerValue Firestore can read"))
      ),
    ] as [(String, InputError)])
  func `a mistake is named with its place`(text: String, error: InputError) {
    #expect(throws: error) { try documents(text) }
    #expect(!error.description.isEmpty)
  }

  @Test func `deep nesting is refused instead of exhausting the stack`() {
    let text = String(repeating: "[", count: 100_000)
    #expect(throws: InputError.syntax(line: 1, column: 66, .tooDeep)) { try documents(text) }
  }

  @Test func `a document without an id gets the same one every time`() throws {
    let text = "{\"n\": 1}\n{\"n\": 2}"
    let ids = try documents(text).map(\.id)
    #expect(Set(ids).count == 2)
    #expect(ids.allSatisfy { $0.count == 20 })
    #expect(try documents(text).map(\.id) == ids)
  }

  @Test func `a name goes before an id and is not a field`() throws {
    let document = try documents("{\"__name__\": \"posts/x\", \"id\": \"y\"}")[0]
    #expect(document.id == "x")
    #expect(document.fields == Fields([("id", .string("y"))]))
  }

  @Test func `ids that differ only in their bytes are two documents`() throws {
    #expect(try documents("{\"id\": \"\u{E9}\"}\n{\"id\": \"e\u{301}\"}").count == 2)
  }

  @Test func `fields inside maps are found by their path`() throws {
    let source = try DocumentImport(
      Array("{\"a\": {\"b c\": 1}}\n{\"a\": 2, \"d\": null}".utf8))
    #expect(source.fieldNames == ["a", "a.`b c`", "d"])
    #expect(try source.countOfDocuments(having: ["a.`b c`"]) == 1)
    #expect(try source.countOfDocuments(having: ["a", "d"]) == 1)
    #expect(try source.countOfDocuments(having: ["__name__"]) == 2)
    #expect(throws: InputError.badFieldPath("a..b")) {
      try source.countOfDocuments(having: ["a..b"])
    }
  }
}
