import DocumentDatabase
import TestSupport
import Testing

/// Fields are found by name in their stored form.
@Suite struct EncodedMapTests {
  private func expectSame(_ map: EncodedMap, as fields: [String: Int64], missing: [String]) {
    for (name, value) in fields {
      #expect(map.place(of: name).flatMap { map.integer(at: $0) } == value, "\(name)")
    }
    for name in missing where fields[name] == nil { #expect(map.place(of: name) == nil, "\(name)") }
  }

  @Test(arguments: [0, 1, 2, 9, 16, 17, 60])
  func `a name is found in a map of any size, whatever was read before`(most: Int) {
    var random = Randomised.generator(case: most)
    // Few letters, so that names are prefixes of each other and share all but their last byte.
    var names = ["é", "éé", "名前", "a\u{0}", "published", "publisheD"]
    for _ in 0..<200 {
      let length = Int.random(in: 1...24, using: &random)
      names.append(String((0..<length).map { _ in Bool.random(using: &random) ? "a" : "b" }))
    }
    for _ in 0..<50 {
      var fields: [String: Int64] = [:]
      for _ in 0..<Int.random(in: 0...most, using: &random) {
        fields[names.randomElement(using: &random) ?? ""] = Int64.random(in: 0...99, using: &random)
      }
      let map = EncodedMap(encoding: Fields(fields.map { ($0, .integer($1)) }))
      expectSame(map, as: fields, missing: names)
    }
  }

  @Test func `a name is found behind values that need wide offsets`() {
    let long = Value.string(String(repeating: "x", count: 70_000))
    let map = EncodedMap(
      encoding: Fields([("a", long), ("b", .integer(1)), ("c", long), ("d", .integer(2))]))
    expectSame(map, as: ["b": 1, "d": 2], missing: ["", "e", "aa"])
  }

  @Test func `a name longer than any field's is not there`() {
    let map = EncodedMap(encoding: Fields([("a", .integer(1))]))
    #expect(map.place(of: String(repeating: "a", count: 65_537)) == nil)
    #expect(map.place(of: "") == nil)
  }

  @Test func `a read of one type leaves values of others`() {
    let fields = Fields([
      ("n", .null), ("t", .boolean(true)), ("f", .boolean(false)), ("i", .integer(-300)),
      ("d", .double(0.5)), ("s", .string("x")), ("w", .timestamp(microseconds: -1)),
      ("a", .array([.string("x"), .string("")])), ("m", .array([.string("x"), .null])),
    ])
    let map = EncodedMap(encoding: fields)
    for field in fields.sorted {
      guard let place = map.place(of: field.name) else {
        Issue.record("\(field.name) is missing")
        continue
      }
      #expect(map.isNull(at: place) == (field.name == "n"))
      #expect(map.boolean(at: place) == ["t": true, "f": false][field.name])
      #expect(map.integer(at: place) == ["i": -300][field.name])
      #expect(map.double(at: place) == ["d": 0.5][field.name])
      #expect(map.string(at: place) == ["s": "x"][field.name])
      #expect(map.timestamp(at: place) == ["w": -1][field.name])
      #expect(map.strings(at: place) == ["a": ["x", ""]][field.name])
      #expect(map.value(at: place).decoded == field.value)
    }
  }
}
