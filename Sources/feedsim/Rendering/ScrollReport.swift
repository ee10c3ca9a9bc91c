import FeedSimulation
import FeedStore

/// One reader's scroll, page by page.
struct ScrollReport {
  let scroll: Scroll
  let feed: Feed
  let rows: [String]
  let options: Scroll.Options
  let price: ReadPrice
  let input: InputFile

  func table(on terminal: Terminal, notes: Bool) -> String {
    var text = terminal.styled(FeedText.headline(feed, rows: rows.count), .bold)
    text += "\n" + FeedText.conditions(options).wrapped() + "\n"
    text += "\(scroll.strategy.rawValue): \(scroll.strategy.summary).".wrapped() + "\n\n"
    var table = Table(columns: [
      .init(title: ["page"]), .init(title: ["rows"]),
      .init(title: ["first row"], alignment: .left), .init(title: ["last row"], alignment: .left),
      .init(title: ["reads"]), .init(title: ["in all"]), .init(title: ["µs"]),
      .init(title: ["billed for"], alignment: .left),
    ])
    var total = 0
    for (index, visit) in scroll.visits.enumerated() {
      total += visit.reads.total
      table.rows.append([
        .init((index + 1).grouped), .init(visit.rows.count.grouped),
        .init((visit.rows.first ?? "–").shortened(to: 20)),
        .init((visit.rows.last ?? "–").shortened(to: 20)),
        .init(visit.reads.total.grouped), .init(total.grouped),
        .init(visit.duration.microseconds), .init(ScrollReport.causes(visit.reads)),
      ])
    }
    text += table.text(on: terminal)
    text += "\n" + summary.wrapped() + "\n"
    if notes {
      text += FeedText.notes(feed, input: input)
        .map { "\n" + terminal.styled($0.wrapped(), .dim) + "\n" }.joined()
    }
    return text
  }

  /// `15 documents skipped, 15 returned`.
  static func causes(_ reads: BilledReads) -> String {
    reads.byCause.map { cause, count in
      switch cause {
      case .documentsReturned: "\(count.grouped) returned"
      case .documentsSkipped: "\(count.grouped) skipped"
      case .indexEntries: "\(count.grouped) for index entries"
      case .minimum: "the least of 1"
      case .documentFound: "\(count.grouped) found"
      case .documentMissing: "\(count.grouped) missing"
      case .aggregation: "\(count.grouped) for the count"
      default: "\(count.grouped) \(cause.rawValue)"
      }
    }.joined(separator: ", ")
  }

  private var reads: Int { scroll.visits.reduce(0) { $0 + $1.reads.total } }

  private var summary: String {
    let queries = scroll.visits.reduce(0) { $0 + $1.requests.count }
    let dollars = price.dollars(reads: reads, times: 1000)
    return "\(scroll.rowsShown.grouped) rows in \(queries.grouped) "
      + "\(queries == 1 ? "query" : "queries") for \(reads.grouped) reads; "
      + "\(scroll.duplicatesShown.grouped) shown twice, \(scroll.rowsNeverShown.grouped) never; "
      + "\(scroll.reachedEnd ? "the end was reached" : "more rows follow"). "
      + "A thousand such scrolls cost \(dollars.grouped(places: 2)) US dollars at "
      + "\(price.dollarsPer100kReads) per 100,000 reads"
      + (price.location.map { " in \($0)" } ?? "") + (price.date.map { " on \($0)" } ?? "")
      + " (\(price.source))."
  }

  var json: JSONText {
    .object([
      ("feed", FeedText.json(feed, rows: rows, input: input)),
      ("reader", FeedText.json(options)),
      ("strategy", .text(scroll.strategy.rawValue)),
      ("reachedEnd", .boolean(scroll.reachedEnd)),
      ("readsBilled", .integer(reads)),
      ("rowsShown", .integer(scroll.rowsShown)),
      ("duplicatesShown", .integer(scroll.duplicatesShown)),
      ("rowsNeverShown", .integer(scroll.rowsNeverShown)),
      ("pages", .array(scroll.visits.map(ScrollReport.json))),
    ])
  }

  private static func json(_ visit: Scroll.Visit) -> JSONText {
    .object([
      ("rows", .array(visit.rows.map { .text($0) })),
      ("readsBilled", .integer(visit.reads.total)),
      ("readsByCause", FeedText.json(visit.reads)),
      ("documentsDelivered", .integer(visit.documentsDelivered)),
      ("documentsSkipped", .integer(visit.documentsSkipped)),
      ("indexEntriesScanned", .integer(visit.indexEntriesScanned)),
      ("queries", .array(visit.requests.map { .text($0.query) })),
      ("milliseconds", .number(visit.duration.milliseconds(places: 3))),
    ])
  }

  var csv: CSV {
    CSV(
      header: [
        "page", "rows", "first_row", "last_row", "queries", "reads_billed",
        "documents_delivered", "documents_skipped", "index_entries_scanned", "milliseconds",
      ],
      rows: scroll.visits.enumerated().map { index, visit in
        [
          String(index + 1), String(visit.rows.count), visit.rows.first ?? "",
          visit.rows.last ?? "", String(visit.requests.count), String(visit.reads.total),
          String(visit.documentsDelivered), String(visit.documentsSkipped),
          String(visit.indexEntriesScanned), visit.duration.milliseconds(places: 3),
        ]
      })
  }
}
