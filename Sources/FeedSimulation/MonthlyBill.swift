package import Foundation

/// What a database is asked to do on an ordinary day.
package struct TypicalDay: Hashable, Sendable {
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

  /// The free quota is taken off each day: what one day leaves of it is lost to the next. Of storage
  /// 1 GB is free, and of what is sent 10 GB a month; a GB more costs 0.12 dollars.
  ///
  /// Source: https://docs.cloud.google.com/firestore/native/docs/billing-example
  package init(
    _ day: TypicalDay, at price: StandardPrice, after quota: FreeQuota = PriceList.known.freeQuota
  ) {
    func dollars(_ daily: Decimal, beyond free: Int, _ per100k: Decimal) -> Decimal {
      max(0, daily - Decimal(free)) * Decimal(MonthlyBill.days) * per100k / 100_000
    }
    reads = dollars(day.reads, beyond: quota.readsPerDay, price.per100kReads)
    writes = dollars(day.writes, beyond: quota.writesPerDay, price.per100kWrites)
    deletes = dollars(day.deletes, beyond: quota.deletesPerDay, price.per100kDeletes)
    storage = max(0, day.gigabytesStored - 1) * (price.perGiBMonth ?? 0)
    network = max(0, day.gigabytesSentAMonth - 10) * 12 / 100
  }
}
