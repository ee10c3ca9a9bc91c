import FeedSimulation
import FeedStore

/// A comparison as one page that needs nothing else: no network, no script, no other file.
///
/// It holds no times and no dates of its own, so that the same command makes the same page.
struct HTMLReport {
  let report: ComparisonReport
  /// How the page is made again.
  let command: String

  private var comparison: Comparison { report.comparison }
  var charts: [Chart] { ComparisonCharts(comparison: comparison).all }

  var text: String {
    let title = "What paging \(comparison.feed.name) costs"
    return """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <meta name="generator" content="feedsim \(FeedSim.version)">
      <link rel="icon" href="data:,">
      <title>\(title.markedUp)</title>
      <style>
      \(ReportStyle.page)</style>
      </head>
      <body>
      <header>
      <h1>\(title.markedUp)</h1>
      <p class="lead">\((report.sentences.first ?? "").markedUp)</p>
      \(tiles)</header>
      <main>
      \(section("What was compared", compared))\
      \(charts.map { section($0.title, $0.figure) }.joined())\
      \(section("Findings", findings))\
      \(section("All figures", figures))\
      \(section("Assumptions", list(assumptions) + openRules))</main>
      <footer><p>Made by <code>\(command.markedUp)</code>; the same command makes the same page.</p>
      </footer>
      </body>
      </html>

      """
  }

  private func section(_ title: String, _ content: String) -> String {
    "<section>\n<h2>\(title.markedUp)</h2>\n\(content)</section>\n"
  }

  private func list(_ sentences: [String]) -> String {
    "<ul>\n" + sentences.map { "<li>\($0.markedUp)</li>\n" }.joined() + "</ul>\n"
  }

  /// The three numbers a reader in a hurry takes away.
  private var tiles: String {
    guard let best = report.best else { return "" }
    var tiles = [
      (best.reads.total.grouped, "reads: \(best.strategy.rawValue), the cheapest that shows all")
    ]
    if let dearest = comparison.results.max(by: { $0.reads.total < $1.reads.total }),
      dearest.reads.total > best.reads.total
    {
      tiles.append(
        (dearest.reads.total.grouped, "reads: \(dearest.strategy.rawValue), the dearest"))
      tiles.append(
        (
          report.times(dearest.reads.total, best.reads.total) + "×",
          "between them"
        ))
    }
    return "<ul class=\"tiles\">\n"
      + tiles.map { "<li><strong>\($0.0)</strong> <span>\($0.1.markedUp)</span></li>\n" }.joined()
      + "</ul>\n"
  }

  private var compared: String {
    let lines = [
      ("Feed", FeedText.headline(comparison.feed, rows: comparison.rows.count)),
      ("Documents", "\(comparison.feed.documents.count.grouped), from \(report.input.name)"),
      ("Reader", FeedText.conditions(comparison.options)),
    ]
    var text = "<dl>\n"
    for (term, words) in lines {
      text += "<div><dt>\(term)</dt><dd>\(words.markedUp)</dd></div>\n"
    }
    text += "</dl>\n<dl class=\"strategies\">\n"
    for result in comparison.results {
      text += "<div><dt>\(result.strategy.rawValue)</dt>"
      text += "<dd>\(result.strategy.summary.markedUp)</dd></div>\n"
    }
    return text + "</dl>\n"
  }

  /// What the comparison shows, then what each strategy's ledger does.
  private var findings: String {
    var text = "<ul>\n"
    for sentence in report.sentences + FeedText.notes(comparison.feed, input: report.input) {
      text += "<li>\(sentence.markedUp)</li>\n"
    }
    for result in comparison.results {
      for finding in result.findings {
        text += "<li><strong>\(result.strategy.rawValue)</strong> (\(finding.kind.rawValue)): "
        text += "\(finding.message.markedUp)</li>\n"
      }
    }
    return text + "</ul>\n"
  }

  /// Where Google's pages leave a rule open, what is taken for it.
  private var openRules: String {
    "<details><summary>Rules that Google's pages leave open, and what is taken for them</summary>\n"
      + list(BillingAssumptions.documented.statements) + "</details>\n"
  }

  private var figures: String {
    let smallest = comparison.results.map { report.dollars($0, scrolls: 1000) }.min() ?? 0
    let places = smallest < 1 ? 4 : 2
    return FigureTable(
      header: [
        "strategy", "queries", "reads billed", "documents sent", "shown twice", "never shown",
        "index entries read", "$ per 1,000 scrolls", "$ per 1,000,000 scrolls",
      ],
      rows: comparison.results.map { result in
        [
          result.strategy.rawValue, result.queries.grouped, result.reads.total.grouped,
          result.documentsDelivered.grouped, result.scroll.duplicatesShown.grouped,
          result.scroll.rowsNeverShown.grouped, result.indexEntriesScanned.grouped,
          report.dollars(result, scrolls: 1000).grouped(places: places),
          report.dollars(result, scrolls: 1_000_000).grouped(places: 2),
        ]
      }
    ).html(caption: "One scroll by each strategy")
  }

  private var assumptions: [String] {
    [
      "Reads are counted by the rules of Firestore's Standard edition: one for each document "
        + "returned or skipped by an offset, at least one for a query, one for each 1,000 index "
        + "entries of a count (https://firebase.google.com/docs/firestore/pricing).",
      report.priceNote,
      "Each strategy scrolls through a database of its own; the writes of others are the same for "
        + "all, decided by the seed \(comparison.options.seed).",
      "Nothing is cached, no request fails, and each query is sent once.",
      "A growing limit replaces the list by each answer, so it repeats no row and pays for all of "
        + "them again.",
    ]
  }
}
