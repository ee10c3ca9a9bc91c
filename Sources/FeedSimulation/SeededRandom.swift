/// A random sequence that its seed decides on every platform (SplitMix64).
///
/// The bounded numbers are drawn here and not by the standard library, whose way of drawing them may
/// change between releases and would change the committed seeds with it.
package struct SeededRandom: Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A number in `0..<bound`; zero where `bound` is not positive.
  package mutating func below(_ bound: Int) -> Int {
    bound > 0 ? Int(next().multipliedFullWidth(by: UInt64(bound)).high) : 0
  }

  /// A number in `range`.
  package mutating func number(in range: ClosedRange<Int>) -> Int {
    range.lowerBound + below(range.count)
  }

  /// One of `elements`.
  package mutating func element(of elements: [String]) -> String {
    elements.isEmpty ? "" : elements[below(elements.count)]
  }

  /// True `percent` times out of a hundred.
  package mutating func chance(_ percent: Int) -> Bool { below(100) < percent }
}
