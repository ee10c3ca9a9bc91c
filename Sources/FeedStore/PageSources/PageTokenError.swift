public import FeedPaging

/// Why a page token does not say where a page starts.
public enum PageTokenError: Error, Hashable, Sendable {
  /// The token is not a position in the results of `query`.
  case invalidCursor(PageToken, query: String, reason: Reason)

  /// What is wrong with a token.
  public enum Reason: Hashable, Sendable {
    /// It was made for another query.
    case madeForAnotherQuery
    /// It was made by another version of this library.
    case unknownVersion(UInt8)
    /// It was cut or altered.
    case damaged
  }
}

extension PageTokenError: CustomStringConvertible {
  /// Which token, for which query, why, and what to do.
  public var description: String {
    switch self {
    case .invalidCursor(let token, let query, let reason):
      let advice = "Start at the first page."
      return switch reason {
      case .madeForAnotherQuery:
        "The page token \(token) was made for another query than \(query): a token continues "
          + "the query it came from, with the same filters and orders. \(advice)"
      case .unknownVersion(let version):
        "The page token \(token) for \(query) has the unknown version \(version). \(advice)"
      case .damaged: "The page token \(token) for \(query) was cut or altered. \(advice)"
      }
    }
  }
}
