import FeedSimulation
import FeedStore

/// What a feed and its reader are, in words and as JSON: the same in every report.
enum FeedText {
  /// `posts order by createdAt desc: 988 rows`.
  static func headline(_ feed: Feed, rows: Int) -> String {
    var text = feed.name
    if !feed.conditions.isEmpty {
      text +=
        " where "
        + feed.conditions.map { "\($0.field) \($0.comparison.rawValue) \($0.value.text)" }
        .joined(separator: " and ")
    }
    text += " order by "
    text += feed.orders.map { "\($0.field)\($0.isDescending ? " desc" : "")" }
      .joined(separator: ", ")
    return text + ": \(rows.grouped) row\(rows == 1 ? "" : "s")"
  }

  /// How the reader scrolls and what happens meanwhile.
  static func conditions(_ options: Scroll.Options) -> String {
    let pages = options.pages.map { "\($0.grouped) page\($0 == 1 ? "" : "s")" } ?? "all pages"
    var text = "One reader scrolls \(pages), \(options.pageSize.grouped) rows each"
    guard options.hasChurn else { return text + "; nobody writes meanwhile." }
    text += "; after each page others insert \(options.insertsPerPage.grouped) and delete "
    return text + "\(options.deletesPerPage.grouped) at the top (seed \(options.seed))."
  }

  /// What a newcomer would wonder about.
  static func notes(_ feed: Feed, input: InputFile) -> [String] {
    guard feed.countOfUnordered > 0 else { return [] }
    let fields = feed.orders.map(\.field).joined(separator: " or ")
    return [
      "Note: \(feed.countOfUnordered.grouped) of the \(feed.documents.count.grouped) documents lack "
        + "\(fields); a query ordered by a field never returns documents without it."
    ]
  }

  static func json(_ feed: Feed, rows: [String], input: InputFile) -> JSONText {
    .object([
      ("source", .text(input.name)),
      ("documents", .integer(feed.documents.count)),
      ("documentsWithoutOrderField", .integer(feed.countOfUnordered)),
      ("rows", .integer(rows.count)),
      ("firstRow", rows.first.map { .text($0) } ?? .null),
      ("lastRow", rows.last.map { .text($0) } ?? .null),
      (
        "orderBy",
        .array(
          feed.orders.map {
            .object([
              ("field", .text($0.field)), ("direction", .text($0.isDescending ? "desc" : "asc")),
            ])
          })
      ),
    ])
  }

  static func json(_ options: Scroll.Options) -> JSONText {
    .object([
      ("pageSize", .integer(options.pageSize)),
      ("pages", options.pages.map { .integer($0) } ?? .text("all")),
      ("insertsPerPage", .integer(options.insertsPerPage)),
      ("deletesPerPage", .integer(options.deletesPerPage)),
      ("seed", .number(String(options.seed))),
    ])
  }

  static func json(_ reads: BilledReads) -> JSONText {
    .object(reads.byCause.map { ("\($0.cause)", .integer($0.reads)) })
  }
}
