package import Foundation

/// What Firestore charges for reads at one location. Money is decimal, never floating point.
package struct ReadPrice: Hashable, Sendable {
  /// The location's name, such as `nam5`; nil for a price the caller gave.
  package let location: String?
  package let dollarsPer100kReads: Decimal
  /// Where the price was read, and when.
  package let source: String
  package let date: String?

  /// A price the caller gave.
  package init(dollarsPer100kReads: Decimal) {
    self.init(
      location: nil, dollarsPer100kReads: dollarsPer100kReads, source: "given by --price",
      date: nil)
  }

  private init(location: String?, dollarsPer100kReads: Decimal, source: String, date: String?) {
    self.location = location
    self.dollarsPer100kReads = dollarsPer100kReads
    self.source = source
    self.date = date
  }

  /// The price of `reads` done `times` times, beyond the free 50,000 reads a day.
  package func dollars(reads: Int, times: Int) -> Decimal {
    Decimal(reads) * Decimal(times) * dollarsPer100kReads / 100_000
  }
}

extension ReadPrice {
  /// The United States multi-region, the price of Firestore's own billing example.
  package static let nam5 = ReadPrice(
    location: "nam5", dollarsPer100kReads: cents(6),
    source: "https://docs.cloud.google.com/firestore/native/docs/billing-example",
    date: "2026-08-21")

  /// Iowa, the lowest price advertised.
  package static let usCentral1 = ReadPrice(
    location: "us-central1", dollarsPer100kReads: cents(3),
    source: "https://docs.cloud.google.com/firestore/native/docs/cuds", date: "2026-08-21")

  /// The prices known here. Google publishes more locations; give their price with `--price`.
  package static let list = [nam5, usCentral1]

  private static func cents(_ cents: Int) -> Decimal { Decimal(cents) / 100 }
}
