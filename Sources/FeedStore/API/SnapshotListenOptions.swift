/// Where a listener's results come from.
public enum ListenSource: UInt, Sendable {
  /// The server; the cache while there is no connection.
  case `default`
  /// The cache only, without cost.
  case cache
}

/// How to listen. The methods return changed copies.
public final class SnapshotListenOptions: Sendable {
  /// Where results come from.
  public let source: ListenSource
  /// Whether the listener also hears of snapshots in which only metadata changed.
  public let includeMetadataChanges: Bool

  /// The default: from the server, without metadata changes.
  public convenience init() { self.init(source: .default, includeMetadataChanges: false) }

  private init(source: ListenSource, includeMetadataChanges: Bool) {
    self.source = source
    self.includeMetadataChanges = includeMetadataChanges
  }

  /// The same options with or without metadata changes.
  public func withIncludeMetadataChanges(_ includeMetadataChanges: Bool) -> SnapshotListenOptions {
    SnapshotListenOptions(source: source, includeMetadataChanges: includeMetadataChanges)
  }

  /// The same options with another source.
  public func withSource(_ source: ListenSource) -> SnapshotListenOptions {
    SnapshotListenOptions(source: source, includeMetadataChanges: includeMetadataChanges)
  }
}
