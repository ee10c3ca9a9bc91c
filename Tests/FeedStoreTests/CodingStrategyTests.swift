import DocumentDatabase
import FeedStore
import Foundation
import Testing

/// Each strategy writes what it says and reads it back.
struct CodingStrategyTests {
  private struct When: Codable, Equatable { var at: Date }
  private struct Blob: Codable, Equatable { var content: Data }

  private static let date = Date(timeIntervalSince1970: 1_700_000_000)

  private static let formatter: DateFormatter = {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = TimeZone(secondsFromGMT: 0)
    formatter.dateFormat = "yyyy/MM/dd HH:mm:ss"
    return formatter
  }()

  private static func dates() -> [(
    FirebaseDataEncoder.DateEncodingStrategy, FirebaseDataDecoder.DateDecodingStrategy, Value
  )] {
    [
      (.timestamp, .timestamp, .timestamp(microseconds: 1_700_000_000_000_000)),
      (.deferredToDate, .deferredToDate, .double(date.timeIntervalSinceReferenceDate)),
      (.secondsSince1970, .secondsSince1970, .double(1_700_000_000)),
      (.millisecondsSince1970, .millisecondsSince1970, .double(1_700_000_000_000)),
      (.iso8601, .iso8601, .string("2023-11-14T22:13:20Z")),
      (.formatted(formatter), .formatted(formatter), .string("2023/11/14 22:13:20")),
      (
        .custom { date, encoder in
          var container = encoder.unkeyedContainer()
          try container.encode(date.timeIntervalSince1970)
        },
        .custom { decoder in
          var container = try decoder.unkeyedContainer()
          return Date(timeIntervalSince1970: try container.decode(Double.self))
        }, .array([.double(1_700_000_000)])
      ),
    ]
  }

  @Test(arguments: 0..<7)
  func `a date is written and read by its strategy`(index: Int) throws {
    let (writing, reading, value) = CodingStrategyTests.dates()[index]
    let encoder = Firestore.Encoder()
    encoder.dateEncodingStrategy = writing
    let decoder = Firestore.Decoder()
    decoder.dateDecodingStrategy = reading
    let original = When(at: CodingStrategyTests.date)
    #expect(try encoder.encodeFields(original).fields["at"] == value)
    #expect(try decoder.decode(When.self, from: encoder.encode(original)) == original)
  }

  @Test(arguments: 0..<4)
  func `data is written and read by its strategy`(index: Int) throws {
    let cases:
      [(
        FirebaseDataEncoder.DataEncodingStrategy, FirebaseDataDecoder.DataDecodingStrategy, Value
      )] = [
        (.blob, .blob, .bytes([1, 2])), (.base64, .base64, .string("AQI=")),
        (.deferredToData, .deferredToData, .array([.integer(1), .integer(2)])),
        (
          .custom { data, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(data.count)
          },
          .custom { decoder in
            Data(1...UInt8(try decoder.singleValueContainer().decode(Int.self)))
          }, .integer(2)
        ),
      ]
    let encoder = Firestore.Encoder()
    encoder.dataEncodingStrategy = cases[index].0
    let decoder = Firestore.Decoder()
    decoder.dataDecodingStrategy = cases[index].1
    let original = Blob(content: Data([1, 2]))
    #expect(try encoder.encodeFields(original).fields["content"] == cases[index].2)
    #expect(try decoder.decode(Blob.self, from: encoder.encode(original)) == original)
  }

  @Test func `text that a date or data strategy cannot read is corrupt data`() throws {
    let decoder = Firestore.Decoder()
    decoder.dataDecodingStrategy = .base64
    for strategy in [.iso8601, .formatted(CodingStrategyTests.formatter)]
      as [FirebaseDataDecoder.DateDecodingStrategy]
    {
      decoder.dateDecodingStrategy = strategy
      #expect(throws: DecodingError.self) { try decoder.decode(When.self, from: ["at": "soon"]) }
    }
    #expect(throws: DecodingError.self) { try decoder.decode(Blob.self, from: ["content": "?"]) }
  }

