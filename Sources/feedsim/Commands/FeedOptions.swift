import FeedSimulation
import FeedStore
import Foundation

extension CommandOption {
  static let input = CommandOption(
    name: "input", kind: .text, value: "FILE",
    help: "The documents, '-' for standard input: JSON lines, a JSON array, CSV with a header or "
      + "Firestore REST documents, recognised by content. Without it, the shipped posts feed.")
  static let orderBy = CommandOption(
    name: "order-by", kind: .text, value: "FIELD[:asc|desc]", isRepeatable: true,
    help: "Order the feed by a field. Without it, by document name; the shipped posts by "
      + "createdAt:desc.")
  static let filter = CommandOption(
    name: "where", kind: .words(3), value: "FIELD OP VALUE", isRepeatable: true,
    help: "Keep documents where FIELD compares so with VALUE (JSON, else text). OP is one of "
      + "\(Feed.Condition.Operator.allCases.map(\.rawValue).joined(separator: " ")).")
  static let timestamp = CommandOption(
    name: "timestamp", kind: .text, value: "FIELD", isRepeatable: true,
    help: "Take the ISO 8601 text in FIELD as a timestamp.")
  static let pageSize = CommandOption(
    name: "page-size", kind: .integer(1...10_000), value: "N", help: "Rows on a page (15).")
  static let pages = CommandOption(
    name: "pages", kind: .integerOrWord(1...Int.max, "all"), value: "N|all",
    help: "How many pages the reader scrolls (all).")
  static let insertsPerPage = CommandOption(
    name: "inserts-per-page", kind: .integer(0...10_000), value: "N",
    help: "Documents others insert at the top of the feed after each page (0).")
  static let deletesPerPage = CommandOption(
    name: "deletes-per-page", kind: .integer(0...10_000), value: "N",
    help: "Documents others delete from the feed's first page after each page (0).")
  static let seed = CommandOption(
    name: "seed", kind: .integer(0...Int.max), value: "N",
    help: "Decides what the writes hit; the same number, the same writes (1).")
  static let format = CommandOption(
    name: "format", kind: .choice(OutputFormat.allCases.map(\.rawValue)),
    value: "table|json|csv", help: "How to print the result (table).")
  static let price = CommandOption(
    name: "price", kind: .decimal, value: "DOLLARS",
    help: "US dollars per 100,000 reads (\(ReadPrice.nam5.dollarsPer100kReads), nam5).")
  static let location = CommandOption(
    name: "location", kind: .choice(ReadPrice.list.compactMap(\.location)), value: "NAME",
    help: "Take the price of this location: "
      + "\(ReadPrice.list.compactMap(\.location).joined(separator: ", ")).")
  /// With a price file, any of its locations.
  static let priceLocation = CommandOption(
    name: "location", kind: .text, value: "NAME",
    help: "Take the prices of this location (nam5); known without a price file: "
      + "\(ReadPrice.list.compactMap(\.location).joined(separator: ", ")).")
  static let priceFile = CommandOption(
    name: "prices", kind: .text, value: "FILE",
    help: "Take the prices and the free quota from a JSON file; --location names one of its "
      + "locations, else its first counts.")
  static let quiet = CommandOption(
    name: "quiet", letter: "q", kind: .flag,
    help: "No progress bar, and no notes below the table but the price.")

  /// What makes a feed and a reader, for every command that has both.
  static let feed = [input, orderBy, filter, timestamp, pageSize, pages]
  static let writesOfOthers = [insertsPerPage, deletesPerPage, seed]
  static let prices = [price, location]
  static let surroundings = writesOfOthers + prices + [format, quiet]
}

enum OutputFormat: String, CaseIterable {
  case table, json, csv
}

