import FeedStore
import Observation

// A feed as tutorials for Firebase write it: the last document as the cursor, fifteen posts a page, the
// next page when the last row appears. Only the import differs, and the view is left out.

struct ArticlePost: Codable, Identifiable {
  @DocumentID var id: String?
  var title: String
  var createdAt: Date
}

@MainActor @Observable
final class ArticleFeedViewModel {
  private(set) var posts: [ArticlePost] = []
  private(set) var isLoading = false
  private(set) var canLoadMore = true
  private(set) var errorMessage: String?

  private let db: Firestore
  private let pageSize = 15
  private var lastDocument: DocumentSnapshot?

  init(db: Firestore = Firestore.firestore()) { self.db = db }

  func fetchNextPage() {
    guard !isLoading, canLoadMore else { return }
    isLoading = true
    var query: Query = db.collection("posts")
      .order(by: "createdAt", descending: true)
      .limit(to: pageSize)
    if let lastDocument { query = query.start(afterDocument: lastDocument) }
    query.getDocuments { snapshot, error in
      self.isLoading = false
      if let error {
        self.errorMessage = error.localizedDescription
        return
      }
      guard let snapshot else { return }
      self.posts += snapshot.documents.compactMap { try? $0.data(as: ArticlePost.self) }
      self.lastDocument = snapshot.documents.last
      self.canLoadMore = snapshot.documents.count == self.pageSize
    }
  }

  func rowAppeared(_ post: ArticlePost) {
    if post.id == posts.last?.id { fetchNextPage() }
  }
}
