import FeedStore
import Foundation

/// How the documents of a page are taken out of a snapshot.
enum Decoding: String, CaseIterable {
  /// Snapshots that own their bytes; no field is decoded.
  case lazy
  /// Into a struct, field by field.
  case `struct`
  /// Into a struct by `Codable`.
  case codable
}

struct WrongAnswer: Error, CustomStringConvertible {
  let description: String
}

/// The operations of the workload on one store.
struct FeedOperations {
  let db: Firestore
  let decoding: Decoding
  private let posts: CollectionReference
  private let feed: Query

  init(_ db: Firestore, decoding: Decoding) {
    self.db = db
    self.decoding = decoding
    posts = db.collection("posts")
    feed = posts.order(by: "createdAt", descending: true).order(
      by: FieldPath.documentID(), descending: true
    ).limit(to: FeedWorkload.pageSize)
  }

  /// Runs each kind of query once, so that its index exists before the first document does.
  func makeIndexes() async throws {
    _ = try await page()
    _ = try await page(author: "user0000")
    _ = try await countWithTenLikes()
  }

  // MARK: Reading

  func page(after cursor: DocumentSnapshot? = nil) async throws -> QuerySnapshot {
    try await run(after(cursor, feed))
  }

  func page(author: String, after cursor: DocumentSnapshot? = nil) async throws -> QuerySnapshot {
    try await run(after(cursor, feed.whereField("author", isEqualTo: author)))
  }

  func page(offset: Int) async throws -> QuerySnapshot {
    try await run(feed.metered.offset(offset))
  }

  private func after(_ cursor: DocumentSnapshot?, _ query: Query) -> Query {
    cursor.map { query.start(afterDocument: $0) } ?? query
  }

  private func run(_ query: Query) async throws -> QuerySnapshot {
    let snapshot = try await query.getDocuments()
    switch decoding {
    case .lazy: break
    case .struct: for document in snapshot.documents { _ = FeedPost(document) }
    case .codable:
      for document in snapshot.documents { _ = try document.data(as: StoredPost.self) }
    }
    return snapshot
  }

  func countAll() async throws -> AggregateQuerySnapshot { try await count(posts) }

  func count(author: String) async throws -> AggregateQuerySnapshot {
    try await count(posts.whereField("author", isEqualTo: author))
  }

  func countWithTenLikes() async throws -> AggregateQuerySnapshot {
    try await count(posts.whereField("likes", isGreaterThanOrEqualTo: 10))
  }

  private func count(_ query: Query) async throws -> AggregateQuerySnapshot {
    try await query.count.getAggregation(source: .server)
  }

  func get(_ id: String) async throws -> DocumentSnapshot {
    let snapshot = try await posts.document(id).getDocument()
    switch decoding {
    case .lazy: break
    case .struct: _ = FeedPost(snapshot)
    case .codable: _ = try snapshot.data(as: StoredPost.self)
    }
    return snapshot
  }

  // MARK: Writing

  func write(_ batch: [FeedPost]) async throws {
    let writes = db.batch()
    for post in batch { writes.setData(post.fields, forDocument: posts.document(post.id)) }
    try await writes.commit()
  }

  func update(_ id: String, likes: Int64) async throws {
    try await posts.document(id).updateData(["likes": likes])
  }

  static func timestamp(_ microseconds: Int64) -> Timestamp {
    Timestamp(
      seconds: microseconds / 1_000_000, nanoseconds: Int32(microseconds % 1_000_000) * 1000)
  }
}

/// A post as `Codable` reads it.
private struct StoredPost: Codable {
  var id: String
  var createdAt: Timestamp
  var author: String
  var title: String
  var body: String
  var likes: Int64
  var score: Double
  var tags: [String]
  var published: Bool
}

extension FeedPost {
  var fields: [String: Any] {
    [
      "id": id, "createdAt": FeedOperations.timestamp(createdAt), "author": author,
      "title": title, "body": body, "likes": likes, "score": score, "tags": tags,
      "published": published,
    ]
  }

  /// The document field by field; nil where it is no post.
  init?(_ document: DocumentSnapshot) {
    let fields = document.metered.fields
    guard let id = fields.string("id"), let createdAt = fields.microseconds("createdAt"),
      let author = fields.string("author"), let title = fields.string("title"),
      let body = fields.string("body"), let likes = fields.int64("likes"),
      let score = fields.double("score"), let tags = fields.strings("tags"),
      let published = fields.bool("published")
    else { return nil }
    self.init(
      id: id, createdAt: createdAt, author: author, title: title, body: body, likes: likes,
      score: score, tags: tags, published: published)
  }
}
