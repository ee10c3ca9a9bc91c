import FeedPaging
import ReadBilling

struct Post: Codable, Identifiable, Hashable, Sendable {
  var id: Int
  var text = ""
}

extension Page where Item == Post, Cursor == Int {
  /// A page of posts that cost one read each, at least one.
  static func posts(_ ids: some Sequence<Int>, next: Int?, text: String = "") -> Page {
    let items = ids.map { Post(id: $0, text: text) }
    return Page(items: items, next: next, cost: .ofQuery(returning: items.count))
  }
}

struct Offline: Error, Equatable {}
