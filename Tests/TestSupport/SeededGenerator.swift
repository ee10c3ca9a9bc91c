import Foundation

/// A random number generator whose whole sequence follows from its seed (SplitMix64), so that a
/// failing case can be repeated.
public struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  /// A generator at the start of the sequence of a seed.
  public init(seed: UInt64) {
    state = seed
  }

  /// The next number of the sequence.
  public mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}

/// What the environment asks of randomised tests.
public enum Randomised {
  /// The seed of this run: `FEEDSTORE_SEED`, or a new one; printed once, for repeating the run.
  public static let seed: UInt64 = {
    let given = ProcessInfo.processInfo.environment["FEEDSTORE_SEED"].flatMap { UInt64($0) }
    let seed = given ?? UInt64.random(in: 0...UInt64(UInt32.max))
    print("random tests use FEEDSTORE_SEED=\(seed)")
    return seed
  }()

  /// `FEEDSTORE_EFFORT`, by which the number of random cases is multiplied; 1 unless it is set.
  public static let effort: Double = {
    let given = ProcessInfo.processInfo.environment["FEEDSTORE_EFFORT"].flatMap { Double($0) }
    return max(0, given ?? 1)
  }()

  /// The numbers of the cases to run where a test wants `count` of them; never none.
  public static func cases(_ count: Int) -> Range<Int> {
    0..<max(1, Int(Double(count) * effort))
  }

  /// The generator of one case of this run; cases are independent of each other and of their order.
  public static func generator(case number: Int) -> SeededGenerator {
    var mixer = SeededGenerator(
      seed: seed ^ UInt64(truncatingIfNeeded: number) &* 0xD6E8_FEB8_6659_FD93)
    return SeededGenerator(seed: mixer.next())
  }
}
