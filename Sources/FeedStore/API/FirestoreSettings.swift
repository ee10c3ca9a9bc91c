public import Dispatch
public import Foundation

/// The settings of a `Firestore`. Assign a changed copy to `Firestore.settings`.
///
/// On the embedded database `dispatchQueue` has an effect, and the kind of cache has one on the price of
/// listeners that were without the network. The rest says where a server is and how much of it the client
/// keeps; it is kept so that a set-up written for Firebase compiles and reads back what it set.
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
  /// Whether the client's cache is kept on disk. Without it, a listener that was without the network is
  /// billed as a new one.
  public var isPersistenceEnabled: Bool
  /// How large the client's cache may grow; without effect here.
  public var cacheSizeBytes: Int64

  /// Where the client keeps its cache and how large it may grow; sets the two older properties.
  public var cacheSettings: any LocalCacheSettings {
    get {
      isPersistenceEnabled
        ? PersistentCacheSettings(sizeBytes: NSNumber(value: cacheSizeBytes))
        : MemoryCacheSettings()
    }
    set {
      isPersistenceEnabled = newValue is PersistentCacheSettings
      if let persistent = newValue as? PersistentCacheSettings {
        cacheSizeBytes = persistent.sizeBytes.int64Value
      }
    }
  }

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

/// Where a client keeps its cache.
public protocol LocalCacheSettings: AnyObject, Sendable {}

/// A cache on disk, which outlives a lost connection.
public final class PersistentCacheSettings: LocalCacheSettings {
  /// How large the cache may grow; without effect here.
  public let sizeBytes: NSNumber

  /// A cache of 100 MiB.
  public convenience init() { self.init(sizeBytes: NSNumber(value: 100 * 1024 * 1024)) }

  /// A cache of this size.
  public init(sizeBytes: NSNumber) { self.sizeBytes = sizeBytes }
}

/// How a cache in memory is cleared; without effect here.
public protocol MemoryGarbageCollectorSettings: AnyObject, Sendable {}

/// Drops what no listener shows.
public final class MemoryEagerGCSetting: MemoryGarbageCollectorSettings {
  /// The only one there is.
  public init() {}
}

/// Drops what was used longest ago.
public final class MemoryLRUGCSettings: MemoryGarbageCollectorSettings {
  /// How large the cache may grow; without effect here.
  public let sizeBytes: NSNumber

  /// A cache of 100 MiB.
  public convenience init() { self.init(sizeBytes: NSNumber(value: 100 * 1024 * 1024)) }

  /// A cache of this size.
  public init(sizeBytes: NSNumber) { self.sizeBytes = sizeBytes }
}

/// A cache in memory, with which a lost connection costs what it costs to begin anew.
public final class MemoryCacheSettings: LocalCacheSettings {
  /// How the cache is cleared; without effect here.
  public let garbageCollectorSettings: any MemoryGarbageCollectorSettings

  /// A cache that drops what no listener shows.
  public convenience init() { self.init(garbageCollectorSettings: MemoryEagerGCSetting()) }

  /// A cache that is cleared in this way.
  public init(garbageCollectorSettings: any MemoryGarbageCollectorSettings) {
    self.garbageCollectorSettings = garbageCollectorSettings
  }
}
