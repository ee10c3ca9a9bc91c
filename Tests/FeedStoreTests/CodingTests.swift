import DocumentDatabase
import FeedStore
import Foundation
import Testing

/// What is written is what is read back.
struct CodingRoundTripTests {
  @Test func `every type that Firestore knows survives a round trip as the value it stands for`()
    throws
  {
    let original = try Everything.sample()
    let document = try Firestore.Encoder().encodeFields(original)
    let fields = document.fields
    #expect(document.sentinels.isEmpty)
    #expect(fields["flag"] == .boolean(true))
    #expect(fields["small"] == .integer(-8))
    #expect(fields["large"] == .integer(.max))
    #expect(fields["unsigned"] == .integer(7))
    #expect(fields["real"] == .double(0.1))
    #expect(fields["float"] == .double(0.5))
    #expect(fields["text"] == .string("Łukasiewicz 🐵"))
    #expect(fields["date"] == .timestamp(microseconds: 1_700_000_000_123_457))
    #expect(fields["timestamp"] == .timestamp(microseconds: -1))
    #expect(fields["data"] == .bytes([0, 255]))
    #expect(fields["url"] == .string("https://example.org/a?b=c"))
    #expect(fields["decimal"] == .double(0.1))
    #expect(fields["point"] == .geoPoint(latitude: 1.5, longitude: -2))
    #expect(fields["vector"] == .vector([1, 2]))
    #expect(fields["numbers"] == .array([.integer(1), .integer(2)]))
    #expect(fields["color"] == .string("red"))
    #expect(fields["present"] == .string("here"))
    #expect(fields["absent"] == nil)
    #expect(fields["inner"] == .map(Fields([("name", .string("in")), ("tags", .array([]))])))
    let byName = Fields([
      ("a.b", .map(Fields([("name", .string("x")), ("tags", .array([.string("t")]))])))
    ])
    #expect(fields["byName"] == .map(byName))

    let stored = EncodedMap(encoding: Fields([("", .map(fields))])).value(at: 0)
    let owner = original.link.firestore.document("posts/p1")
    #expect(try Firestore.Decoder().decode(Everything.self, from: stored, in: owner) == original)
  }

  @Test func `data made for setData decodes to the same value`() throws {
    let original = try Everything.sample()
    let data = try Firestore.Encoder().encode(original)
    #expect(data["link"] as? DocumentReference == original.link)
    #expect(data["timestamp"] as? Timestamp == original.timestamp)
    #expect(data["data"] as? Data == original.data)
    #expect(try Firestore.Decoder().decode(Everything.self, from: data) == original)
  }

  @Test(arguments: [-62_135_596_800_000_000, -1, 0, 1, 1_700_000_000_999_999])
  func `a date is the one its timestamp gives`(microseconds: Int64) throws {
    let stored = EncodedMap(encoding: Fields([("", .timestamp(microseconds: microseconds))]))
    let date = try Firestore.Decoder().decode(Date.self, from: stored.value(at: 0), in: nil)
    #expect(date == Timestamp(microseconds: microseconds).dateValue())
  }

  @Test func `an integer is read from a whole double, a double from an integer`() throws {
    struct Model: Codable, Equatable {
      var whole: Int
      var real: Double
      var float: Float
      var byte: UInt8
    }
    let read = try Firestore.Decoder().decode(
      Model.self, from: ["whole": 3.0, "real": 4, "float": 5, "byte": 255])
    #expect(read == Model(whole: 3, real: 4, float: 5, byte: 255))
  }

  @Test func `a decimal is the number its digits say`() throws {
    let decoder = Firestore.Decoder()
    let inputs: [Any] = [3.133, 7, "12345678901234567890.5"]
    let texts = ["3.133", "7", "12345678901234567890.5"]
    for (input, text) in zip(inputs, texts) {
      #expect(try decoder.decode(Decimal.self, from: input).description == text)
    }
    #expect(
      try Firestore.Encoder().encodeFields(["n": Decimal(9_007_199_254_740_993)]).fields["n"]
        == .integer(9_007_199_254_740_993))
  }

  @Test func `an optional at the top is nil where the data is null`() throws {
    #expect(try Firestore.Decoder().decode(Inner?.self, from: NSNull()) == nil)
    let inner = try Firestore.Decoder().decode(Inner?.self, from: ["name": "n", "tags": ["t"]])
    #expect(inner == Inner(name: "n", tags: ["t"]))
  }

  @Test func `classes with a superclass keep both halves`() throws {
    let fields = try Firestore.Encoder().encodeFields(Derived(base: 1, own: 2)).fields
    #expect(fields["super"] == .map(Fields([("base", .integer(1))])))
    let read = try Firestore.Decoder().decode(
      Derived.self, from: ["own": 2, "super": ["base": 1]])
    #expect(read.base == 1)
    #expect(read.own == 2)
  }

  @Test func `nested containers are written and read in place`() throws {
    let original = Nested(x: 1, y: 2, list: [[1], [2, 3]].map(Nested.Row.init))
    let data = try Firestore.Encoder().encode(original)
    #expect((data["position"] as? [String: Any])?["y"] as? Int == 2)
    #expect(try Firestore.Decoder().decode(Nested.self, from: data) == original)
  }

  @Test func `an array may hold a map that holds an array`() throws {
    let original = [["a": [1, 2]]]
    let fields = try Firestore.Encoder().encodeFields(["list": original]).fields
    #expect(
      fields["list"]
        == .array([.map(Fields([("a", .array([.integer(1), .integer(2)]))]))]))
  }

  @Test func `an enumeration with payloads survives a round trip`() throws {
    let original = ["a": Shape.circle(radius: 2), "b": .square(side: 3, name: nil), "c": .none]
    let data = try Firestore.Encoder().encode(original)
    #expect(try Firestore.Decoder().decode([String: Shape].self, from: data) == original)
  }
}

