import DocumentDatabase
import FeedStore
import Foundation
import Testing

struct CodingPropertyWrapperTests {
  private struct Post: Codable, Hashable, Sendable {
    @DocumentID var id: String?
    @DocumentID var reference: DocumentReference?
    @ServerTimestamp var createdAt: Date?
    @ServerTimestamp var changedAt: Timestamp?
    @ExplicitNull var summary: String?
    var title: String
  }

  private let document = Firestore().document("posts/p1")

  @Test func `the id is filled from the document and missing fields are nil`() throws {
    let post = try Firestore.Decoder().decode(Post.self, from: ["title": "t"], in: document)
    #expect(post.id == "p1")
    #expect(post.reference == document)
    #expect(post.createdAt == nil)
    #expect(post.changedAt == nil)
    #expect(post.summary == nil)
  }

  @Test func `stored null is nil, stored values are read`() throws {
    let timestamp = Timestamp(seconds: 5, nanoseconds: 0)
    let post = try Firestore.Decoder().decode(
      Post.self,
      from: ["title": "t", "createdAt": NSNull(), "changedAt": timestamp, "summary": "s"],
      in: document)
    #expect(post.createdAt == nil)
    #expect(post.changedAt == timestamp)
    #expect(post.summary == "s")
  }

  @Test func `writing skips the id, asks for server times and writes null`() throws {
    let post = Post(
      id: "elsewhere", reference: document, createdAt: nil,
      changedAt: Timestamp(seconds: 5, nanoseconds: 0), summary: nil, title: "t")
    let encoded = try Firestore.Encoder().encodeFields(post)
    #expect(encoded.fields.sorted.map(\.name) == ["changedAt", "summary", "title"])
    #expect(encoded.fields["changedAt"] == .timestamp(microseconds: 5_000_000))
    #expect(encoded.fields["summary"] == .null)
    #expect(encoded.sentinels.map(\.field) == [FieldReference(segments: ["createdAt"])])
    #expect(encoded.sentinels.map(\.value) == [.serverTimestamp()])

    let data = try Firestore.Encoder().encode(post)
    #expect(data.keys.sorted() == ["changedAt", "createdAt", "summary", "title"])
    #expect(data["createdAt"] as? FieldValue == .serverTimestamp())
    #expect(data["summary"] is NSNull)
  }

  @Test func `sentinels are found at any depth of maps`() throws {
    struct Counter: Encodable { var count = FieldValue.increment(1) }
    let encoded = try Firestore.Encoder().encodeFields(["a": ["b": Counter()]])
    #expect(encoded.sentinels.map(\.field) == [FieldReference(segments: ["a", "b", "count"])])
    #expect(encoded.fields == Fields([("a", .map(Fields([("b", .map(Fields()))])))]))
  }

  @Test func `a stored field with the name of the id is a conflict`() throws {
    let error = try #require(
      #expect(throws: FirestoreDecodingError.self) {
        try Firestore.Decoder().decode(Post.self, from: ["id": 1, "title": "t"], in: document)
      })
    guard case .fieldNameConflict(let message) = error else {
      Issue.record("\(error)")
      return
    }
    #expect(message.contains("\"id\" of posts/p1"))
  }

  @Test func `an id needs a document and Firestore's own coders`() throws {
    let post = Post(id: nil, reference: nil, createdAt: nil, summary: nil, title: "t")
    #expect(throws: FirestoreDecodingError.self) {
      try Firestore.Decoder().decode(Post.self, from: ["title": "t"])
    }
    #expect(throws: FirestoreDecodingError.self) {
      try JSONDecoder().decode(Post.self, from: Data(#"{"title":"t"}"#.utf8))
    }
    #expect(throws: FirestoreEncodingError.self) { try JSONEncoder().encode(post) }
  }

  @Test func `wrappers in nested values know the document as well`() throws {
    struct Page: Decodable { var posts: [Post] }
    let page = try Firestore.Decoder().decode(
      Page.self, from: ["posts": [["title": "a"], ["title": "b"]]], in: document)
    #expect(page.posts.map(\.id) == ["p1", "p1"])
  }

  @Test func `explicit null works with other coders`() throws {
    struct Model: Codable, Equatable { @ExplicitNull var note: String? }
    let json = try JSONEncoder().encode(Model(note: nil))
    #expect(String(decoding: json, as: UTF8.self) == #"{"note":null}"#)
    #expect(try JSONDecoder().decode(Model.self, from: Data("{}".utf8)) == Model(note: nil))
    #expect(try JSONDecoder().decode(Model.self, from: Data(#"{"note":"x"}"#.utf8)).note == "x")
  }

  @Test func `a server time of the wrong type is a mismatch`() throws {
    #expect(throws: DecodingError.self) {
      try Firestore.Decoder().decode(Post.self, from: ["title": "t", "createdAt": 1], in: document)
    }
  }
}
