import FeedSimulation
import FeedStore
import Foundation

/// A comparison as a table with its meaning in words, as JSON, and as CSV.
struct ComparisonReport {
  let comparison: Comparison
  let price: ReadPrice
  let input: InputFile

  init(_ comparison: Comparison, price: ReadPrice, input: InputFile) {
    self.comparison = comparison
    self.price = price
    self.input = input
  }

  func dollars(_ result: Comparison.Result, scrolls: Int) -> Decimal {
    price.dollars(reads: result.reads.total, times: scrolls)
  }
}

// MARK: The table

extension ComparisonReport {
  func table(on terminal: Terminal, notes: Bool) -> String {
    var text = terminal.styled(
      FeedText.headline(comparison.feed, rows: comparison.rows.count), .bold)
    text += "\n" + FeedText.conditions(comparison.options).wrapped() + "\n\n"
    var table = Table(columns: [
      .init(title: ["strategy"], alignment: .left), .init(title: ["queries"]),
      .init(title: ["reads", "billed"]), .init(title: ["docs", "sent"]),
      .init(title: ["shown", "twice"]), .init(title: ["never", "shown"]),
      .init(title: ["index", "entries"]), .init(title: ["µs", "median"]),
      .init(title: ["µs", "p99"]), .init(title: ["$ / 1k", "scrolls"]),
      .init(title: ["$ / 1M", "scrolls"]),
    ])
    let least = comparison.results.filter(\.isFaithful).map(\.reads.total).min()
    let smallest = comparison.results.map { dollars($0, scrolls: 1000) }.min() ?? 0
    let places = smallest < Decimal(1) / 10 ? 4 : 2
    for result in comparison.results {
      let isBest =
        comparison.results.count > 1 && result.isFaithful && result.reads.total == least
      table.rows.append([
        .init(result.strategy.rawValue, isBest ? .green : .plain), .init(result.queries.grouped),
        .init(result.reads.total.grouped, isBest ? .green : .plain),
        .init(result.documentsDelivered.grouped),
        warning(result.scroll.duplicatesShown), warning(result.scroll.rowsNeverShown),
        .init(result.indexEntriesScanned.grouped),
        .init(result.medianTimePerPage.microseconds),
        .init(result.slowTimePerPage.microseconds),
        .init(dollars(result, scrolls: 1000).grouped(places: places)),
        .init(dollars(result, scrolls: 1_000_000).grouped(places: 2)),
      ])
    }
    text += table.text(on: terminal)
    text += "\n" + summary.wrapped() + "\n"
    let notes =
      notes ? FeedText.notes(comparison.feed, input: input) + [priceNote, timeNote] : [priceNote]
    text += "\n" + notes.map { terminal.styled($0.wrapped(), .dim) + "\n" }.joined()
    return text
  }

  private func warning(_ count: Int) -> Table.Cell {
    .init(count.grouped, count > 0 ? .red : .plain)
  }

  var summary: String { sentences.joined(separator: " ") }

  /// The cheapest way that shows every row once; nil where none does.
  var best: Comparison.Result? {
    comparison.results.filter(\.isFaithful).min { $0.reads.total < $1.reads.total }
  }

  /// What the numbers mean: the cheapest way that shows everything once, and what is wrong with
  /// the others.
  var sentences: [String] {
    guard !comparison.rows.isEmpty else {
      return ["No document is in the feed; finding nothing is billed one read as well."]
    }
    let results = comparison.results
    guard let best else {
      return results.map { "\($0.strategy.rawValue) \(fault(of: $0))." }
    }
    var sentences = [
      "\(best.strategy.rawValue) shows \(count(best.scroll.rowsShown, "row")), each once, for "
        + "\(count(best.reads.total, "read"))."
    ]
    let dearer = results.filter {
      $0.reads.total > best.reads.total * 11 / 10 && $0.isFaithful
    }
    if let dearest = dearer.max(by: { $0.reads.total < $1.reads.total }) {
      let same = dearer.filter { $0.reads.total * 100 >= dearest.reads.total * 99 }
      sentences.append(
        "\(list(same.map(\.strategy.rawValue))) \(same.count == 1 ? "bills" : "bill") "
          + "\(times(dearest.reads.total, best.reads.total)) times as much.")
    }
    sentences += results.filter { !$0.isFaithful }.map {
      "\($0.strategy.rawValue) \(fault(of: $0))."
    }
    return sentences
  }

