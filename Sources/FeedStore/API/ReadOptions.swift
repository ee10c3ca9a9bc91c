/// Where a read looks. The embedded database has no client cache, so `.default` and `.server` are
/// the same, and `.cache` finds nothing.
public enum FirestoreSource: UInt, Sendable {
  /// The server, or the cache while there is no connection.
  case `default`
  /// The server only.
  case server
  /// The cache only, without cost.
  case cache
}

/// Where an aggregation is computed.
public enum AggregateSource: UInt, Sendable {
  /// The server; there is no other.
  case server
}

/// What a snapshot shows for a server timestamp that is not yet set. Writes are applied at once here,
/// so that no snapshot has one.
public enum ServerTimestampBehavior: Int, Sendable {
  /// Null.
  case none
  /// The local time.
  case estimate
  /// The value before.
  case previous
}
