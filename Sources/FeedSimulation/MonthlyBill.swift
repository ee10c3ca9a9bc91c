package import Foundation

/// What a database is asked to do on an ordinary day.
package struct DailyUsage: Hashable, Sendable {
  package var reads: Decimal
  package var writes: Decimal
  package var deletes: Decimal
  /// What is stored at the end of a month, and what leaves the data centre in it.
  package var gigabytesStored: Decimal
  package var gigabytesSentAMonth: Decimal

  package init(
    reads: Decimal = 0, writes: Decimal = 0, deletes: Decimal = 0, gigabytesStored: Decimal = 0,
    gigabytesSentAMonth: Decimal = 0
  ) {
    self.reads = reads
    self.writes = writes
    self.deletes = deletes
    self.gigabytesStored = gigabytesStored
    self.gigabytesSentAMonth = gigabytesSentAMonth
  }
}

/// What a month of thirty equal days costs, line by line, to the last digit.
package struct MonthlyBill: Hashable, Sendable {
  package static let days = 30

  package let reads: Decimal
  package let writes: Decimal
  package let deletes: Decimal
  package let storage: Decimal
  package let network: Decimal

  package var operations: Decimal { reads + writes + deletes }
  package var total: Decimal { operations + storage + network }

  /// The free quota is taken off each day: what one day leaves of it is lost to the next.
  package init(_ usage: DailyUsage, at prices: OperationPrices) {
    func dollars(_ daily: Decimal, beyond free: Int, _ per100k: Decimal) -> Decimal {
      max(0, daily - Decimal(free)) * Decimal(MonthlyBill.days) * per100k / 100_000
    }
    let free = FreeQuota.standard
    reads = dollars(usage.reads, beyond: free.readsADay, prices.dollarsPer100kReads)
    writes = dollars(usage.writes, beyond: free.writesADay, prices.dollarsPer100kWrites)
    deletes = dollars(usage.deletes, beyond: free.deletesADay, prices.dollarsPer100kDeletes)
    storage =
      max(0, usage.gigabytesStored - Decimal(free.gigabytesStored))
      * prices.dollarsPerGigabyteStored
    network =
      max(0, usage.gigabytesSentAMonth - Decimal(free.gigabytesSentAMonth))
      * prices.dollarsPerGigabyteSent
  }
}

/// What one database of a project is given.
///
/// Source: https://firebase.google.com/docs/firestore/quotas
package struct FreeQuota: Hashable, Sendable {
  package let readsADay: Int
  package let writesADay: Int
  package let deletesADay: Int
  package let gigabytesStored: Int
  package let gigabytesSentAMonth: Int

  package static let standard = FreeQuota(
    readsADay: 50_000, writesADay: 20_000, deletesADay: 20_000, gigabytesStored: 1,
    gigabytesSentAMonth: 10)
}

/// What operations, storage and traffic cost at one location.
package struct OperationPrices: Hashable, Sendable {
  package let location: String
  package let dollarsPer100kReads: Decimal
  package let dollarsPer100kWrites: Decimal
  package let dollarsPer100kDeletes: Decimal
  package let dollarsPerGigabyteStored: Decimal
  package let dollarsPerGigabyteSent: Decimal
  package let source: String
  package let date: String

  /// The prices of the same place as `price`; those of nam5 where it names none.
  package static func at(_ location: String?) -> OperationPrices {
    list.first { $0.location == location } ?? nam5
  }

  package static let nam5 = OperationPrices(
    location: "nam5", dollarsPer100kReads: mills(60), dollarsPer100kWrites: mills(180),
    dollarsPer100kDeletes: mills(20), dollarsPerGigabyteStored: mills(180),
    dollarsPerGigabyteSent: mills(120),
    source: "https://docs.cloud.google.com/firestore/native/docs/billing-example",
    date: "2026-08-21")

  package static let usCentral1 = OperationPrices(
    location: "us-central1", dollarsPer100kReads: mills(30), dollarsPer100kWrites: mills(90),
    dollarsPer100kDeletes: mills(10), dollarsPerGigabyteStored: mills(150),
    dollarsPerGigabyteSent: mills(120),
    source: "https://docs.cloud.google.com/firestore/native/docs/cuds", date: "2026-08-21")

  package static let list = [nam5, usCentral1]

  private static func mills(_ mills: Int) -> Decimal { Decimal(mills) / 1000 }
}
