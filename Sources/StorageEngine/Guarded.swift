public import Synchronization

/// A value that one thread at a time may touch. The type is public so that its members, which are the
/// package's own, can be specialised in other modules.
///
/// On Linux a contended `Mutex` changes hands inside the kernel, where the thread sanitizer cannot see
/// that what one holder wrote comes before what the next one reads. The atomic says it in terms that the
/// sanitizer knows; it costs about a nanosecond.
public struct Guarded<Value>: ~Copyable, Sendable {
  @usableFromInline let mutex: Mutex<Value>
  @usableFromInline let handOver = Atomic<Bool>(false)

  @inlinable package init(_ value: sending Value) { mutex = Mutex(value) }

  /// Runs `body` while no other thread runs one on this value.
  @inlinable package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = handOver.load(ordering: .acquiring)
      defer { handOver.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
