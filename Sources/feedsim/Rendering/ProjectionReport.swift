import FeedSimulation
import FeedStore
import Foundation

/// A projection as tables with their meaning in words, as JSON, and as CSV.
struct ProjectionReport {
  let projection: Projection
  let input: InputFile

  private var audience: Projection.Audience { projection.audience }

  func table(on terminal: Terminal, notes: Bool) -> String {
    var text = terminal.styled(
      FeedText.headline(projection.feed, rows: projection.rows), .bold)
    text += "\n" + conditions.wrapped() + "\n\n" + bills(on: terminal)
    if let subject = projection.subject {
      text +=
        "\nWhat moves the bill of \(subject.strategy.rawValue), the factor that moves it most "
      text += "first:\n\n" + sensitivities(on: terminal)
    }
    text += "\n" + sentences.map { $0.wrapped() + "\n" }.joined()
    let dim = (notes ? FeedText.notes(projection.feed, input: input) : []) + assumptions
    return text + "\n" + dim.map { terminal.styled($0.wrapped(), .dim) + "\n" }.joined()
  }

  private var conditions: String {
    let screens = audience.screens.map {
      "; \($0.name), \($0.opensADay) times a day with \($0.documents.grouped) documents"
    }.joined()
    return "\(audience.dailyUsers.grouped) users a day, \(audience.sessionsAUser) sessions each, "
      + "\(audience.pagesASession.grouped) pages of \(audience.pageSize.grouped) rows a session"
      + "\(screens); \(audience.editsADay.grouped) edits and \(audience.deletesADay.grouped) deletes "
      + "a day; \(projection.price.location)."
  }

  private func bills(on terminal: Terminal) -> String {
    var table = Table(columns: [
      .init(title: ["strategy"], alignment: .left), .init(title: ["reads a", "session"]),
      .init(title: ["reads", "a day"]), .init(title: ["$ reads", "a month"]),
      .init(title: ["$ writes,", "deletes"]), .init(title: ["$ in all", "a month"]),
      .init(title: ["users a day", "for free"]),
    ])
    let least = projection.subject?.bill.total
    for result in projection.results {
      let style: Terminal.Style =
        result.isFaithful ? (result.bill.total == least ? .green : .plain) : .red
      table.rows.append([
        .init(result.strategy.rawValue + (result.isFaithful ? "" : " *"), style),
        .init(result.readsASession.grouped), .init(result.usage.reads.grouped(places: 0)),
        .init(result.bill.reads.grouped(places: 2)),
        .init((result.bill.writes + result.bill.deletes).grouped(places: 2)),
        .init(result.bill.total.grouped(places: 2), style),
        .init(projection.usersWithinFreeQuota(result)?.grouped ?? "all"),
      ])
    }
    return table.text(on: terminal)
  }

  private func sensitivities(on terminal: Terminal) -> String {
    var table = Table(columns: [
      .init(title: ["factor"], alignment: .left), .init(title: ["now"]),
      .init(title: ["$ at half"]), .init(title: ["$ now"]), .init(title: ["$ at twice"]),
    ])
    let now = projection.subject?.bill.total ?? 0
    for sensitivity in projection.sensitivities {
      table.rows.append([
        .init(sensitivity.factor.words), .init(ProjectionReport.plain(sensitivity.now)),
        .init(sensitivity.half.total.grouped(places: 2)), .init(now.grouped(places: 2)),
        .init(sensitivity.twice.total.grouped(places: 2)),
      ])
    }
    return table.text(on: terminal)
  }

  private static func plain(_ amount: Decimal) -> String {
    Int("\(amount)")?.grouped ?? "\(amount)"
  }

  // MARK: Words

  var sentences: [String] {
    var sentences = breakEvens
    if let listening = projection.listening {
      sentences.append(
        "Listening: with all \(audience.editsADay.grouped) edits of a day on the first page, a "
          + "listener there is told of \(listening.changesASession.grouped(places: 1)) changes in a "
          + "session of \(audience.sessionMinutes.grouped) minutes, "
          + "\(listening.bill.total.grouped(places: 2)) US dollars a month in all. Break-even: up to "
          + "\(listening.editsLikeOneRefresh.grouped(places: 0)) edits a day that is cheaper than one "
          + "refresh in each session.")
    }
    let unfaithful = projection.results.filter { !$0.isFaithful }
    if !unfaithful.isEmpty {
      sentences.append(
        "* \(unfaithful.map(\.strategy.rawValue).joined(separator: ", ")): loses or repeats rows on "
          + "its way to the end of this feed.")
    }
    let depth = projection.readsByDepth.values.map(\.count).max() ?? 0
    if depth < audience.pagesASession {
      sentences.append(
        "The feed ends after \(depth.grouped) pages; nobody scrolls further than that.")
    }
    return sentences
  }

