/// How an app gets its pages and keeps them fresh.
package enum ReadingMode: Hashable, Sendable {
  /// It asks for each page when it is wanted.
  case fetch(PagingStrategy)
  /// It listens to the first page and fetches the others by document cursor.
  case listenHead
  /// It attaches a listener for each page, each after the last document of the page before.
  case listenEachPage
  /// It listens to one query and raises its limit by a page at a time, each time a new listener.
  case listenGrowing

  package static let listening = [listenHead, listenEachPage, listenGrowing]
  package static let all = PagingStrategy.allCases.map(fetch) + listening

  package var name: String {
    switch self {
    case .fetch(let strategy): strategy.rawValue
    case .listenHead: "listen-head"
    case .listenEachPage: "listen-each-page"
    case .listenGrowing: "listen-growing"
    }
  }

  package var summary: String {
    switch self {
    case .fetch(let strategy): strategy.summary
    case .listenHead: "listen to the first page, fetch the others by document cursor"
    case .listenEachPage: "a listener for each page shown"
    case .listenGrowing: "one listener, made anew with a page more each time"
    }
  }

  package var isLive: Bool {
    if case .fetch = self { false } else { true }
  }

  /// What the pages are asked for by.
  var strategy: PagingStrategy {
    switch self {
    case .fetch(let strategy): strategy
    case .listenHead, .listenEachPage: .documentCursor
    case .listenGrowing: .growingLimit
    }
  }

  /// Whether the page that is asked for so is listened to.
  func listens(for purpose: SimulatedOperation.Purpose) -> Bool {
    switch self {
    case .fetch: false
    case .listenHead: purpose == .firstPage
    case .listenEachPage, .listenGrowing: true
    }
  }
}
