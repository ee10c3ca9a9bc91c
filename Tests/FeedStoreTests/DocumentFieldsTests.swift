import FeedStore
import Foundation
import Testing

/// Fields read as what they are, behind `metered`.
@Suite struct DocumentFieldsTests {
  let db = Firestore.fresh()

  private func fields(of data: [String: Any]) async throws -> DocumentFields {
    try await db.document("c/d").setData(data)
    return try await db.document("c/d").getDocument().metered.fields
  }

  @Test func `a field is read as the type it has`() async throws {
    let time = Timestamp(seconds: 5, nanoseconds: 6000)
    let other = db.document("c/other")
    let fields = try await fields(of: [
      "text": "x", "flag": true, "number": 7, "real": 0.5, "time": time, "tags": ["a", "b"],
      "none": [String](), "bytes": Data([1]), "point": GeoPoint(latitude: 1, longitude: 2),
      "link": other, "inner": ["text": "y", "a.b": 1],
    ])
    #expect(fields.string("text") == "x")
    #expect(fields.bool("flag") == true)
    #expect(fields.int("number") == 7 && fields.int64("number") == 7)
    #expect(fields.double("real") == 0.5)
    #expect(fields.timestamp("time") == time)
    #expect(fields.date("time") == time.dateValue())
    #expect(fields.microseconds("time") == 5_000_006)
    #expect(fields.strings("tags") == ["a", "b"] && fields.strings("none") == [])
    #expect(fields.data("bytes") == Data([1]))
    #expect(fields.geoPoint("point") == GeoPoint(latitude: 1, longitude: 2))
    #expect(fields.reference("link") == other)
    #expect(fields.map("inner")?.string("text") == "y")
    #expect(fields.map("inner")?.int("a.b") == 1)
  }

  @Test func `numbers convert where nothing is lost, as Codable has it`() async throws {
    let fields = try await fields(of: ["whole": 3.0, "part": 3.5, "huge": 1e300, "number": 4])
    #expect(fields.int("whole") == 3 && fields.int64("whole") == 3)
    #expect(fields.int("part") == nil && fields.int64("huge") == nil)
    #expect(fields.double("number") == 4)
  }

  @Test func `what is missing, null or of another type is nil`() async throws {
    let fields = try await fields(of: [
      "text": "1", "flag": true, "mixed": ["a", 1] as [Any], "null": NSNull(),
    ])
    #expect(fields.int("text") == nil && fields.double("text") == nil && fields.bool("text") == nil)
    #expect(fields.int("flag") == nil && fields.double("flag") == nil)
    #expect(fields.strings("mixed") == nil && fields.strings("text") == nil)
    #expect(fields.string("null") == nil && fields.map("null") == nil)
    #expect(fields.string("none") == nil && fields.string("") == nil)
    #expect(fields.timestamp("text") == nil && fields.reference("text") == nil)
  }

  @Test func `a missing document has no fields`() async throws {
    let fields = try await db.document("c/none").getDocument().metered.fields
    #expect(fields.string("text") == nil && fields.map("inner") == nil)
  }

  @Test func `a server timestamp that is pending is no time yet`() async throws {
    let db = Firestore.fresh()
    try await db.disableNetwork()
    db.document("c/d").setData(["at": FieldValue.serverTimestamp(), "text": "x"]) { _ in }
    let pending = try await db.document("c/d").getDocument(source: .cache).metered.fields
    #expect(pending.timestamp("at") == nil && pending.string("text") == "x")
  }
}
