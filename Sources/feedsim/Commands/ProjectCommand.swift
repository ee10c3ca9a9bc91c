import FeedSimulation
import FeedStore
import Foundation

extension CommandOption {
  static let dailyUsers = CommandOption(
    name: "daily-users", kind: .integer(1...1_000_000_000), value: "N",
    help: "People who open the app on a day (10,000).")
  static let sessions = CommandOption(
    name: "sessions", kind: .decimal, value: "X",
    help: "How often each of them opens the feed a day (3).")
  static let pagesASession = CommandOption(
    name: "pages-per-session", kind: .integer(1...1_000_000), value: "N",
    help: "How many pages they scroll each time (4).")
  static let edits = CommandOption(
    name: "edits-per-day", kind: .integer(0...1_000_000_000), value: "N",
    help: "Documents written a day, by everybody together (1,000).")
  static let deletions = CommandOption(
    name: "deletes-per-day", kind: .integer(0...1_000_000_000), value: "N",
    help: "Documents deleted a day, by everybody together (0).")
  static let sessionMinutes = CommandOption(
    name: "session-minutes", kind: .integer(1...1440), value: "N",
    help: "How many minutes a session lasts, for what a listener would be told (5).")
  static let screen = CommandOption(
    name: "screen", kind: .words(3), value: "NAME OPENS DOCUMENTS", isRepeatable: true,
    help: "Another screen that each user opens OPENS times a day, reading DOCUMENTS each time.")
}

extension Command {
  static let project = Command(
    name: "project",
    summary: "Project a month's bill from who reads, how often and how deep.",
    discussion: "Each strategy scrolls the feed once, and what it is billed is multiplied by the "
      + "sessions of a day. The free quota is taken off each day, and a month has thirty. Below the "
      + "table: which factor moves the bill most, and where one strategy stops being cheaper than "
      + "another.\n"
      + "With EXAMPLE 'chat', computes the chat app whose costs Google publishes and compares the "
      + "figures: https://docs.cloud.google.com/firestore/native/docs/billing-example",
    positionals: ["EXAMPLE"],
    options: [
      .dailyUsers, .sessions, .pagesASession, .pageSize, .edits, .deletions, .sessionMinutes,
      .screen, .input,
      .orderBy, .filter, .timestamp, .strategies, .priceLocation, .priceFile, .format, .quiet,
      .help,
    ],
    examples: [
      "feedsim project --daily-users 50000 --pages-per-session 6",
      "feedsim project --location us-central1 --edits-per-day 20000 --format json",
      "feedsim project --screen profile 2 1 --screen notifications 5 10",
      "feedsim project chat",
    ]
  ) { arguments, terminal in
    if let example = arguments.positionals.first {
      guard example == "chat" else {
        throw UsageError.unknownChoice("project", given: example, choices: ["chat"])
      }
      if let other = arguments.namesOfOptions.first(where: { $0 != CommandOption.format.name }) {
        throw UsageError.onlyOneOf("the example 'chat'", "--\(other)")
      }
      let report = ChatExampleReport()
      return try terminal.write(
        arguments.format == .json
          ? report.json.pretty + "\n"
          : arguments.format == .csv ? report.csv.text : report.table(on: terminal))
    }
    let (price, list) = try arguments.standardPrice()
    let named = arguments.texts(.strategies).compactMap(PagingStrategy.init)
    let projection = try await Projection(
      of: arguments.feed(), by: named.isEmpty ? PagingStrategy.allCases : named,
      audience: arguments.audience(), price: price, quota: list.freeQuota)
    let report = ProjectionReport(
      projection: projection, input: InputFile(arguments.text(.input)))
    switch arguments.format {
    case .table:
      try terminal.write(report.table(on: terminal, notes: !arguments.has(.quiet)))
    case .json: try terminal.write(report.json.pretty + "\n")
    case .csv: try terminal.write(report.csv.text)
    }
  }
}

extension ParsedArguments {
  fileprivate func audience() throws(UsageError) -> Projection.Audience {
    var audience = Projection.Audience()
    audience.dailyUsers = integer(.dailyUsers) ?? audience.dailyUsers
    audience.sessionsAUser =
      text(.sessions).flatMap { Decimal(string: $0) } ?? audience.sessionsAUser
    audience.pagesASession = integer(.pagesASession) ?? audience.pagesASession
    audience.pageSize = integer(.pageSize) ?? audience.pageSize
    audience.editsADay = integer(.edits) ?? audience.editsADay
    audience.sessionMinutes = integer(.sessionMinutes) ?? audience.sessionMinutes
    audience.deletesADay = integer(.deletions) ?? audience.deletesADay
    for words in wordLists(.screen) { audience.screens.append(try OtherScreen(words)) }
    return audience
  }
}

extension OtherScreen {
  /// The three words after `--screen`.
  fileprivate init(_ words: [String]) throws(UsageError) {
    guard words[1].wholeMatch(of: /[0-9]{1,9}(\.[0-9]{1,9})?/) != nil,
      let opens = Decimal(string: words[1])
    else { throw .notADecimal("--screen", given: words[1]) }
    let range = 0...1_000_000_000
    guard let documents = Int(words[2]), range.contains(documents) else {
      throw .notInRange("--screen", given: words[2], range: range, or: nil)
    }
    self.init(name: words[0], opensADay: opens, documents: documents)
  }
}
