/// A vector of doubles, such as an embedding: one value, not an array of values.
public final class VectorValue: Codable, Hashable, Sendable {
  /// The numbers.
  public let array: [Double]

  /// Makes a vector of `array`.
  public init(_ array: [Double]) { self.array = array }

  /// Whether both have the same numbers in the same order.
  public static func == (left: VectorValue, right: VectorValue) -> Bool {
    left.array == right.array
  }

  /// Feeds the numbers to `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(array) }
}
