package import Foundation

/// What Firestore charges: prices by location, with where and when each was read.
///
/// Money is decimal, never floating point.
package struct PriceList: Hashable, Sendable {
  package var standard: [StandardPrice]
  package var enterprise: [EnterprisePrice]
  package var freeQuota: FreeQuota
  package var enterpriseFreeQuota: EnterpriseFreeQuota

  package init(
    standard: [StandardPrice], enterprise: [EnterprisePrice], freeQuota: FreeQuota,
    enterpriseFreeQuota: EnterpriseFreeQuota
  ) {
    self.standard = standard
    self.enterprise = enterprise
    self.freeQuota = freeQuota
    self.enterpriseFreeQuota = enterpriseFreeQuota
  }

  /// The Standard edition's price at a location; nil where the list has none.
  package func standard(at location: String) -> StandardPrice? {
    standard.first { $0.location == location }
  }

  /// The Enterprise edition's price at a location; nil where the list has none.
  package func enterprise(at location: String) -> EnterprisePrice? {
    enterprise.first { $0.location == location }
  }
}

/// The prices of the Standard edition at one location, in US dollars.
package struct StandardPrice: Hashable, Sendable {
  /// The location's name, such as `nam5`.
  package var location: String
  /// Where that is.
  package var place: String
  package var isMultiRegion: Bool
  package var per100kReads: Decimal
  package var per100kWrites: Decimal
  package var per100kDeletes: Decimal
  /// For a GiB stored for a month; nil where it is not known.
  package var perGiBMonth: Decimal?
  /// Where the price was read, and when.
  package var source: String
  package var date: String

  package init(
    location: String, place: String, isMultiRegion: Bool, per100kReads: Decimal,
    per100kWrites: Decimal, per100kDeletes: Decimal, perGiBMonth: Decimal?, source: String,
    date: String
  ) {
    self.location = location
    self.place = place
    self.isMultiRegion = isMultiRegion
    self.per100kReads = per100kReads
    self.per100kWrites = per100kWrites
    self.per100kDeletes = per100kDeletes
    self.perGiBMonth = perGiBMonth
    self.source = source
    self.date = date
  }
}

/// The prices of the Enterprise edition at one location, in US dollars.
package struct EnterprisePrice: Hashable, Sendable {
  package var location: String
  package var place: String
  package var perMillionReadUnits: Decimal
  package var perMillionWriteUnits: Decimal
  package var perMillionRealTimeUnits: Decimal
  package var source: String
  package var date: String

  package init(
    location: String, place: String, perMillionReadUnits: Decimal, perMillionWriteUnits: Decimal,
    perMillionRealTimeUnits: Decimal, source: String, date: String
  ) {
    self.location = location
    self.place = place
    self.perMillionReadUnits = perMillionReadUnits
    self.perMillionWriteUnits = perMillionWriteUnits
    self.perMillionRealTimeUnits = perMillionRealTimeUnits
    self.source = source
    self.date = date
  }
}

/// What costs nothing on any day, in the first database of a project.
package struct FreeQuota: Hashable, Sendable {
  package var readsPerDay: Int
  package var writesPerDay: Int
  package var deletesPerDay: Int
  package var source: String
  package var date: String

  package init(
    readsPerDay: Int, writesPerDay: Int, deletesPerDay: Int, source: String, date: String
  ) {
    self.readsPerDay = readsPerDay
    self.writesPerDay = writesPerDay
    self.deletesPerDay = deletesPerDay
    self.source = source
    self.date = date
  }
}

/// What costs nothing on any day in the Enterprise edition.
package struct EnterpriseFreeQuota: Hashable, Sendable {
  package var readUnitsPerDay: Int
  package var writeUnitsPerDay: Int
  package var realTimeUnitsPerDay: Int
  package var source: String
  package var date: String

  package init(
    readUnitsPerDay: Int, writeUnitsPerDay: Int, realTimeUnitsPerDay: Int, source: String,
    date: String
  ) {
    self.readUnitsPerDay = readUnitsPerDay
    self.writeUnitsPerDay = writeUnitsPerDay
    self.realTimeUnitsPerDay = realTimeUnitsPerDay
    self.source = source
    self.date = date
  }
}
