/// How an app gets its pages.
package enum ReadingMode: Hashable, Sendable {
  /// It asks for each page when it is wanted.
  case fetch(PagingStrategy)

  package var name: String {
    switch self {
    case .fetch(let strategy): strategy.rawValue
    }
  }
}
