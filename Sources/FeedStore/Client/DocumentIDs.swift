/// The ids of documents added without one: 20 letters and digits.
package enum DocumentIDs {
  /// A source of ids from the system's randomness.
  package static let random: @Sendable () -> String = {
    var generator = SystemRandomNumberGenerator()
    return make(using: &generator)
  }

  /// One id from `generator`. Six bits choose a character and are drawn again where they choose none of
  /// the 62, so that all are equally likely; one draw from the system, which is slow, serves for ten.
  package static func make(using generator: inout some RandomNumberGenerator) -> String {
    var id: [UInt8] = []
    id.reserveCapacity(20)
    while true {
      var bits = generator.next()
      for _ in 0..<10 {
        let choice = Int(bits & 63)
        bits >>= 6
        if choice < alphabet.count { id.append(alphabet[choice]) }
        if id.count == 20 { return String(decoding: id, as: UTF8.self) }
      }
    }
  }

  private static let alphabet = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
}
