/// Why a feed could not go on.
public enum PagingError: Error {
  /// The source threw an error.
  case loadFailed(PageLoad, underlying: any Error)
  /// The source answered that the next page starts where this one did, `itemsShown` items into the
  /// feed.
  case cursorDidNotAdvance(PageLoad, itemsShown: Int)

  /// The load that failed, which a retry repeats.
  public var load: PageLoad {
    switch self {
    case .loadFailed(let load, _), .cursorDidNotAdvance(let load, _): load
    }
  }
}

extension PagingError: CustomStringConvertible {
  /// What failed, why, and what to do.
  public var description: String {
    switch self {
    case .loadFailed(let load, let underlying):
      "\(load.words) could not be loaded: \(underlying); retry() repeats it"
    case .cursorDidNotAdvance(let load, let itemsShown):
      "\(load.words) starts where the page before it did, after \(itemsShown) items; the source must "
        + "return a cursor behind the last item of its page, or nil at the end; retry() asks it again"
    }
  }
}

extension PageLoad {
  fileprivate var words: String {
    switch self {
    case .firstPage: "the first page"
    case .nextPage: "the next page"
    case .refresh: "the refreshed first page"
    }
  }
}
