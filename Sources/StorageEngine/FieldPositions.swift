public import Synchronization

/// At which position of a table of names each name was found last.
///
/// Documents of one collection have the same fields, so that a field is where it was in the document
/// before; a look at one name is enough to see whether it is. Names that share a slot, and collections
/// that have a name at different positions, cost a look at a wrong name, never a wrong answer.
///
/// Invariant of the unsafe code here: `slots` points at `count` slots, which are never freed and only
/// accessed atomically.
@safe
public final class FieldPositions: @unchecked Sendable {
  @usableFromInline let slots: UnsafeMutablePointer<Atomic<UInt8>>

  @usableFromInline static let shared = FieldPositions()

  /// A power of two, given by how many bits of a hash it takes.
  @usableFromInline static let bits: UInt64 = 10

  private init() {
    let count = 1 << Int(FieldPositions.bits)
    unsafe slots = .allocate(capacity: count)
    for index in 0..<count { unsafe (slots + index).initialize(to: Atomic(0)) }
  }

  @inlinable @inline(__always)
  subscript(name: UInt64) -> Int {
    Int(unsafe slots[slot(name)].load(ordering: .relaxed))
  }

  /// Writes only what is new, because all threads read the same memory.
  @usableFromInline
  func note(_ position: Int, of name: UInt64) {
    guard let position = UInt8(exactly: position) else { return }
    unsafe slots[slot(name)].store(position, ordering: .relaxed)
  }

  @inlinable @inline(__always)
  func slot(_ name: UInt64) -> Int {
    Int(truncatingIfNeeded: (name &* 0x9E37_79B9_7F4A_7C15) &>> (64 &- FieldPositions.bits))
  }
}
