/// What a view shows in place of a list, or that it shows the list.
public enum LoadableState: Hashable, Sendable {
  /// Nothing was asked for yet.
  case idle
  /// There is nothing to show yet, and something is being loaded.
  case loading
  /// There are items to show, or more can be loaded; also while more is loaded, and after a failure
  /// that left items in place.
  case loaded
  /// The feed has no items.
  case empty
  /// A load failed, and there is nothing to show.
  case error
}

/// The three kinds of load.
public enum PageLoad: Hashable, Sendable {
  /// The first page, into an empty list.
  case firstPage
  /// The page after the last one shown.
  case nextPage
  /// The first page again, to take the place of all items.
  case refresh
}
