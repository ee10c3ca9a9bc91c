public import Dispatch

/// The settings of a `Firestore`. Assign a changed copy to `Firestore.settings`.
///
/// Only `dispatchQueue` has an effect on the embedded database. The rest says where a server is and
/// how the client caches it; it is kept so that a set-up written for Firebase compiles and reads
/// back what it set.
public final class FirestoreSettings {
  /// Where completion closures are called; the main queue unless set.
  ///
  /// On Linux the main queue runs only in a program whose main thread serves it: one with an async
  /// `main`, `dispatchMain()` or a run loop.
  public var dispatchQueue: DispatchQueue
  /// The server's host; without effect here.
  public var host: String
  /// Whether the server is reached through TLS; without effect here.
  public var isSSLEnabled: Bool
  /// Whether the client's cache is kept on disk; without effect here.
  public var isPersistenceEnabled: Bool
  /// How large the client's cache may grow; without effect here.
  public var cacheSizeBytes: Int64

  /// Makes the settings that a new `Firestore` has.
  public convenience init() { self.init(Values()) }

  /// The settings as a value.
  struct Values: Sendable {
    var dispatchQueue = DispatchQueue.main
    var host = "firestore.googleapis.com"
    var isSSLEnabled = true
    var isPersistenceEnabled = true
    var cacheSizeBytes: Int64 = 100 * 1024 * 1024
  }

  init(_ values: Values) {
    dispatchQueue = values.dispatchQueue
    host = values.host
    isSSLEnabled = values.isSSLEnabled
    isPersistenceEnabled = values.isPersistenceEnabled
    cacheSizeBytes = values.cacheSizeBytes
  }

  var values: Values {
    Values(
      dispatchQueue: dispatchQueue, host: host, isSSLEnabled: isSSLEnabled,
      isPersistenceEnabled: isPersistenceEnabled, cacheSizeBytes: cacheSizeBytes)
  }
}

/// The value of `FirestoreSettings.cacheSizeBytes` that sets no limit.
public let FirestoreCacheSizeUnlimited: Int64 = -1
