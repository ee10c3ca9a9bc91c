import DocumentDatabase
import FeedStore
import Testing

@Suite struct BoxingTests {
  let db = Firestore.fresh()

  /// Writes one value and reads it back.
  private func stored(_ value: Any) throws(FirestoreErrorCode) -> Value? {
    let write = try db.document("c/d").replacing(with: ["v": value]).get()
    guard case .update(_, let fields, _) = write.operation else { return nil }
    return fields["v"]
  }

  private func mistake(_ value: Any) -> String {
    do throws(FirestoreErrorCode) {
      return "stored \(String(describing: try stored(value)))"
    } catch {
      return error.message
    }
  }

  @Test func `every Swift type has its Firestore type`() throws {
    let absent: String? = nil
    let table: [(Any, Value)] = [
      (NSNull(), .null), (absent as Any, .null), (String??.some(nil) as Any, .null),
      (true, .boolean(true)), (NSNumber(value: false), .boolean(false)),
      (7, .integer(7)), (Int8(-7), .integer(-7)), (UInt16(7), .integer(7)),
      (UInt64(7), .integer(7)), (Int64.min, .integer(.min)), (NSNumber(value: 1), .integer(1)),
      (NSNumber(value: Int64.max), .integer(.max)), (7.0, .double(7)), (Float(0.5), .double(0.5)),
      (NSNumber(value: 1.0), .double(1)), (NSNumber(value: Double.infinity), .double(.infinity)),
      (NSNumber(value: 1e300), .double(1e300)), (NSDecimalNumber(string: "2"), .double(2)),
      (Decimal(2), .double(2)), (Optional<Int>.some(3) as Any, .integer(3)),
      (Optional<NSNumber>.some(NSNumber(value: true)) as Any, .boolean(true)),
      ("é", .string("é")), (NSString("é"), .string("é")),
      (Date(timeIntervalSince1970: 1.5), .timestamp(microseconds: 1_500_000)),
      (Timestamp(seconds: -1, nanoseconds: 999_999_999), .timestamp(microseconds: -1)),
      (Data([1, 255]), .bytes([1, 255])),
      (GeoPoint(latitude: 1, longitude: -2), .geoPoint(latitude: 1, longitude: -2)),
      (VectorValue([1, 2]), .vector([1, 2])), (FieldValue.vector([Float(0.5)]), .vector([0.5])),
      ([1, "a"] as [Any], .array([.integer(1), .string("a")])),
      (NSArray(array: [1]), .array([.integer(1)])),
      ([1, nil] as [Int?], .array([.integer(1), .null])),
      (["k": [1]], .map(Fields([("k", .array([.integer(1)]))]))),
      ([["k": [1]]], .array([.map(Fields([("k", .array([.integer(1)]))]))])),
      (db.document("a/b"), .reference(try db.document("a/b").resourceName)),
    ]
    for (any, value) in table {
      #expect(try stored(any) == value, "\(type(of: any)) \(any)")
    }
  }

  @Test func `data() gives values that can be written back unchanged`() throws {
    let fields = Fields([
      ("null", .null), ("yes", .boolean(true)), ("no", .boolean(false)), ("one", .integer(1)),
      ("max", .integer(.max)), ("real", .double(1)), ("nan", .double(.nan)),
      ("zero", .double(-0.0)), ("time", .timestamp(microseconds: -1)), ("text", .string("a.b")),
      ("bytes", .bytes([0, 1])), ("ref", .reference(try db.document("a/b").resourceName)),
      ("point", .geoPoint(latitude: 1.5, longitude: 2)), ("vector", .vector([0.1])),
      ("array", .array([.boolean(true), .map(Fields([("in.ner", .array([.null]))]))])),
      ("map", .map(Fields([("empty", .map(Fields()))]))),
    ])
    let data = EncodedMap(encoding: fields).unboxed(in: db)
    #expect(data.count == fields.count)
    for field in fields.sorted {
      let value = try #require(data[field.name])
      #expect(try stored(value) == field.value, "\(field.name)")
    }
  }

  @Test func `a stored number casts to every Swift number type that holds it`() async throws {
    let document = db.document("c/d")
    try await document.setData(["whole": 3, "real": 3.5, "flag": true, "none": NSNull()])
    let snapshot = try await document.getDocument()
    #expect(snapshot["whole"] as? Int == 3)
    #expect(snapshot["whole"] as? Int64 == 3)
    #expect(snapshot["whole"] as? Double == 3)
    #expect(snapshot["real"] as? Double == 3.5)
    #expect(snapshot["real"] as? Int == nil)
    #expect(snapshot["flag"] as? Bool == true)
    #expect(snapshot["flag"] as? Int == 1)
    #expect(snapshot["none"] is NSNull)
    #expect(snapshot["absent"] == nil)
  }

  @Test func `what Firestore cannot hold is refused with its field and its type`() {
    struct Opinion {}
    #expect(mistake(Opinion()).contains("Opinion (in field v)"))
    #expect(mistake(["k": Opinion()]).contains("(in field v.k)"))
    #expect(mistake([1: "a"]).contains("Dictionary<Int, String>"))
    #expect(mistake(UInt64.max).contains("18446744073709551615 (in field v) is too large"))
    #expect(mistake(NSNumber(value: UInt64.max)).contains("too large"))
    #expect(mistake([[1]]).contains("Nested arrays are not supported (in field v)"))
    #expect(mistake([["a"]]).contains("Nested arrays are not supported (in field v)"))
    #expect(mistake(["k": ["": 1]]).contains("field name is empty (in field v.k)"))
    #expect(mistake(["": 1]).contains("field name is empty (in field v)"))
    #expect(mistake(GeoPoint(latitude: 91, longitude: 0)).contains("outside latitudes"))
    #expect(mistake(GeoPoint(latitude: .nan, longitude: 0)).contains("outside latitudes"))
    #expect(mistake(Timestamp(seconds: 253_402_300_800, nanoseconds: 0)).contains("1 to 9999"))
    #expect(mistake(Timestamp(seconds: 0, nanoseconds: -1)).contains("nanoseconds"))
    #expect(mistake(Date.distantFuture.addingTimeInterval(1e300)).contains("1 to 9999"))
    #expect(mistake(Date(timeIntervalSince1970: .nan)).contains("1 to 9999"))
  }

  @Test func `fields are taken in the order of their bytes, many or few, whatever they start with`()
    throws
  {
    for count in [0, 1, 2, 9, 32, 33, 100] {
      let names = (0..<count).map { "\($0.isMultiple(of: 3) ? "description" : "")\($0 * 7 % 101)" }
      let data = [String: Any](uniqueKeysWithValues: names.map { ($0, ["in": $0, "at": 1]) })
      let write = try db.document("c/d").replacing(with: data).get()
      guard case .update(_, let fields, _) = write.operation else { return }
      let sorted = names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) }
      #expect(fields.sorted.map { Array($0.name.utf8) } == sorted)
      for name in names {
        #expect(fields[name] == .map(Fields([("at", .integer(1)), ("in", .string(name))])))
      }
    }
  }

  @Test func `a reference into another database is refused with both names`() {
    let other = Firestore(name: DatabaseName(project: "feedstore", database: "other"))
    let words = mistake(["deep": [other.document("a/b")]])
    #expect(words.contains("databases/other") && words.contains("databases/(default)"))
    #expect(mistake(FieldValue.arrayUnion([other.document("a/b")])).contains("databases/other"))
    #expect(mistake(db.document("a")).contains("even number"))
  }
}
