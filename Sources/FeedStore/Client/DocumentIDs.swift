/// The ids of documents added without one: 20 letters and digits.
package enum DocumentIDs {
  /// A source of ids from the system's randomness.
  package static let random: @Sendable () -> String = {
    var generator = SystemRandomNumberGenerator()
    return make(using: &generator)
  }

  /// One id from `generator`.
  package static func make(using generator: inout some RandomNumberGenerator) -> String {
    String(
      decoding: (0..<20).map { _ in alphabet.randomElement(using: &generator) ?? 65 }, as: UTF8.self
    )
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
}
