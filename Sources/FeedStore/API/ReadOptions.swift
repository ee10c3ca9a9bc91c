/// Where a read looks. The database is embedded, so that the cache has all of it: as it was when the
/// network was disabled, with the writes made since.
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

/// What a snapshot shows for a server timestamp that is not yet set, because the network is disabled.
public enum ServerTimestampBehavior: Int, Sendable {
  /// Null.
  case none
  /// The local time.
  case estimate
  /// The value before.
  case previous
}
