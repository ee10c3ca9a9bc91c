package import Foundation

/// Why a price file cannot be used.
package enum PriceListError: Error, Hashable {
  case unreadable(file: String, reason: String)
  case notJSON(file: String, reason: String)
  case missing(file: String, member: String)
  case wrongType(file: String, member: String, expected: String)
  case unknownMember(file: String, member: String, known: [String])
  case negative(file: String, member: String)
  case repeatedLocation(file: String, location: String, edition: String)
  case noPrices(file: String)
}

extension PriceListError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .unreadable(let file, let reason):
      "\(file): the price file cannot be read: \(reason)"
    case .notJSON(let file, let reason):
      "\(file): not JSON: \(reason) A price file is an object with the member “standard”."
    case .missing(let file, let member):
      "\(file): \(member) is missing. Every price needs its source and its date, too."
    case .wrongType(let file, let member, let expected):
      "\(file): \(member) must be \(expected)."
    case .unknownMember(let file, let member, let known):
      "\(file): \(member) is not known. Known are \(known.joined(separator: ", "))."
    case .negative(let file, let member):
      "\(file): \(member) is negative. Give US dollars, or a number of operations, from 0 upwards."
    case .repeatedLocation(let file, let location, let edition):
      "\(file): \(location) is in “\(edition)” twice. Leave one."
    case .noPrices(let file):
      "\(file): there is no price in it. Give at least one location in “standard” or “enterprise”."
    }
  }
}

extension PriceList {
  /// Reads a price file.
  ///
  /// ```json
  /// { "standard": [{ "location": "nam5", "per100kReads": 0.06, "per100kWrites": 0.18,
  ///     "per100kDeletes": 0.02, "source": "https://…", "date": "2026-08-21" }],
  ///   "freeQuota": { "readsPerDay": 50000, "writesPerDay": 20000, "deletesPerDay": 20000 } }
  /// ```
  ///
  /// A price is a number, or a text that holds one. A quota that is left out is the one known here.
  ///
  /// - Throws: `PriceListError` with the file and the member that is wrong.
  package init(contentsOf file: String) throws(PriceListError) {
    let data: Data
    do { data = try Data(contentsOf: URL(fileURLWithPath: file)) } catch {
      throw .unreadable(file: file, reason: error.localizedDescription)
    }
    try self.init(json: data, file: file)
  }

  /// Reads the text of a price file; `file` is its name in errors.
  package init(json: Data, file: String) throws(PriceListError) {
    let root = try PriceFileObject(json: json, file: file)
    try root.only([
      "standard", "enterprise", "freeQuota", "enterpriseFreeQuota",
    ])
    var standard: [StandardPrice] = []
    for object in try root.objects("standard") { standard.append(try StandardPrice(object)) }
    var enterprise: [EnterprisePrice] = []
    for object in try root.objects("enterprise") { enterprise.append(try EnterprisePrice(object)) }
    guard !standard.isEmpty || !enterprise.isEmpty else { throw .noPrices(file: file) }
    try PriceList.refuseRepeats(standard.map(\.location), edition: "standard", file: file)
    try PriceList.refuseRepeats(enterprise.map(\.location), edition: "enterprise", file: file)
    self.init(
      standard: standard, enterprise: enterprise, freeQuota: PriceList.known.freeQuota,
      enterpriseFreeQuota: PriceList.known.enterpriseFreeQuota)
    if let object = try root.object("freeQuota") { freeQuota = try FreeQuota(object) }
    if let object = try root.object("enterpriseFreeQuota") {
      enterpriseFreeQuota = try EnterpriseFreeQuota(object)
    }
  }

  private static func refuseRepeats(
    _ locations: [String], edition: String, file: String
  ) throws(PriceListError) {
    var seen: Set<String> = []
    for location in locations where !seen.insert(location).inserted {
      throw .repeatedLocation(file: file, location: location, edition: edition)
    }
  }
}

extension StandardPrice {
  fileprivate init(_ object: PriceFileObject) throws(PriceListError) {
    try object.only([
      "location", "place", "isMultiRegion", "per100kReads", "per100kWrites", "per100kDeletes",
      "perGiBMonth", "source", "date",
    ])
    let location = try object.text("location")
    self.init(
      location: location, place: try object.optionalText("place") ?? location,
      isMultiRegion: try object.flag("isMultiRegion"),
      per100kReads: try object.price("per100kReads"),
      per100kWrites: try object.price("per100kWrites"),
      per100kDeletes: try object.price("per100kDeletes"),
      perGiBMonth: try object.optionalPrice("perGiBMonth"), source: try object.text("source"),
      date: try object.text("date"))
  }
}

extension EnterprisePrice {
  fileprivate init(_ object: PriceFileObject) throws(PriceListError) {
    try object.only([
      "location", "place", "perMillionReadUnits", "perMillionWriteUnits",
      "perMillionRealTimeUnits", "source", "date",
    ])
    let location = try object.text("location")
    self.init(
      location: location, place: try object.optionalText("place") ?? location,
      perMillionReadUnits: try object.price("perMillionReadUnits"),
      perMillionWriteUnits: try object.price("perMillionWriteUnits"),
      perMillionRealTimeUnits: try object.price("perMillionRealTimeUnits"),
      source: try object.text("source"), date: try object.text("date"))
  }
}

extension FreeQuota {
  fileprivate init(_ object: PriceFileObject) throws(PriceListError) {
    try object.only(["readsPerDay", "writesPerDay", "deletesPerDay", "source", "date"])
    self.init(
      readsPerDay: try object.count("readsPerDay"), writesPerDay: try object.count("writesPerDay"),
      deletesPerDay: try object.count("deletesPerDay"),
      source: try object.optionalText("source") ?? object.file,
      date: try object.optionalText("date") ?? "undated")
  }
}

extension EnterpriseFreeQuota {
  fileprivate init(_ object: PriceFileObject) throws(PriceListError) {
    try object.only([
      "readUnitsPerDay", "writeUnitsPerDay", "realTimeUnitsPerDay", "source", "date",
    ])
    self.init(
      readUnitsPerDay: try object.count("readUnitsPerDay"),
      writeUnitsPerDay: try object.count("writeUnitsPerDay"),
      realTimeUnitsPerDay: try object.count("realTimeUnitsPerDay"),
      source: try object.optionalText("source") ?? object.file,
      date: try object.optionalText("date") ?? "undated")
  }
}
