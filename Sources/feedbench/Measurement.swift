import Dispatch

/// The times of one operation.
struct Measurement {
  let operation: String
  private var nanoseconds: [UInt64] = []

  init(_ operation: String) { self.operation = operation }

  /// Nanoseconds of a clock that never goes back.
  static func now() -> UInt64 {
    DispatchTime.now().uptimeNanoseconds
  }

  mutating func add(_ time: UInt64) { nanoseconds.append(time) }

  mutating func add(contentsOf other: Measurement) {
    nanoseconds.append(contentsOf: other.nanoseconds)
  }

  var count: Int { nanoseconds.count }
  var total: UInt64 { nanoseconds.reduce(0, +) }
  var median: UInt64 { quantile(0.5) }
  var p99: UInt64 { quantile(0.99) }
  var least: UInt64 { nanoseconds.min() ?? 0 }
  var mean: UInt64 { nanoseconds.isEmpty ? 0 : total / UInt64(nanoseconds.count) }

  private func quantile(_ part: Double) -> UInt64 {
    let sorted = nanoseconds.sorted()
    guard !sorted.isEmpty else { return 0 }
    return sorted[min(Int(Double(sorted.count) * part), sorted.count - 1)]
  }

  /// One line of the protocol that the peers share.
  func line(peer: String, documents: Int, extra: [(String, String)] = []) -> String {
    var fields = [
      "\"peer\":\"\(peer)\"", "\"op\":\"\(operation)\"", "\"n\":\(documents)",
      "\"samples\":\(count)", "\"median_ns\":\(median)", "\"p99_ns\":\(p99)",
      "\"min_ns\":\(least)", "\"mean_ns\":\(mean)",
    ]
    fields += extra.map { "\"\($0.0)\":\($0.1)" }
    return "{" + fields.joined(separator: ",") + "}"
  }
}
