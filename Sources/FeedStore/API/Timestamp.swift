public import Foundation

/// A point in time, independent of any calendar or time zone, to the nanosecond.
///
/// Firestore keeps microseconds: a stored timestamp is cut toward the past.
///
/// Source: https://firebase.google.com/docs/firestore/manage-data/data-types
public final class Timestamp: Sendable {
  /// Whole seconds since 1970-01-01T00:00:00Z, rounded toward the past.
  public let seconds: Int64
  /// The nanoseconds that follow `seconds`, from 0 up to 999,999,999, also before 1970.
  public let nanoseconds: Int32

  /// Makes the instant `nanoseconds` after `seconds`.
  ///
  /// Values outside the years 1 to 9999, or nanoseconds outside 0..<1,000,000,000, are refused by
  /// the write or query that uses them.
  ///
  /// - Parameters:
  ///   - seconds: Seconds since 1970-01-01T00:00:00Z.
  ///   - nanoseconds: What follows them.
  public init(seconds: Int64, nanoseconds: Int32) {
    self.seconds = seconds
    self.nanoseconds = nanoseconds
  }

  /// Makes the instant of `date` to the nearest microsecond.
  ///
  /// A `Date` is a binary fraction of seconds; rounding is what makes
  /// `Timestamp(date: timestamp.dateValue())` the same timestamp again, for microseconds within 130
  /// years of 2001.
  ///
  /// - Parameter date: The instant.
  public convenience init(date: Date) {
    let interval = date.timeIntervalSinceReferenceDate
    let whole = interval.rounded(.down)
    let microseconds = ((interval - whole) * 1_000_000).rounded()
    // A date beyond Int64 becomes one that no write accepts, instead of a trap.
    guard var seconds = Int64(exactly: whole), abs(whole) < 1e15, microseconds.isFinite else {
      self.init(seconds: interval < 0 ? .min : .max, nanoseconds: 0)
      return
    }
    seconds += Timestamp.referenceDate
    if microseconds < 1_000_000 {
      self.init(seconds: seconds, nanoseconds: Int32(microseconds) * 1000)
    } else {
      self.init(seconds: seconds + 1, nanoseconds: 0)
    }
  }

  /// Makes the present instant.
  public convenience init() { self.init(date: Date()) }

  /// The same instant as a `Date`, as near as its precision allows.
  public func dateValue() -> Date {
    Date(
      timeIntervalSinceReferenceDate:
        Double(seconds) - Double(Timestamp.referenceDate) + Double(nanoseconds) / 1_000_000_000)
  }

  /// Whether this instant is before, the same as, or after `other`.
  public func compare(_ other: Timestamp) -> ComparisonResult {
    self < other ? .orderedAscending : other < self ? .orderedDescending : .orderedSame
  }

  /// 2001-01-01T00:00:00Z, from which `Date` counts.
  private static let referenceDate: Int64 = 978_307_200
}

extension Timestamp: Comparable, Hashable {
  /// Whether both are the same instant.
  public static func == (left: Timestamp, right: Timestamp) -> Bool {
    left.seconds == right.seconds && left.nanoseconds == right.nanoseconds
  }

  /// Whether `left` is before `right`.
  public static func < (left: Timestamp, right: Timestamp) -> Bool {
    (left.seconds, left.nanoseconds) < (right.seconds, right.nanoseconds)
  }

  /// Feeds the instant to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(seconds)
    hasher.combine(nanoseconds)
  }
}

extension Timestamp: Codable {
  private enum CodingKeys: String, CodingKey { case seconds, nanoseconds }

  /// Reads `seconds` and `nanoseconds`; `Firestore.Decoder` reads timestamps as they are instead.
  public convenience init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      seconds: try container.decode(Int64.self, forKey: .seconds),
      nanoseconds: try container.decode(Int32.self, forKey: .nanoseconds))
  }

  /// Writes `seconds` and `nanoseconds`; `Firestore.Encoder` writes timestamps as they are instead.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(seconds, forKey: .seconds)
    try container.encode(nanoseconds, forKey: .nanoseconds)
  }
}

extension Timestamp: CustomStringConvertible {
  /// Seconds and nanoseconds, as Firebase prints them.
  public var description: String {
    "<FIRTimestamp: seconds=\(seconds) nanoseconds=\(nanoseconds)>"
  }
}

extension Timestamp {
  /// The instant `microseconds` after 1970-01-01T00:00:00Z.
  package convenience init(microseconds: Int64) {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    if rest < 0 {
      self.init(seconds: seconds - 1, nanoseconds: Int32(rest + 1_000_000) * 1000)
    } else {
      self.init(seconds: seconds, nanoseconds: Int32(rest) * 1000)
    }
  }

  /// Microseconds since 1970, cut toward the past; nil outside what Firestore accepts.
  package var microseconds: Int64? {
    guard (-62_135_596_800...253_402_300_799).contains(seconds),
      (0..<1_000_000_000).contains(nanoseconds)
    else { return nil }
    return seconds * 1_000_000 + Int64(nanoseconds / 1000)
  }
}