extension ParsedArguments {
  /// The feed the arguments describe, with its documents read.
  ///
  /// - Throws: `UsageError`, `FileError`, `StandardInputError`, `FeedError` or `InputError`.
  func feed() throws -> Feed {
    let orders = try texts(.orderBy).map(ParsedArguments.order)
    let input = text(.input)
    let isShipped = input == nil
    var timestampFields = texts(.timestamp)
    if isShipped { timestampFields += Seed.posts.timestampFields }
    let conditions = try wordLists(.filter).map {
      try ParsedArguments.condition($0, timestampFields: timestampFields)
    }
    let source = try InputFile(input).documents(timestampFields: timestampFields)
    let usual = Feed.Order(
      field: Seed.posts.orderField, isDescending: Seed.posts.isDescending)
    return try Feed(
      name: InputFile(input).collection, of: source,
      orders: orders.isEmpty && isShipped ? [usual] : orders, conditions: conditions,
      timestampFields: timestampFields)
  }

  /// - Throws: `UsageError.neverEnds` where rows arrive as fast as pages turn and no page is last.
  func scrollOptions() throws(UsageError) -> Scroll.Options {
    var options = Scroll.Options()
    options.pageSize = integer(.pageSize) ?? options.pageSize
    options.pages = integer(.pages)
    options.insertsPerPage = integer(.insertsPerPage) ?? 0
    options.deletesPerPage = integer(.deletesPerPage) ?? 0
    options.seed = integer(.seed).map(UInt64.init) ?? options.seed
    if options.pages == nil, options.insertsPerPage - options.deletesPerPage >= options.pageSize {
      throw .neverEnds(inserts: options.insertsPerPage, pageSize: options.pageSize)
    }
    return options
  }

  /// - Throws: `UsageError` where both a price and a location are given.
  func readPrice() throws(UsageError) -> ReadPrice {
    guard let text = text(.price), let dollars = Decimal(string: text) else {
      let name = self.text(.location)
      return ReadPrice.list.first { $0.location == name } ?? .nam5
    }
    guard !has(.location) else { throw .onlyOneOf("--price", "--location") }
    return ReadPrice(dollarsPer100kReads: dollars)
  }

  /// The price of a location and the list it stands in.
  ///
  /// - Throws: `PriceListError` for the file, `UsageError` where it does not have the location.
  func standardPrice() throws -> (StandardPrice, PriceList) {
    let list = try text(.priceFile).map { try PriceList(contentsOf: $0) } ?? .known
    guard let name = text(.location) else {
      return (has(.priceFile) ? list.standard.first ?? .nam5 : .nam5, list)
    }
    guard let price = list.standard(at: name) else {
      throw UsageError.unknownChoice(
        "--location", given: name, choices: list.standard.map(\.location))
    }
    return (price, list)
  }

  var format: OutputFormat { text(.format).flatMap(OutputFormat.init) ?? .table }

  /// `FIELD`, `FIELD:asc` or `FIELD:desc`; the last colon counts.
  static func order(_ text: String) throws(UsageError) -> Feed.Order {
    guard let colon = text.lastIndex(of: ":") else {
      return Feed.Order(field: text, isDescending: false)
    }
    let field = String(text[..<colon])
    switch text[text.index(after: colon)...] {
    case "asc": return Feed.Order(field: field, isDescending: false)
    case "desc": return Feed.Order(field: field, isDescending: true)
    case let other: throw .unknownDirection(String(other), field: field)
    }
  }

  private static func condition(
    _ words: [String], timestampFields: [String]
  ) throws(UsageError) -> Feed.Condition {
    let (field, symbol, text) = (words[0], words[1], words[2])
    guard let comparison = Feed.Condition.Operator(rawValue: symbol) else {
      throw .unknownOperator(symbol, known: Feed.Condition.Operator.allCases.map(\.rawValue))
    }
    guard timestampFields.contains(field) else {
      return Feed.Condition(field: field, comparison: comparison, value: Literal(text))
    }
    guard let value = Literal(timestamp: text) else {
      throw .badTimestamp(field: field, value: text)
    }
    return Feed.Condition(field: field, comparison: comparison, value: value)
  }
}