  @Test func `numbers that are not finite become the texts of the strategy`() throws {
    let encoder = Firestore.Encoder()
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "?")
    let decoder = Firestore.Decoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "+", negativeInfinity: "-", nan: "?")
    let data = try encoder.encode(["n": [Double.infinity, -.infinity, .nan, 1]])
    #expect((data["n"] as? [Any])?.prefix(3).map { $0 as? String } == ["+", "-", "?"])
    let numbers = try decoder.decode([String: [Double]].self, from: data)["n"] ?? []
    #expect(numbers.map { $0.isNaN ? "nan" : "\($0)" } == ["inf", "-inf", "nan", "1.0"])
    #expect(throws: DecodingError.self) { try decoder.decode([Double].self, from: ["!"]) }
  }

  @Test func `a stored NaN is read as it is`() throws {
    let decoded = try Firestore.Decoder().decode([Double].self, from: [Double.nan, .infinity])
    #expect(decoded[0].isNaN)
    #expect(decoded[1] == .infinity)
  }

  @Test func `snake case names apply to properties and not to the keys of dictionaries`() throws {
    struct Model: Codable, Equatable {
      struct Child: Codable, Equatable { var someValue: Int }
      var createdAt: Int
      var childByName: [String: Child]
      var lastURLSeen: String?
    }
    let original = Model(
      createdAt: 1, childByName: ["firstName": .init(someValue: 2)], lastURLSeen: "x")
    let encoder = Firestore.Encoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let fields = try encoder.encodeFields(original).fields
    #expect(fields.sorted.map(\.name) == ["child_by_name", "created_at", "last_url_seen"])
    #expect(
      fields["child_by_name"]
        == .map(Fields([("firstName", .map(Fields([("some_value", .integer(2))])))])))

    let decoder = Firestore.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let read = try decoder.decode(
      Model.self,
      from: ["created_at": 1, "child_by_name": ["firstName": ["some_value": 2]]])
    #expect(read == Model(createdAt: 1, childByName: original.childByName, lastURLSeen: nil))
  }

  @Test func `snake case applies to containers opened by hand`() throws {
    struct Model: Codable, Equatable {
      var someX: Int
      enum Outer: String, CodingKey { case innerMap }
      enum Inner: String, CodingKey { case someX }
      init(someX: Int) { self.someX = someX }
      init(from decoder: any Decoder) throws {
        someX = try decoder.container(keyedBy: Outer.self)
          .nestedContainer(keyedBy: Inner.self, forKey: .innerMap).decode(Int.self, forKey: .someX)
      }
      func encode(to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: Outer.self)
        var inner = outer.nestedContainer(keyedBy: Inner.self, forKey: .innerMap)
        try inner.encode(someX, forKey: .someX)
      }
    }
    let encoder = Firestore.Encoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let data = try encoder.encode(Model(someX: 1))
    #expect((data["inner_map"] as? [String: Any])?["some_x"] as? Int == 1)
    let decoder = Firestore.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    #expect(try decoder.decode(Model.self, from: data) == Model(someX: 1))
  }

  @Test(arguments: [
    ("simple", "simple"), ("twoWords", "two_words"), ("myURLProperty", "my_url_property"),
    ("_private", "_private"), ("trailing_", "trailing_"), ("already_snake", "already_snake"),
    ("A", "a"), ("__", "__"), ("address2Line", "address2_line"),
  ])
  func `a name becomes snake case as JSONEncoder has it`(name: String, snake: String) throws {
    let encoder = Firestore.Encoder()
    encoder.keyEncodingStrategy = .convertToSnakeCase
    let json = JSONEncoder()
    json.keyEncodingStrategy = .convertToSnakeCase
    struct Named: Encodable {
      let name: String
      func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: Key(stringValue: name))
      }
    }
    #expect(try encoder.encodeFields(Named(name: name)).fields.sorted.map(\.name) == [snake])
    #expect(
      try String(decoding: json.encode(Named(name: name)), as: UTF8.self) == "{\"\(snake)\":1}")
  }

  @Test(arguments: ["a_b", "_a_b_", "one_two_three", "fooBar", "__", "a__b", "created_At"])
  func `a snake case name becomes a key as JSONDecoder has it`(name: String) throws {
    struct Keys: Decodable {
      let names: [String]
      init(from decoder: any Decoder) throws {
        names = try decoder.container(keyedBy: Key.self).allKeys.map(\.stringValue)
      }
    }
    let decoder = Firestore.Decoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let json = JSONDecoder()
    json.keyDecodingStrategy = .convertFromSnakeCase
    let expected = try json.decode(Keys.self, from: Data("{\"\(name)\":1}".utf8)).names
    #expect(try decoder.decode(Keys.self, from: [name: 1]).names == expected)
  }

  @Test func `custom key strategies see the coding path`() throws {
    let encoder = Firestore.Encoder()
    encoder.keyEncodingStrategy = .custom { path in
      Key(stringValue: path.map(\.stringValue).joined(separator: "-"))
    }
    let original = When(at: CodingStrategyTests.date)
    struct Outer: Codable, Equatable { var first: When }
    let fields = try encoder.encodeFields(Outer(first: original)).fields
    #expect(
      fields["first"]
        == .map(Fields([("first-at", .timestamp(microseconds: 1_700_000_000_000_000))])))

    let decoder = Firestore.Decoder()
    decoder.keyDecodingStrategy = .custom { path in
      Key(stringValue: path.last.map { String($0.stringValue.reversed()) } ?? "")
    }
    let read = try decoder.decode(Outer.self, from: ["tsrif": ["ta": original.at]])
    #expect(read == Outer(first: original))
  }

  @Test func `types find the user info they were given`() throws {
    struct Probe: Codable, Equatable {
      let note: String?
      init(from decoder: any Decoder) throws {
        note = decoder.userInfo.values.first as? String
      }
      func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(encoder.userInfo.values.first as? String)
      }
    }
    let noteKey = try #require(CodingUserInfoKey(rawValue: "note"))
    let decoder = Firestore.Decoder()
    decoder.userInfo[noteKey] = "in"
    let probe = try decoder.decode(Probe.self, from: 1)
    #expect(probe.note == "in")
    let encoder = Firestore.Encoder()
    encoder.userInfo[noteKey] = "out"
    #expect(try encoder.encodeFields(["p": probe]).fields["p"] == .string("out"))
  }
}

/// A coding key for any name.
private struct Key: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}
