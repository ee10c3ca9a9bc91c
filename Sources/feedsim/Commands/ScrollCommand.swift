import FeedSimulation
import FeedStore

extension CommandOption {
  static let strategy = CommandOption(
    name: "strategy", kind: .choice(PagingStrategy.allCases.map(\.rawValue)), value: "NAME",
    help: "How to ask for the next page (document-cursor): "
      + "\(PagingStrategy.allCases.map(\.rawValue).joined(separator: ", ")).")
}

extension Command {
  static let scroll = Command(
    name: "scroll",
    summary: "Scroll one reader through a feed, page by page, with what each page costs and why.",
    discussion:
      "The cause of each read is one of Firestore's billing rules: a document returned, a "
      + "document skipped by an offset, the least of one read for an empty result, or the index "
      + "entries of a count.",
    positionals: [],
    options: CommandOption.feed + [.strategy] + CommandOption.surroundings + [.help],
    examples: [
      "feedsim scroll --pages 3",
      "feedsim scroll --strategy offset --inserts-per-page 1 --pages 5",
      "feedsim generate anime | feedsim scroll --input - --order-by rank --strategy page-number",
    ]
  ) { arguments, terminal in
    let price = try arguments.readPrice()
    let strategy = arguments.text(.strategy).flatMap(PagingStrategy.init) ?? .documentCursor
    let options = try arguments.scrollOptions()
    let feed = try arguments.feed()
    let bar = ProgressBar(on: terminal, quiet: arguments.has(.quiet))
    defer { bar.finish() }
    let session = try await ReaderSession(feed: feed, options: options)
    let expected = session.expectedPageCount
    let scroll = try await session.scroll(by: strategy) { done in
      bar.update(strategy.rawValue, done: done, of: expected)
    }
    bar.finish()
    let report = ScrollReport(
      scroll: scroll, feed: feed, rows: session.rows, options: options, price: price,
      input: InputFile(arguments.text(.input)))
    switch arguments.format {
    case .table:
      try terminal.write(report.table(on: terminal, notes: !arguments.has(.quiet)))
    case .json: try terminal.write(report.json.pretty + "\n")
    case .csv: try terminal.write(report.csv.text)
    }
  }
}
