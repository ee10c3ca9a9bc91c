import FeedStore

// Client code as it is written for Firebase, with one import changed. That it compiles without a
// warning is half of the test; `FirebaseClientCodeTests` runs it.

struct ClientPost: Codable, Identifiable {
  @DocumentID var id: String?
  var title: String
  var likes: Int
  var createdAt: Date
}

@MainActor
final class ClientFeedModel {
  private let db: Firestore
  private(set) var posts: [ClientPost] = []
  private(set) var isLoading = false
  private(set) var errorMessage: String?
  private var lastDocument: DocumentSnapshot?

  init(db: Firestore) { self.db = db }

  func addPost(title: String) async throws {
    var data: [String: Any] = ["title": title, "likes": 0]
    data["createdAt"] = FieldValue.serverTimestamp()
    let reference = try await db.collection("posts").addDocument(data: data)
    data["slug"] = reference.documentID
    try await reference.setData(data, merge: true)
  }

  func like(_ post: ClientPost) async throws {
    guard let id = post.id else { return }
    try await db.collection("posts").document(id).updateData([
      "likes": FieldValue.increment(Int64(1)),
      FieldPath(["stats", "last.like"]): FieldValue.serverTimestamp(),
    ])
  }

  func loadNextPage() async {
    isLoading = true
    defer { isLoading = false }
    var query = db.collection("posts").order(by: "createdAt", descending: true).limit(to: 2)
    if let lastDocument { query = query.start(afterDocument: lastDocument) }
    do {
      let snapshot = try await query.getDocuments()
      posts += try snapshot.documents.map { try $0.data(as: ClientPost.self) }
      lastDocument = snapshot.documents.last
    } catch FirestoreErrorCode.unavailable {
      errorMessage = "You are offline."
    } catch {
      errorMessage = error.localizedDescription
    }
  }

  func loadWithCompletion(then done: @escaping () -> Void) {
    isLoading = true
    db.collection("posts").whereField("likes", isGreaterThanOrEqualTo: 0).getDocuments {
      snapshot, error in
      self.isLoading = false
      if let error {
        self.errorMessage = error.localizedDescription
      } else {
        self.posts = snapshot?.documents.compactMap { try? $0.data(as: ClientPost.self) } ?? []
      }
      done()
    }
  }
}

func clientSetUp() -> Firestore {
  let firestore = Firestore.firestore(database: "client")
  let settings = FirestoreSettings()
  settings.host = "localhost"
  settings.isPersistenceEnabled = true
  settings.cacheSizeBytes = FirestoreCacheSizeUnlimited
  firestore.settings = settings
  firestore.useEmulator(withHost: "127.0.0.1", port: 8080)
  return firestore
}

func clientReferences(_ db: Firestore) -> (CollectionReference, DocumentReference) {
  var collection = db.collection("my-collection")
  var document = collection.document("my-doc")
  document = db.document("my-collection/my-doc")
  collection = document.collection("some/deep/collection")
  if let parent = collection.parent { document = parent }
  return (collection, document)
}

func clientQuery(_ posts: CollectionReference) -> Query {
  let query = posts.whereField(FieldPath(["name"]), isEqualTo: "Fred")
    .whereField("age", isGreaterThanOrEqualTo: 24)
    .whereField("tags", arrayContains: "active")
    .whereField(FieldPath(["tags"]), arrayContainsAny: ["active", "squat"])
    .whereField("tags", in: ["active", "squat"])
    .whereField(FieldPath(["tags"]), notIn: ["active", "squat"])
    .whereField(FieldPath.documentID(), isNotEqualTo: "fred")
    .whereFilter(
      Filter.orFilter([
        Filter.whereField("age", isGreaterOrEqualTo: 24),
        Filter.andFilter([
          Filter.whereField("name", isEqualTo: "Fred"), Filter.whereField("age", isLessThan: 3.5),
        ]),
      ])
    )
    .order(by: FieldPath(["age"]))
    .order(by: "name", descending: true)
    .limit(to: 10)
    .limit(toLast: 10)
  return query.start(at: [24, "Fred"]).end(before: [30])
}

func clientWrites(_ document: DocumentReference, _ db: Firestore) {
  document.setData(["foo": 42, "bar": ["baz": "Hello world!"]])
  document.setData(["foo": 42]) { error in
    if let error { print("Uh oh! \(error)") }
  }
  document.setData(["foo": 43], merge: true)
  document.setData(["foo": 44, "unused": 1], mergeFields: ["foo", FieldPath(["bar", "baz"])])
  document.setData(["foo": 45, "unused": 1], mergeFields: ["foo"])
  document.updateData([
    "bar.baz": 42,
    FieldPath(["foobar"]): 42,
    "server_timestamp": FieldValue.serverTimestamp(),
    "array_union": FieldValue.arrayUnion(["a", "b"]),
    "array_remove": FieldValue.arrayRemove(["a", "b"]),
    "field_delete": FieldValue.delete(),
    "count": FieldValue.increment(1),
    "ratio": FieldValue.increment(0.5),
  ])
  let batch = db.batch()
  batch.setData(["a": "b"], forDocument: document, merge: true)
  batch.updateData(["c": "d"], forDocument: document)
  batch.deleteDocument(document.collection("sub").document("gone"))
  batch.commit()
  document.collection("sub").addDocument(data: ["x": 1])
}

func clientRead(_ document: DocumentReference, then done: @escaping (String) -> Void) {
  document.getDocument { document, error in
    if let document, document.exists {
      let value = document["foo"] as? Int ?? document.get("bar.baz") as? Int ?? -1
      done("\(value) of \(document.data()?.count ?? 0)")
    } else if let error {
      switch error {
      case FirestoreErrorCode.unavailable: done("offline")
      default: done("failed")
      }
    } else {
      done("missing")
    }
  }
}

func clientErrorKind(_ error: any Error) -> String {
  let nsError = error as NSError
  guard nsError.domain == FirestoreErrorDomain else { return "other" }
  if let code = FirestoreErrorCode.Code(rawValue: nsError.code), code == .notFound {
    return "notFound"
  }
  switch nsError.code {
  case FirestoreErrorCode.invalidArgument.rawValue: return "invalidArgument"
  default: return "failed"
  }
}

func clientAwaits(_ collection: CollectionReference) async throws -> Int {
  try await collection.getDocuments()
  try await collection.getDocuments(source: .server)
  let document = try await collection.addDocument(data: [:])
  try await document.setData([:])
  try await document.setData(["a": 1], merge: true)
  try await document.setData(["a": 1], mergeFields: ["a"])
  try await document.updateData(["a": 2])
  try await document.getDocument()
  try await document.getDocument(source: FirestoreSource.default)
  let count = try await collection.count.getAggregation(source: .server).count.intValue
  try await document.delete()
  return count
}
