/// What `any` holds where its type is exactly `Target`; nil for everything else, also for what a cast
/// would convert.
///
/// A cast looks for a way from one type to the other; this compares two addresses, which matters where
/// every value of every document passes.
///
/// Invariant of the unsafe code here: the bits are taken as a `Target` only after the types were found
/// to be the same.
@inlinable
package func exactly<Target>(_ target: Target.Type, _ any: Any) -> Target? {
  func open<Held>(_ held: Held) -> Target? {
    Held.self == Target.self ? unsafe unsafeBitCast(held, to: Target.self) : nil
  }
  return _openExistential(any, do: open)
}
