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

/// `value` as a value of `type`, which is its own type, as a comparison of both has shown: where generic
/// code learns its type only when it runs, this costs nothing and a cast takes longer than what it casts.
///
/// Invariant of the unsafe code here: both types are checked to be the same one.
@inlinable
package func same<Value, Result>(_ value: Value, as type: Result.Type) -> Result {
  precondition(Value.self == Result.self, "the types are not the same")
  return unsafe unsafeBitCast(value, to: type)
}
