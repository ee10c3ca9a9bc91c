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
    location = nil
    self.dollarsPer100kReads = dollarsPer100kReads
    source = "given by --price"
    date = nil
  }

  /// The price at a location.
  package init(_ price: StandardPrice) {
    location = price.location
    dollarsPer100kReads = price.per100kReads
    source = price.source
    date = price.date
  }

  /// The price of `reads` done `times` times, beyond the free 50,000 reads a day.
  package func dollars(reads: Int, times: Int) -> Decimal {
    Decimal(reads) * Decimal(times) * dollarsPer100kReads / 100_000
  }
}

extension ReadPrice {
  /// The prices known here.
  package static let list = PriceList.known.standard.map { ReadPrice($0) }

  /// The United States multi-region, the price of Firestore's own billing example.
  package static let nam5 = ReadPrice(StandardPrice.nam5)

  /// Iowa, the lowest price advertised.
  package static let usCentral1 = ReadPrice(StandardPrice.usCentral1)
}
