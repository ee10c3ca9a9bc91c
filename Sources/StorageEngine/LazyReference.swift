public import Synchronization

/// A place for an object that is made when it is first needed and then stays.
///
/// Reading it is one load. (`AtomicLazyReference` does the same, but is not specialised outside its
/// library and costs as much as a small query.)
///
/// Invariant of the unsafe code here: `bits` is zero or the address of an object to which this place
/// holds one reference, taken before the address was stored and given back in `deinit` only, which no
/// other access overlaps.
@safe
public struct LazyReference<Object: AnyObject & Sendable>: ~Copyable, Sendable {
  @usableFromInline let bits = Atomic<UInt>(0)

  @inlinable
  package init() {}

  deinit {
    let bits = bits.load(ordering: .acquiring)
    if let address = unsafe UnsafeRawPointer(bitPattern: bits) {
      unsafe Unmanaged<Object>.fromOpaque(address).release()
    }
  }

  /// The object, where it was made.
  @inlinable
  package func load() -> Object? {
    guard let address = unsafe UnsafeRawPointer(bitPattern: bits.load(ordering: .acquiring)) else {
      return nil
    }
    return unsafe Unmanaged<Object>.fromOpaque(address).takeUnretainedValue()
  }

  /// Keeps `object` unless another one is there already; answers the one that is there.
  @inlinable
  package func storeIfNil(_ object: Object) -> Object {
    let reference = unsafe Unmanaged.passRetained(object)
    let (exchanged, original) = bits.compareExchange(
      expected: 0, desired: UInt(bitPattern: unsafe reference.toOpaque()),
      ordering: .acquiringAndReleasing)
    if exchanged { return object }
    unsafe reference.release()
    guard let address = unsafe UnsafeRawPointer(bitPattern: original) else { return object }
    return unsafe Unmanaged<Object>.fromOpaque(address).takeUnretainedValue()
  }
}
