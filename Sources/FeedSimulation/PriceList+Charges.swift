package import Foundation

/// What is used on one day, in the Standard edition.
package struct DailyUsage: Hashable, Sendable {
  package var reads: Int
  package var writes: Int
  package var deletes: Int

  package init(reads: Int = 0, writes: Int = 0, deletes: Int = 0) {
    self.reads = reads
    self.writes = writes
    self.deletes = deletes
  }
}

/// What is used on one day, in the Enterprise edition.
package struct EnterpriseDailyUsage: Hashable, Sendable {
  package var readUnits: Int
  package var writeUnits: Int
  package var realTimeUnits: Int

  package init(readUnits: Int = 0, writeUnits: Int = 0, realTimeUnits: Int = 0) {
    self.readUnits = readUnits
    self.writeUnits = writeUnits
    self.realTimeUnits = realTimeUnits
  }
}

/// One line of a day's bill.
package struct Charge: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    case reads, writes, deletes
    case readUnits = "read units"
    case writeUnits = "write units"
    case realTimeUnits = "real-time update units"
  }

  package var kind: Kind
  package var used: Int
  /// Of those used, the ones that cost nothing.
  package var free: Int
  package var dollars: Decimal

  package var billed: Int { used - free }

  fileprivate init(_ kind: Kind, _ used: Int, free quota: Int?, dollars: Decimal, per: Int) {
    self.kind = kind
    self.used = max(0, used)
    free = min(self.used, max(0, quota ?? 0))
    self.dollars = Decimal(self.used - free) * dollars / Decimal(per)
  }
}

extension StandardPrice {
  /// The charges of one day, in US dollars.
  ///
  /// - Parameters:
  ///   - usage: what is used on that day.
  ///   - quota: what costs nothing; nil for a database to which it does not apply.
  /// - Returns: the charges for reads, writes and deletes, in this order.
  package func charges(for usage: DailyUsage, after quota: FreeQuota?) -> [Charge] {
    [
      Charge(
        .reads, usage.reads, free: quota?.readsPerDay, dollars: per100kReads, per: 100_000),
      Charge(
        .writes, usage.writes, free: quota?.writesPerDay, dollars: per100kWrites, per: 100_000),
      Charge(
        .deletes, usage.deletes, free: quota?.deletesPerDay, dollars: per100kDeletes, per: 100_000),
    ]
  }

  /// What so many equal days cost, in US dollars; the free quota counts on each of them.
  package func dollars(for usage: DailyUsage, after quota: FreeQuota?, days: Int = 1) -> Decimal {
    charges(for: usage, after: quota).reduce(0) { $0 + $1.dollars } * Decimal(days)
  }
}

extension EnterprisePrice {
  /// The charges of one day, in US dollars.
  package func charges(
    for usage: EnterpriseDailyUsage, after quota: EnterpriseFreeQuota?
  ) -> [Charge] {
    [
      Charge(
        .readUnits, usage.readUnits, free: quota?.readUnitsPerDay, dollars: perMillionReadUnits,
        per: 1_000_000),
      Charge(
        .writeUnits, usage.writeUnits, free: quota?.writeUnitsPerDay,
        dollars: perMillionWriteUnits, per: 1_000_000),
      Charge(
        .realTimeUnits, usage.realTimeUnits, free: quota?.realTimeUnitsPerDay,
        dollars: perMillionRealTimeUnits, per: 1_000_000),
    ]
  }

  /// What so many equal days cost, in US dollars; the free quota counts on each of them.
  package func dollars(
    for usage: EnterpriseDailyUsage, after quota: EnterpriseFreeQuota?, days: Int = 1
  ) -> Decimal {
    charges(for: usage, after: quota).reduce(0) { $0 + $1.dollars } * Decimal(days)
  }
}