  private func fault(of result: Comparison.Result) -> String {
    let scroll = result.scroll
    var faults: [String] = []
    if scroll.duplicatesShown > 0 {
      faults.append("shows \(count(scroll.duplicatesShown, "row")) twice")
    }
    if scroll.rowsNeverShown > 0 {
      faults.append(
        "never shows \(scroll.rowsNeverShown.grouped) of \(count(comparison.rows.count, "row"))")
    }
    return faults.joined(separator: " and ")
  }

  var priceNote: String {
    "Price: \(price.dollarsPer100kReads) US dollars per 100,000 reads"
      + (price.location.map { " in \($0)" } ?? "") + (price.date.map { " on \($0)" } ?? "")
      + " (\(price.source)); the free 50,000 a day are not subtracted."
  }

  private var timeNote: String {
    "Time: what a page takes in this in-memory store, without any network."
  }

  /// One decimal below a hundred.
  func times(_ reads: Int, _ base: Int) -> String {
    let ratio = Decimal(reads) / Decimal(max(1, base))
    return ratio.grouped(places: ratio < 100 ? 1 : 0)
  }

  func count(_ number: Int, _ noun: String) -> String {
    "\(number.grouped) \(noun)\(number == 1 ? "" : "s")"
  }

  private func list(_ names: [String]) -> String {
    names.count < 2
      ? names.joined() : names.dropLast().joined(separator: ", ") + " and " + names[names.count - 1]
  }
}

// MARK: JSON and CSV

extension ComparisonReport {
  var json: JSONText {
    .object([
      ("feed", FeedText.json(comparison.feed, rows: comparison.rows, input: input)),
      ("reader", FeedText.json(comparison.options)),
      ("price", priceJSON),
      ("strategies", .array(comparison.results.map(json))),
      ("summary", .text(summary)),
    ])
  }

  private var priceJSON: JSONText {
    .object([
      ("dollarsPer100kReads", .decimal(price.dollarsPer100kReads)),
      ("location", price.location.map { .text($0) } ?? .null),
      ("source", .text(price.source)),
      ("date", price.date.map { .text($0) } ?? .null),
    ])
  }

  private func json(_ result: Comparison.Result) -> JSONText {
    let rows = result.scroll.visits.lazy.flatMap(\.rows)
    return .object([
      ("strategy", .text(result.strategy.rawValue)),
      ("pages", .integer(result.pages)),
      ("reachedEnd", .boolean(result.scroll.reachedEnd)),
      ("queries", .integer(result.queries)),
      ("readsBilled", .integer(result.reads.total)),
      ("readsByCause", FeedText.json(result.reads)),
      ("documentsDelivered", .integer(result.documentsDelivered)),
      ("documentsSkipped", .integer(result.documentsSkipped)),
      ("rowsShown", .integer(result.scroll.rowsShown)),
      ("duplicatesShown", .integer(result.scroll.duplicatesShown)),
      ("rowsNeverShown", .integer(result.scroll.rowsNeverShown)),
      ("indexEntriesScanned", .integer(result.indexEntriesScanned)),
      ("firstRow", rows.first.map { .text($0) } ?? .null),
      ("lastRow", Array(rows).last.map { .text($0) } ?? .null),
      ("millisecondsPerPageMedian", .number(result.medianTimePerPage.milliseconds(places: 3))),
      ("millisecondsPerPageP99", .number(result.slowTimePerPage.milliseconds(places: 3))),
      ("dollarsPerThousandScrolls", .decimal(dollars(result, scrolls: 1000))),
      ("dollarsPerMillionScrolls", .decimal(dollars(result, scrolls: 1_000_000))),
    ])
  }

  var csv: CSV {
    CSV(
      header: [
        "strategy", "pages", "queries", "reads_billed", "documents_delivered",
        "documents_skipped", "rows_shown", "duplicates_shown", "rows_never_shown",
        "index_entries_scanned", "ms_per_page_median", "ms_per_page_p99",
        "dollars_per_thousand_scrolls", "dollars_per_million_scrolls", "dollars_per_100k_reads",
        "price_location", "price_source", "price_date",
      ],
      rows: comparison.results.map { result in
        let counts = [
          result.pages, result.queries, result.reads.total, result.documentsDelivered,
          result.documentsSkipped, result.scroll.rowsShown, result.scroll.duplicatesShown,
          result.scroll.rowsNeverShown, result.indexEntriesScanned,
        ]
        return [result.strategy.rawValue] + counts.map(String.init) + [
          result.medianTimePerPage.milliseconds(places: 3),
          result.slowTimePerPage.milliseconds(places: 3),
          dollars(result, scrolls: 1000).description,
          dollars(result, scrolls: 1_000_000).description,
          price.dollarsPer100kReads.description, price.location ?? "", price.source,
          price.date ?? "",
        ]
      })
  }
}
