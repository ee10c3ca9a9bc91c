/// Where the pages of a feed come from: one method.
///
/// A source holds no position. Each page says where the next one starts, so a page can be asked for
/// again, and an answer that nobody waits for any more moves nothing.
public protocol PageSource<Item>: Sendable {
  /// What a page consists of.
  associatedtype Item: Sendable
  /// Where a page starts. If it is `Equatable`, a source that hands out the same position for ever
  /// is found out by it.
  associatedtype Cursor: Sendable

  /// Loads one page.
  ///
  /// - Parameters:
  ///   - cursor: the ``Page/next`` of the page before, or nil for the first page.
  ///   - limit: the number of items wanted; a source may return fewer, even none.
  /// - Returns: the items, where the next page starts, and what they cost.
  /// - Throws: what went wrong; a ``BilledFailure`` if reads were billed before it did.
  /// - Cost: as the page says.
  func page(after cursor: Cursor?, limit: Int) async throws -> Page<Item, Cursor>
}
