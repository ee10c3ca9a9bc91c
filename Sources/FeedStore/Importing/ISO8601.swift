/// Reads ISO 8601 text as Firestore's microseconds.
enum ISO8601 {
  /// The microseconds since 1970 of `2026-01-31`, `2026-01-31T09:30Z`, `2026-01-31 09:30:05.25+02:00`
  /// and the like; nil for any other text.
  ///
  /// A time without a zone is taken as UTC. Anything finer than a microsecond is cut off, which is
  /// rounding toward the past.
  static func microseconds(of text: String) -> Int64? {
    var scanner = Scanner(bytes: Array(text.utf8))
    guard let year = scanner.number(4), scanner.take("-"), let month = scanner.number(2),
      scanner.take("-"), let day = scanner.number(2), year >= 1, 1...12 ~= month,
      1...daysInMonth(month, of: year) ~= day
    else { return nil }
    let midnight = daysSince1970(year: year, month: month, day: day) * 86_400
    if scanner.isAtEnd { return Int64(midnight) * 1_000_000 }
    guard scanner.take("T") || scanner.take("t") || scanner.take(" "),
      let hour = scanner.number(2), scanner.take(":"), let minute = scanner.number(2),
      hour < 24, minute < 60
    else { return nil }
    var second = 0
    var fraction = 0
    if scanner.take(":") {
      guard let value = scanner.number(2), value < 60 else { return nil }
      second = value
      if scanner.take(".") || scanner.take(",") {
        guard let value = scanner.microsecondFraction() else { return nil }
        fraction = value
      }
    }
    guard let zone = scanner.zone(), scanner.isAtEnd else { return nil }
    let seconds = midnight + hour * 3600 + minute * 60 + second - zone
    let microseconds = Int64(seconds) * 1_000_000 + Int64(fraction)
    return storableMicroseconds.contains(microseconds) ? microseconds : nil
  }

  /// The years 1 to 9999, the timestamps Firestore stores.
  static let storableMicroseconds: Range<Int64> =
    -62_135_596_800_000_000..<253_402_300_800_000_000

  /// `2026-01-31T09:30:00Z`, with as many digits behind the second as needed.
  static func text(microseconds: Int64) -> String {
    let (days, second) = floored(microseconds, by: 86_400_000_000)
    // Years of 400 have 146,097 days; they are counted from a first of March, so that the leap day is
    // the last one.
    let (era, dayOfEra) = floored(days + 719_468, by: 146_097)
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let march = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * march + 2) / 5 + 1
    let month = march < 10 ? march + 3 : march - 9
    let year = yearOfEra + era * 400 + (month < 3 ? 1 : 0)
    func digits(_ number: Int64, _ count: Int) -> String {
      let text = String(number)
      return String(repeating: "0", count: max(0, count - text.count)) + text
    }
    var text = "\(digits(year, 4))-\(digits(month, 2))-\(digits(day, 2))T"
    text += "\(digits(second / 3_600_000_000, 2)):\(digits(second / 60_000_000 % 60, 2)):"
    text += digits(second / 1_000_000 % 60, 2)
    var fraction = digits(second % 1_000_000, 6)
    while fraction.last == "0" { fraction.removeLast() }
    return text + (fraction.isEmpty ? "" : ".\(fraction)") + "Z"
  }

  private static func floored(_ number: Int64, by divisor: Int64) -> (Int64, Int64) {
    let (quotient, remainder) = number.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func daysInMonth(_ month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Counts in eras of 400 years that start in March, so that the leap day ends a year.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  private struct Scanner {
    let bytes: [UInt8]
    var offset = 0

    var isAtEnd: Bool { offset == bytes.count }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
      guard offset < bytes.count, bytes[offset] == UInt8(ascii: character) else { return false }
      offset += 1
      return true
    }

    private mutating func digit() -> Int? {
      guard offset < bytes.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= bytes[offset] else {
        return nil
      }
      defer { offset += 1 }
      return Int(bytes[offset] - UInt8(ascii: "0"))
    }

    /// Exactly `count` digits.
    mutating func number(_ count: Int) -> Int? {
      var number = 0
      for _ in 0..<count {
        guard let digit = digit() else { return nil }
        number = number * 10 + digit
      }
      return number
    }

    mutating func microsecondFraction() -> Int? {
      guard var value = digit() else { return nil }
      var digits = 1
      while let digit = digit() {
        if digits < 6 {
          value = value * 10 + digit
          digits += 1
        }
      }
      for _ in digits..<6 { value *= 10 }
      return value
    }

    /// Seconds east of UTC; zero without a zone.
    mutating func zone() -> Int? {
      if isAtEnd || take("Z") || take("z") { return 0 }
      let sign: Int
      if take("+") { sign = 1 } else if take("-") { sign = -1 } else { return nil }
      guard let hour = number(2), hour < 24 else { return nil }
      if isAtEnd { return sign * hour * 3600 }
      _ = take(":")
      guard let minute = number(2), minute < 60 else { return nil }
      return sign * (hour * 3600 + minute * 60)
    }
  }
}
