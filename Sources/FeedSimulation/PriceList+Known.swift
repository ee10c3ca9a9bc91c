import Foundation

extension PriceList {
  /// The prices known here. Google publishes more locations and changes prices; a price file is for
  /// those.
  package static let known = PriceList(
    standard: [
      .nam5, .usCentral1,
      StandardPrice(
        location: "us-west1", place: "Oregon", isMultiRegion: false, per100kReads: mills(30),
        per100kWrites: mills(90), per100kDeletes: mills(10), perGiBMonth: mills(150),
        source: "https://firebase.google.com/docs/firestore/pricing, in another language",
        date: "undated, older"),
      StandardPrice(
        location: "us-west2", place: "Los Angeles", isMultiRegion: false, per100kReads: mills(36),
        per100kWrites: mills(108), per100kDeletes: mills(12), perGiBMonth: nil,
        source: "https://firebase.google.com/docs/firestore/pricing, in another language",
        date: "undated, older"),
      StandardPrice(
        location: "me-central1", place: "Doha", isMultiRegion: false, per100kReads: mills(36),
        per100kWrites: mills(109), per100kDeletes: mills(12), perGiBMonth: mills(182),
        source: "a copy of https://cloud.google.com/firestore/pricing", date: "about 2024"),
      StandardPrice(
        location: "asia-northeast1", place: "Tokyo", isMultiRegion: false, per100kReads: mills(38),
        per100kWrites: mills(115), per100kDeletes: mills(13), perGiBMonth: mills(115),
        source: "a developer's article, not verified", date: "2025"),
      StandardPrice(
        location: "eur3", place: "Europe, multi-region", isMultiRegion: true,
        per100kReads: mills(60), per100kWrites: mills(180), per100kDeletes: mills(20),
        perGiBMonth: mills(180),
        source: "a page that priced all multi-regions alike, not verified for today",
        date: "2018 to 2020"),
    ],
    enterprise: [
      EnterprisePrice(
        location: "us-central1", place: "Iowa", perMillionReadUnits: mills(50),
        perMillionWriteUnits: mills(260), perMillionRealTimeUnits: mills(300),
        source: "https://cloud.google.com/firestore/pricing", date: "2026-08-21")
    ],
    freeQuota: FreeQuota(
      readsPerDay: 50_000, writesPerDay: 20_000, deletesPerDay: 20_000,
      source: "https://firebase.google.com/docs/firestore/quotas", date: "2026-08-21"),
    enterpriseFreeQuota: EnterpriseFreeQuota(
      readUnitsPerDay: 50_000, writeUnitsPerDay: 40_000, realTimeUnitsPerDay: 50_000,
      source: "https://firebase.google.com/docs/firestore/quotas", date: "2026-08-21"))
}

extension StandardPrice {
  /// The United States multi-region, the price of Firestore's own billing example.
  package static let nam5 = StandardPrice(
    location: "nam5", place: "United States, multi-region", isMultiRegion: true,
    per100kReads: mills(60), per100kWrites: mills(180), per100kDeletes: mills(20),
    perGiBMonth: mills(180),
    source: "https://docs.cloud.google.com/firestore/native/docs/billing-example",
    date: "2026-08-21")

  /// Iowa, the lowest price advertised.
  package static let usCentral1 = StandardPrice(
    location: "us-central1", place: "Iowa", isMultiRegion: false, per100kReads: mills(30),
    per100kWrites: mills(90), per100kDeletes: mills(10), perGiBMonth: mills(150),
    source: "https://docs.cloud.google.com/firestore/native/docs/cuds", date: "2026-08-21")
}

/// Thousandths of a dollar, exactly.
private func mills(_ mills: Int) -> Decimal { Decimal(mills) / 1_000 }