/// Refusals name the place and the reason.
struct CodingErrorTests {
  private struct Model: Codable {
    var items: [Item]
    struct Item: Codable { var count: Int8 }
  }

  private func failure<T: Decodable>(_ type: T.Type, _ data: Any) throws -> DecodingError {
    try #require(
      #expect(throws: DecodingError.self) { try Firestore.Decoder().decode(type, from: data) })
  }

  @Test func `a missing field is named, with those that are there`() throws {
    let error = try failure(Model.self, ["items": [["Count": 1, "other": 2]]])
    guard case .keyNotFound(let key, let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(key.stringValue == "count")
    #expect(context.codingPath.map(\.stringValue) == ["items", "Index 0"])
    #expect(context.codingPath.last?.intValue == 0)
    #expect(context.debugDescription.contains("has no field \"count\"; it has: Count, other."))
  }

  @Test(arguments: [200.0, 1.5, -129, .infinity, .nan])
  func `a number that does not fit says so`(number: Double) throws {
    let error = try failure(Model.self, ["items": [["count": 1], ["count": number]]])
    guard case .dataCorrupted(let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.codingPath.map(\.stringValue) == ["items", "Index 1", "count"])
    #expect(context.debugDescription.contains("does not fit in Int8"))
  }

  @Test func `a double too large for a float is refused, not made infinite`() throws {
    guard case .dataCorrupted = try failure([Float].self, [1e300]) else {
      Issue.record("accepted")
      return
    }
  }

  @Test func `a value of another type is named with what it holds`() throws {
    let error = try failure(Model.self, ["items": [["count": "one"]]])
    guard case .typeMismatch(let type, let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(type is Int8.Type)
    #expect(context.codingPath.map(\.stringValue) == ["items", "Index 0", "count"])
    #expect(context.debugDescription.contains("holds a string, where Int8 is expected"))
  }

  @Test func `an element of another type is named with its index`() throws {
    struct Tagged: Decodable { var tags: [String] }
    let error = try failure(Tagged.self, ["tags": ["a", 1] as [Any]])
    guard case .typeMismatch(let type, let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(type is String.Type)
    #expect(context.codingPath.map(\.stringValue) == ["tags", "Index 1"])
  }

  @Test func `null where a value is needed is a missing value`() throws {
    for type in [String.self, Date.self, Inner.self, [Int].self] as [any Decodable.Type] {
      guard case .valueNotFound = try failure(type, NSNull()) else {
        Issue.record("\(type)")
        continue
      }
    }
  }

  @Test func `a map is not an array, nor a boolean a number`() throws {
    let cases: [(any Decodable.Type, Any)] = [
      ([Int].self, [String: Any]()), (Inner.self, [Any]()), (Int.self, true), (Bool.self, 1),
      (String.self, 1), (Date.self, "2026-01-01T00:00:00Z"), (Data.self, "AA=="), (URL.self, 1),
      (GeoPoint.self, [1.0, 2.0]), (Timestamp.self, 0), (VectorValue.self, [1.0]),
      (DocumentReference.self, "posts/p1"), (Decimal.self, true),
    ]
    for (type, data) in cases {
      guard case .typeMismatch = try failure(type, data) else {
        Issue.record("\(type)")
        continue
      }
    }
  }

  @Test func `reading past the end of an array is a missing value`() throws {
    struct Pair: Decodable {
      init(from decoder: any Decoder) throws {
        var container = try decoder.unkeyedContainer()
        for _ in 0..<3 { _ = try container.decode(Int.self) }
      }
    }
    guard case .valueNotFound(_, let context) = try failure(Pair.self, [1, 2]) else {
      Issue.record("accepted")
      return
    }
    #expect(context.debugDescription.contains("2 elements"))
  }

  @Test func `a document is named in the words of an error`() throws {
    let document = Firestore().document("posts/p1")
    let error = try #require(
      #expect(throws: DecodingError.self) {
        try Firestore.Decoder().decode([String: Int].self, from: ["a": "b"], in: document)
      })
    guard case .typeMismatch(_, let context) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(context.debugDescription.hasPrefix("Field \"a\" of posts/p1"))
  }

  @Test func `what Firestore cannot hold is refused on writing, with its path`() throws {
    func path(_ value: some Encodable) -> [String]? {
      do {
        _ = try Firestore.Encoder().encode(value)
      } catch EncodingError.invalidValue(_, let context) {
        return context.codingPath.map(\.stringValue)
      } catch {
        Issue.record("\(error)")
      }
      return nil
    }
    #expect(path(["a": ["b": UInt64.max]]) == ["a", "b"])
    #expect(path(["a": [1, Double.nan]]) == ["a", "Index 1"])
    #expect(path(["a": Float.infinity]) == ["a"])
    #expect(path(["a": Date.distantFuture.addingTimeInterval(1e12)]) == ["a"])
    #expect(path(["a": Timestamp(seconds: 0, nanoseconds: -1)]) == ["a"])
    #expect(path(["a": ["b": [FieldValue.serverTimestamp()]]]) == ["a", "b"])
    #expect(path(["a": [[1]]]) == ["a"])
    #expect(path(["a": ["": 1]]) == ["a"])
    #expect(path(["a": GeoPoint(latitude: 91, longitude: 0)]) == ["a"])
    #expect(path([1, 2]) == [])
    #expect(path("text") == [])
    #expect(path(FieldValue.delete()) == [])
  }
}
