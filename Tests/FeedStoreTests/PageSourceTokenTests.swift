import DocumentDatabase
import FeedPaging
import FeedStore
import Foundation
import Testing

struct PageSourceTokenTests {
  private static let id: @Sendable (QueryDocumentSnapshot) -> String = { $0.documentID }

  /// A feed whose ordered field has a value of every type, and its ids in order.
  private func mixedFeed() async throws -> (Firestore, Query, [String]) {
    let db = Firestore()
    let values: [Any] = [
      NSNull(), false, true, Double.nan, -Double.infinity, -1, 0.5, 1, 1.0, Int64.max,
      Timestamp(seconds: -1, nanoseconds: 1000), "", "a", "a\u{0}b", "é", "🐵", Data(),
      Data([0, 255]), db.document("users/u"), GeoPoint(latitude: -1.5, longitude: 2), [Any](),
      [1, "x", ["k": [2]]] as [Any], VectorValue([]), VectorValue([1, 2]), [String: Any](),
      ["a": ["b": NSNull()]],
    ]
    for (number, value) in values.enumerated() {
      for twin in ["a", "b"] {
        try await db.collection("mixed").document(String(format: "%02d\(twin)", number))
          .setData(["value": value])
      }
    }
    let query = db.collection("mixed").order(by: "value")
    return (db, query, try await query.getDocuments().documents.map(\.documentID))
  }

  @Test func `a token continues at every row, after a trip through text`() async throws {
    let (_, query, all) = try await mixedFeed()
    #expect(all.count == 52)
    let source = PageTokenSource(query, decode: Self.id)
    for cut in 1..<all.count {
      let token = try #require(try await source.page(after: nil, limit: cut).next)
      let copy = try #require(PageToken(token.description))
      let json = try JSONDecoder().decode([PageToken].self, from: JSONEncoder().encode([token]))
      #expect(json == [token])
      // A source made anew stands for another process.
      let rest = try await PageTokenSource(query, decode: Self.id).page(after: copy, limit: 100)
      #expect(rest.items == Array(all[cut...]), "after \(cut) rows")
    }
  }

  @Test func `a token is refused for another query, by name`() async throws {
    let (db, query, _) = try await mixedFeed()
    let token = try #require(
      try await PageTokenSource(query, decode: Self.id).page(after: nil, limit: 3).next)
    let others = [
      db.collection("mixed").order(by: "value", descending: true), db.collection("mixed"),
      db.collection("other").order(by: "value"), query.whereField("value", isGreaterThan: 1),
      query.order(by: FieldPath.documentID(), descending: true), db.collectionGroup("mixed"),
    ]
    db.readMeter.reset()
    for other in others {
      let source = PageTokenSource(other, decode: Self.id)
      let error = try await #require(
        #expect(throws: PageTokenError.self) { try await source.page(after: token, limit: 3) })
      guard case .invalidCursor(token, let name, .madeForAnotherQuery) = error else {
        Issue.record("\(error)")
        continue
      }
      #expect(error.description.contains(name))
    }
    #expect(db.readMeter.operationCount == 0)
    let limited = PageTokenSource(query.limit(to: 1), decode: Self.id)
    #expect(try await limited.page(after: token, limit: 3).items.count == 3)
  }

  @Test func `a token that was cut or altered is refused`() async throws {
    let (_, query, _) = try await mixedFeed()
    let source = PageTokenSource(query, decode: Self.id)
    let token = try #require(try await source.page(after: nil, limit: 44).next)
    func reason(_ token: PageToken) async -> PageTokenError.Reason? {
      do {
        _ = try await source.page(after: token, limit: 1)
      } catch PageTokenError.invalidCursor(_, _, let reason) {
        return reason
      } catch {
        Issue.record("\(error)")
      }
      return nil
    }
    for length in 0..<token.payload.count {
      let cut = PageToken(version: token.version, payload: Array(token.payload.prefix(length)))
      #expect(await reason(cut) == .damaged)
    }
    for index in token.payload.indices {
      var altered = token
      altered.payload[index] ^= 0x10
      #expect(await reason(altered) == .damaged)
    }
    #expect(await reason(PageToken(version: 9, payload: token.payload)) == .unknownVersion(9))
  }
}
