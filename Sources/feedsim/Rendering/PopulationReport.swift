import FeedSimulation
import FeedStore
import Foundation

/// What many readers came to: a table with its meaning in words, as JSON, and as CSV.
struct PopulationReport {
  let comparison: PopulationComparison
  let price: ReadPrice
  let input: InputFile

  private var habits: ReaderHabits { comparison.habits }
  private var sessions: Int { comparison.results.first?.sessions ?? 0 }

  func table(on terminal: Terminal, notes: Bool) -> String {
    var text = terminal.styled(
      FeedText.headline(comparison.feed, rows: comparison.rows.count), .bold)
    text += "\n" + conditions.wrapped() + "\n\n" + figures(on: terminal)
    text += "\n" + sentences.joined(separator: " ").wrapped() + "\n"
    let dim =
      (notes ? FeedText.notes(comparison.feed, input: input) + assumptions : []) + [priceNote]
    return text + "\n" + dim.map { terminal.styled($0.wrapped(), .dim) + "\n" }.joined()
  }

  private func figures(on terminal: Terminal) -> String {
    var table = Table(columns: [
      .init(title: ["strategy"], alignment: .left), .init(title: ["pages", "shown"]),
      .init(title: ["reads", "billed"]), .init(title: ["reads a", "session"]),
      .init(title: ["wasted", "reads"]), .init(title: ["rows", "again"]),
      .init(title: ["rows", "missed"]), .init(title: ["seen", "live"]),
      .init(title: ["errors", "shown"]), .init(title: ["ms", "median"]),
      .init(title: ["ms", "p95"]), .init(title: ["$ / 1M", "sessions"]),
    ])
    let least = best?.reads.total
    for result in comparison.results {
      let style: Terminal.Style = result.reads.total == least ? .green : .plain
      table.rows.append([
        .init(result.mode.name, style), .init(result.pagesShown.grouped),
        .init(result.reads.total.grouped, style), .init(perSession(result).grouped(places: 1)),
        .init(result.wastedReads.grouped), .init(result.rowsRepeated.grouped),
        .init(result.rowsMissed.grouped, result.rowsMissed > 0 ? .red : .plain),
        .init(result.changesSeen.grouped), .init(result.failuresShown.grouped),
        .init(result.wait(percentile: 50).grouped), .init(result.wait(percentile: 95).grouped),
        .init(dollars(result).grouped(places: 2)),
      ])
    }
    return table.text(on: terminal)
  }

  // MARK: Words

  private var conditions: String {
    var text =
      "\(habits.readers.grouped) readers come within \(habits.minutes.grouped) minutes and scroll "
      + "\(habits.meanPages.grouped) pages of \(habits.pageSize.grouped) rows on average, "
    if let most = habits.mostPages { text += "\(most.grouped) at most, " }
    text +=
      "\(sessions.grouped) sessions in all. A minute brings \(habits.insertsAMinute.grouped) inserts, "
      + "\(habits.editsAMinute.grouped) edits and \(habits.deletesAMinute.grouped) deletes. "
      + "\(habits.refreshPercent)% refresh after a page, \(habits.returnPercent)% return, "
      + "\(habits.cancelPercent)% leave during a load, \(habits.doubleFirePercent)% of loads are "
      + "triggered twice\(habits.isGuarded ? "" : " and sent twice"); "
      + "\(habits.network.latencyMilliseconds.grouped) ms, \(habits.network.failurePercent)% of "
      + "requests fail, \(habits.network.retries.grouped) retries"
    if habits.offlinePercent > 0 { text += "; \(habits.offlinePercent)% are offline" }
    if habits.hasPersistentCache { text += "; a cache on the device" }
    return text + " (seed \(habits.seed))."
  }

  /// The cheapest way of reading that missed no more rows than any other.
  private var best: PopulationResult? {
    let least = comparison.results.map(\.rowsMissed).min()
    return comparison.results.filter { $0.rowsMissed == least }
      .min { $0.reads.total < $1.reads.total }
  }

