extension FeedViewModel {
  /// Makes a model that pages a query by document cursors.
  ///
  /// - Parameters:
  ///   - query: The query whose results are shown; its own limit is replaced by the page size.
  ///   - pageSize: The number of items asked for at a time.
  ///   - prefetchDistance: How many rows before the last one the next page is asked for.
  public convenience init(query: Query, pageSize: Int = 15, prefetchDistance: Int = 0) {
    self.init(
      source: DocumentCursorSource(query, as: Item.self), pageSize: pageSize,
      prefetchDistance: prefetchDistance)
  }
}
