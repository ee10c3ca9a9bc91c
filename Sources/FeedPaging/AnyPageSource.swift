/// A source whose kind of cursor is hidden, so that feeds from different sources have one type.
public struct AnyPageSource<Item: Sendable>: PageSource {
  private let load: @Sendable (AnyCursor?, Int) async throws -> Page<Item, AnyCursor>

  /// Hides the kind of cursor of a source.
  public init<Source: PageSource<Item>>(_ source: Source) {
    load = { cursor, limit in
      let position = try cursor.map { try $0.unwrapped(as: Source.Cursor.self) }
      let page = try await source.page(after: position, limit: limit)
      return Page(
        items: page.items, next: page.next.map { AnyCursor(base: $0) }, cost: page.cost,
        totalItems: page.totalItems, pageNumber: page.pageNumber,
        lastPageNumber: page.lastPageNumber)
    }
  }

  /// Loads one page from the source behind.
  ///
  /// - Parameters:
  ///   - cursor: the ``Page/next`` of the page before, or nil for the first page.
  ///   - limit: the number of items wanted.
  /// - Returns: the page of the source behind.
  /// - Throws: what that source throws; ``ForeignCursor`` if the cursor came from another kind of
  ///   source.
  /// - Cost: as the source behind.
  public func page(after cursor: AnyCursor?, limit: Int) async throws -> Page<Item, AnyCursor> {
    try await load(cursor, limit)
  }
}

/// A cursor of some source.
public struct AnyCursor: Sendable {
  let base: any Sendable

  fileprivate func unwrapped<Cursor>(as type: Cursor.Type) throws(ForeignCursor) -> Cursor {
    guard let cursor = base as? Cursor else {
      throw ForeignCursor(expected: "\(type)", found: "\(Swift.type(of: base))")
    }
    return cursor
  }
}

/// A cursor was handed to a source of another kind.
public struct ForeignCursor: Error, Hashable, CustomStringConvertible {
  /// The type of cursor that the source understands.
  public let expected: String
  /// The type of cursor that it was given.
  public let found: String

  /// What happened, and what to do.
  public var description: String {
    "the cursor is a \(found) and this source continues from a \(expected); "
      + "continue with the source that made the cursor, or start at the first page"
  }
}

/// Whether two cursors are the same position; nil if their type cannot be compared.
func isSamePosition(_ one: Any, _ other: Any) -> Bool? {
  if let one = one as? AnyCursor, let other = other as? AnyCursor {
    return isSamePosition(one.base, other.base)
  }
  guard let one = one as? any Equatable else { return nil }
  return one.equals(other)
}

extension Equatable {
  fileprivate func equals(_ other: Any) -> Bool { self == other as? Self }
}
