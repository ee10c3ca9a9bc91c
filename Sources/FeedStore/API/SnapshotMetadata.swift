/// Where a snapshot comes from.
public final class SnapshotMetadata: Hashable, Sendable {
  /// Whether it shows writes that the server has not seen.
  public let hasPendingWrites: Bool
  /// Whether it comes from the client's cache and may be behind the server.
  public let isFromCache: Bool

  init(hasPendingWrites: Bool, isFromCache: Bool) {
    self.hasPendingWrites = hasPendingWrites
    self.isFromCache = isFromCache
  }

  static let fromServer = SnapshotMetadata(hasPendingWrites: false, isFromCache: false)
  static let fromCache = SnapshotMetadata(hasPendingWrites: false, isFromCache: true)

  /// Whether both say the same.
  public static func == (left: SnapshotMetadata, right: SnapshotMetadata) -> Bool {
    left.hasPendingWrites == right.hasPendingWrites && left.isFromCache == right.isFromCache
  }

  /// Feeds the metadata to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(hasPendingWrites)
    hasher.combine(isFromCache)
  }
}