  var sentences: [String] {
    guard let best else { return [] }
    var sentences = [
      "\(best.mode.name) is the cheapest of those that miss the fewest rows: "
        + "\(perSession(best).grouped(places: 1)) reads a session."
    ]
    if let dearest = comparison.results.max(by: { $0.reads.total < $1.reads.total }),
      dearest.reads.total > best.reads.total * 11 / 10
    {
      let times = Decimal(dearest.reads.total) / Decimal(max(1, best.reads.total))
      sentences.append(
        "\(dearest.mode.name), the dearest, bills \(times.grouped(places: 1)) times as much.")
    }
    if best.mode.isLive {
      sentences.append(
        "\(best.mode.name) shows changes at once, \(best.changesSeen.grouped) of them.")
    } else if let live = comparison.results.filter({ $0.mode.isLive })
      .min(by: { $0.reads.total < $1.reads.total })
    {
      sentences.append(
        "\(live.mode.name) is the cheapest that shows changes at once, "
          + "\(live.changesSeen.grouped) of them, at \(perSession(live).grouped(places: 1)) reads.")
    }
    let wasted = SimulatedOperation.Outcome.allCases.compactMap { outcome in
      best.wasted[outcome].map { "\($0.grouped) \(outcome.rawValue)" }
    }
    if !wasted.isEmpty {
      sentences.append(
        "Nobody saw \(best.wastedReads.grouped) of its reads (\(wasted.joined(separator: ", "))).")
    }
    if best.triggersJoined > 0 {
      sentences.append(
        "\(best.triggersJoined.grouped) second triggers joined a load that was running; without that "
          + "each is billed a page.")
    }
    return sentences
  }

  private var assumptions: [String] {
    var notes = [
      "Assumed: half of the failures lose the request, which is not billed, and half the answer, which "
        + "is. Edits move no row. Times are virtual."
    ]
    if comparison.results.contains(where: { $0.mode.isLive }) {
      notes.append(
        "Listeners are billed by their published rules from the simulated changes, each alone: an "
          + "insert one read for the newcomer, an edit one, a delete one for the row that moves up. "
          + "Where a feed is live, nobody refreshes it.")
    }
    return notes
  }

  private var priceNote: String {
    "Price: \(price.dollarsPer100kReads) US dollars per 100,000 reads"
      + (price.location.map { " in \($0)" } ?? "") + (price.date.map { " on \($0)" } ?? "")
      + " (\(price.source)); the free 50,000 a day are not subtracted."
  }

  private func perSession(_ result: PopulationResult) -> Decimal {
    Decimal(result.reads.total) / Decimal(max(1, result.sessions))
  }

  /// For a million sessions like these.
  private func dollars(_ result: PopulationResult) -> Decimal {
    price.dollars(reads: result.reads.total, times: 1_000_000) / Decimal(max(1, result.sessions))
  }
}

// MARK: JSON and CSV

extension PopulationReport {
  var json: JSONText {
    .object([
      ("feed", FeedText.json(comparison.feed, rows: comparison.rows, input: input)),
      ("conditions", .text(conditions)),
      ("seed", .number(String(habits.seed))),
      ("strategies", .array(comparison.results.map(json))),
      ("summary", .text(sentences.joined(separator: " "))),
      ("assumptions", .array(assumptions.map { .text($0) })),
    ])
  }

  private func json(_ result: PopulationResult) -> JSONText {
    .object([
      ("strategy", .text(result.mode.name)), ("sessions", .integer(result.sessions)),
      ("pagesShown", .integer(result.pagesShown)), ("operations", .integer(result.operations)),
      ("readsBilled", .integer(result.reads.total)),
      ("readsByCause", FeedText.json(result.reads)),
      (
        "readsWasted",
        .object(
          SimulatedOperation.Outcome.allCases.filter { $0 != .shown }.map {
            ($0.rawValue, .integer(result.wasted[$0] ?? 0))
          })
      ),
      ("rowsRepeated", .integer(result.rowsRepeated)),
      ("rowsMissed", .integer(result.rowsMissed)),
      ("changesSeen", .integer(result.changesSeen)),
      ("triggersJoined", .integer(result.triggersJoined)),
      ("failuresShown", .integer(result.failuresShown)),
      ("sessionsFromCache", .integer(result.sessionsFromCache)),
      ("millisecondsMedian", .integer(result.wait(percentile: 50))),
      ("millisecondsP95", .integer(result.wait(percentile: 95))),
    ])
  }

  var csv: CSV {
    CSV(
      header: [
        "strategy", "sessions", "pages_shown", "operations", "reads_billed", "reads_wasted",
        "rows_repeated", "rows_missed", "changes_seen", "triggers_joined", "failures_shown",
        "sessions_from_cache", "ms_median", "ms_p95",
      ],
      rows: comparison.results.map { result in
        let counts = [
          result.sessions, result.pagesShown, result.operations, result.reads.total,
          result.wastedReads, result.rowsRepeated, result.rowsMissed, result.changesSeen,
          result.triggersJoined, result.failuresShown, result.sessionsFromCache,
          result.wait(percentile: 50), result.wait(percentile: 95),
        ]
        return [result.mode.name] + counts.map(String.init)
      })
  }
}
