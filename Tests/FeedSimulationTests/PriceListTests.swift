import FeedSimulation
import Foundation
import Testing

@Suite struct PriceListTests {
  static func decimal(_ text: String) throws -> Decimal {
    try #require(Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")))
  }

  @Test func `every known price says where and when it was read`() {
    let known = PriceList.known
    #expect(Set(known.standard.map(\.location)).count == known.standard.count)
    #expect(known.standard.allSatisfy { !$0.source.isEmpty && !$0.date.isEmpty })
    #expect(known.enterprise.allSatisfy { !$0.source.isEmpty && !$0.date.isEmpty })
    #expect(known.standard.contains { $0.isMultiRegion })
    #expect(known.standard.contains { !$0.isMultiRegion })
    #expect(known.standard(at: "nam5")?.place == "United States, multi-region")
    #expect(known.standard(at: "atlantis") == nil)
  }

  @Test func `the free quota is taken off each day's use, and never below nothing`() throws {
    let price = try #require(PriceList.known.standard(at: "nam5"))
    let quota = PriceList.known.freeQuota
    let usage = DailyUsage(reads: 150_000, writes: 20_001, deletes: 5)
    let charges = price.charges(for: usage, after: quota)
    #expect(charges.map(\.free) == [50_000, 20_000, 5])
    #expect(charges.map(\.billed) == [100_000, 1, 0])
    #expect(try charges.map(\.dollars) == ["0.06", "0.0000018", "0"].map(Self.decimal))
    #expect(
      price.dollars(for: usage, after: quota, days: 30) == (try Self.decimal("1.800054")))
    #expect(price.dollars(for: DailyUsage(reads: 49_999), after: quota, days: 30) == 0)
  }

  @Test func `a quota that does not apply frees nothing`() throws {
    let price = StandardPrice.usCentral1
    #expect(
      price.dollars(for: DailyUsage(reads: 100_000), after: nil) == (try Self.decimal("0.03")))
  }

  @Test func `money is exact where floating point is not`() throws {
    let price = StandardPrice.nam5
    let tenth = price.dollars(for: DailyUsage(reads: 1), after: nil, days: 10_000_000)
    #expect(tenth == 6)
  }

  @Test func `the Enterprise edition is charged by units`() throws {
    let price = try #require(PriceList.known.enterprise(at: "us-central1"))
    let usage = EnterpriseDailyUsage(
      readUnits: 1_050_000, writeUnits: 1_040_000, realTimeUnits: 50_000)
    let charges = price.charges(for: usage, after: PriceList.known.enterpriseFreeQuota)
    #expect(try charges.map(\.dollars) == ["0.05", "0.26", "0"].map(Self.decimal))
    #expect(
      charges.map(\.kind.rawValue) == ["read units", "write units", "real-time update units"])
  }
}

@Suite struct PriceFileTests {
  static let price = """
    { "location": "mars1", "per100kReads": 0.036, "per100kWrites": "0.108", "per100kDeletes": 0,
      "source": "https://example.com", "date": "2026-01-01" }
    """

  static func list(_ json: String) throws -> PriceList {
    try PriceList(json: Data(json.utf8), file: "prices.json")
  }

  static func failure(_ json: String) -> String {
    do {
      _ = try list(json)
      return "no failure"
    } catch { return "\(error)" }
  }

  @Test func `a price file gives its prices exactly, and the known quota where it has none`() throws
  {
    let list = try Self.list("{ \"standard\": [\(Self.price)] }")
    let price = try #require(list.standard(at: "mars1"))
    #expect(price.per100kReads == (try PriceListTests.decimal("0.036")))
    #expect(price.per100kWrites == (try PriceListTests.decimal("0.108")))
    #expect(price.per100kDeletes == 0)
    #expect(price.place == "mars1" && price.perGiBMonth == nil)
    #expect(list.freeQuota == PriceList.known.freeQuota)
    #expect(list.enterprise.isEmpty)
  }

  @Test func `a price file may set quotas and Enterprise prices`() throws {
    let list = try Self.list(
      """
      { "enterprise": [{ "location": "mars1", "place": "Mars", "perMillionReadUnits": 1,
          "perMillionWriteUnits": 2, "perMillionRealTimeUnits": 3, "source": "s", "date": "d" }],
        "freeQuota": { "readsPerDay": 1, "writesPerDay": 2, "deletesPerDay": 3 },
        "enterpriseFreeQuota": { "readUnitsPerDay": 4, "writeUnitsPerDay": 5,
          "realTimeUnitsPerDay": 6 } }
      """)
    #expect(list.enterprise(at: "mars1")?.perMillionRealTimeUnits == 3)
    #expect(list.freeQuota.readsPerDay == 1 && list.freeQuota.source == "prices.json")
    #expect(list.enterpriseFreeQuota.realTimeUnitsPerDay == 6)
  }

  @Test(arguments: [
    ("[]", "prices.json: the file must be an object."),
    ("{}", "prices.json: there is no price in it."),
    ("{ \"standrad\": [] }", "prices.json: standrad is not known. Known are standard,"),
    ("{ \"standard\": {} }", "prices.json: standard must be a list of objects."),
    ("{ \"standard\": [1] }", "prices.json: standard[0] must be an object."),
    ("{ \"standard\": [{}] }", "prices.json: standard[0].location is missing."),
    (
      "{ \"standard\": [\(price), \(price)] }",
      "prices.json: mars1 is in “standard” twice. Leave one."
    ),
    (
      "{ \"standard\": [\(price)], \"freeQuota\": { \"readsPerDay\": 1.5 } }",
      "prices.json: freeQuota.readsPerDay must be a whole number."
    ),
    (
      "{ \"standard\": [\(price)], \"freeQuota\": { \"readsPerDay\": -1 } }",
      "prices.json: freeQuota.readsPerDay is negative."
    ),
  ])
  func `a mistake is named with its file and its place`(_ json: String, _ message: String) {
    #expect(Self.failure(json).hasPrefix(message))
  }

  @Test(arguments: [
    ("0.036", "\"0,036\"", "per100kReads must be a number of US dollars."),
    ("0.036", "\"\"", "per100kReads must be a number of US dollars."),
    ("0.036", "true", "per100kReads must be a number of US dollars."),
    ("0.036", "-1", "per100kReads is negative."),
    ("\"2026-01-01\"", "\"\"", "date must be a text that is not empty."),
    ("\"2026-01-01\"", "7", "date must be a text that is not empty."),
    ("\"location\"", "\"place\": \"Mars\", \"locaton\"", "locaton is not known."),
  ])
  func `a mistake in a price is named with its member`(
    _ right: String, _ wrong: String, _ message: String
  ) {
    let price = Self.price.replacing(right, with: wrong)
    #expect(
      Self.failure("{ \"standard\": [\(price)] }").hasPrefix("prices.json: standard[0].\(message)"))
  }

  @Test func `a file that is not there or is not JSON is named`() {
    #expect(throws: PriceListError.self) { try PriceList(contentsOf: "/nowhere/prices.json") }
    #expect(Self.failure("{").hasPrefix("prices.json: not JSON: "))
  }
}
