import Synchronization

/// A value that one thread at a time may touch.
///
/// On Linux a contended `Mutex` changes hands inside the kernel, where the thread sanitizer cannot see
/// that what one holder wrote comes before what the next one reads. The atomic says it in terms that the
/// sanitizer knows; it costs about a nanosecond.
package struct Guarded<Value>: ~Copyable, Sendable {
  private let mutex: Mutex<Value>
  private let handOver = Atomic<Bool>(false)

  package init(_ value: sending Value) { mutex = Mutex(value) }

  /// Runs `body` while no other thread runs one on this value.
  package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout sending Value) throws(Failure) -> sending Result
  ) throws(Failure) -> sending Result {
    try mutex.withLock { value throws(Failure) in
      _ = handOver.load(ordering: .acquiring)
      defer { handOver.store(true, ordering: .releasing) }
      return try body(&value)
    }
  }
}
