import FeedStore
import Synchronization

extension Firestore {
  /// An empty database whose clock advances by a second per reading and whose ids count up.
  static func fresh() -> Firestore {
    let clock = Mutex(Int64(1_700_000_000))
    let ids = Mutex(0)
    return Firestore(
      now: {
        clock.withLock { seconds in
          seconds += 1
          return seconds * 1_000_000
        }
      },
      makeDocumentID: {
        ids.withLock { count in
          count += 1
          return "auto\(count)"
        }
      })
  }

  /// Five posts: a has score 1, b and c tie at 2, d has 3, e has no score.
  static func withPosts() -> Firestore {
    let db = Firestore.fresh()
    let posts = db.collection("posts")
    posts.document("a").setData(["score": 1, "kind": "x", "tags": ["red"]])
    posts.document("b").setData(["score": 2, "kind": "y", "tags": ["red", "blue"]])
    posts.document("c").setData(["score": 2, "kind": "x", "tags": ["blue"]])
    posts.document("d").setData(["score": 3, "kind": "y", "tags": [String]()])
    posts.document("e").setData(["kind": "x"])
    return db
  }
}

extension Query {
  /// The ids of the documents, in order, as one text.
  func ids() async throws -> String {
    try await getDocuments().documents.map(\.documentID).joined()
  }

  /// The message of the error that running the query throws, which must be `.invalidArgument`.
  func mistake() async -> String {
    do {
      try await getDocuments()
      return "no error"
    } catch let error as FirestoreErrorCode {
      return error.code == .invalidArgument ? error.message : "\(error)"
    } catch {
      return "\(error)"
    }
  }
}