  /// One sentence for all that change places with the same strategy at the same depth.
  private var breakEvens: [String] {
    var groups: [(key: Projection.BreakEven, names: [String])] = []
    for found in projection.breakEvens {
      let place = groups.firstIndex {
        $0.key.cheaperBeyond == found.cheaperBeyond && $0.key.pages == found.pages
      }
      if let place {
        groups[place].names.append(found.cheaperAtFirst.rawValue)
      } else {
        groups.append((found, [found.cheaperAtFirst.rawValue]))
      }
    }
    guard !groups.isEmpty else {
      return ["No strategy is cheaper than another in short sessions and dearer in long ones."]
    }
    return groups.map { key, names in
      "Break-even: \(names.joined(separator: ", ")) \(names.count == 1 ? "is" : "are") cheaper than "
        + "\(key.cheaperBeyond.rawValue) up to \((key.pages - 1).grouped) "
        + "\(key.pages == 2 ? "page" : "pages"), dearer from "
        + "\(key.pages.grouped) on."
    }
  }

  private var assumptions: [String] {
    let (price, quota) = (projection.price, projection.quota)
    return [
      "Prices: \(price.per100kReads), \(price.per100kWrites) and \(price.per100kDeletes) US dollars "
        + "per 100,000 reads, writes and deletes in \(price.location) on \(price.date) "
        + "(\(price.source)).",
      "Free each day: \(quota.readsPerDay.grouped) reads, \(quota.writesPerDay.grouped) writes, "
        + "\(quota.deletesPerDay.grouped) deletes; what one day leaves of them is "
        + "lost. A month has \(MonthlyBill.days) days. Every session starts at the top and caches "
        + "nothing; storage and network are not counted.",
    ]
  }
}

extension Projection.Factor {
  var words: String {
    switch self {
    case .dailyUsers: "users a day"
    case .sessionsAUser: "sessions a user"
    case .pagesASession: "pages a session"
    case .pageSize: "rows on a page"
    case .editsADay: "edits a day"
    }
  }
}

// MARK: JSON and CSV

extension ProjectionReport {
  var json: JSONText {
    .object([
      ("feed", .text(FeedText.headline(projection.feed, rows: projection.rows))),
      (
        "audience",
        .object([
          ("dailyUsers", .integer(audience.dailyUsers)),
          ("sessionsPerUser", .decimal(audience.sessionsAUser)),
          ("pagesPerSession", .integer(audience.pagesASession)),
          ("pageSize", .integer(audience.pageSize)),
          ("editsPerDay", .integer(audience.editsADay)),
          ("deletesPerDay", .integer(audience.deletesADay)),
          ("sessionMinutes", .integer(audience.sessionMinutes)),
          (
            "otherScreens",
            .array(
              audience.screens.map {
                .object([
                  ("name", .text($0.name)), ("opensPerDay", .decimal($0.opensADay)),
                  ("documents", .integer($0.documents)),
                ])
              })
          ),
        ])
      ),
      ("location", .text(projection.price.location)),
      ("strategies", .array(projection.results.map(json))),
      ("listenHead", projection.listening.map(json) ?? .null),
      (
        "sensitivity",
        .array(
          projection.sensitivities.map {
            .object([
              ("factor", .text($0.factor.words)), ("now", .decimal($0.now)),
              ("dollarsAtHalf", .decimal($0.half.total)),
              ("dollarsAtTwice", .decimal($0.twice.total)),
            ])
          })
      ),
      (
        "breakEven",
        .array(
          projection.breakEvens.map {
            .object([
              ("cheaperAtFirst", .text($0.cheaperAtFirst.rawValue)),
              ("cheaperBeyond", .text($0.cheaperBeyond.rawValue)),
              ("fromPages", .integer($0.pages)),
            ])
          })
      ),
    ])
  }

  private func json(_ listening: Projection.Listening) -> JSONText {
    .object([
      ("changesPerSession", .decimal(listening.changesASession)),
      ("dollarsPerMonth", .decimal(listening.bill.total)),
      ("editsPerDayLikeOneRefresh", .decimal(listening.editsLikeOneRefresh)),
    ])
  }

  private func json(_ result: Projection.Result) -> JSONText {
    .object([
      ("strategy", .text(result.strategy.rawValue)),
      ("showsEachRowOnce", .boolean(result.isFaithful)),
      ("readsPerSession", .integer(result.readsASession)),
      ("readsPerDay", .decimal(result.usage.reads)),
      ("dollarsReadsPerMonth", .decimal(result.bill.reads)),
      ("dollarsWritesPerMonth", .decimal(result.bill.writes)),
      ("dollarsDeletesPerMonth", .decimal(result.bill.deletes)),
      ("dollarsPerMonth", .decimal(result.bill.total)),
    ])
  }

  var csv: CSV {
    CSV(
      header: [
        "strategy", "reads_per_session", "reads_per_day", "dollars_reads_per_month",
        "dollars_writes_per_month", "dollars_deletes_per_month", "dollars_per_month", "location",
      ],
      rows: projection.results.map { result in
        let amounts = [
          result.usage.reads, result.bill.reads, result.bill.writes, result.bill.deletes,
          result.bill.total,
        ]
        return [result.strategy.rawValue, String(result.readsASession)]
          + amounts.map(\.description) + [projection.price.location]
      })
  }
}
