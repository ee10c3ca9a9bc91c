import FeedSimulation

extension CommandOption {
  static let strategies = CommandOption(
    name: "strategy", kind: .choice(PagingStrategy.allCases.map(\.rawValue)), value: "NAME",
    isRepeatable: true,
    help: "Compare only this one: "
      + "\(PagingStrategy.allCases.map(\.rawValue).joined(separator: ", ")).")
}

extension Command {
  static let compare = Command(
    name: "compare",
    summary: "Scroll one reader through a feed with every way of paging, and compare the bills.",
    discussion: "Each strategy scrolls through a database of its own, with the same writes of "
      + "others meanwhile. The table counts the queries sent, the reads Firestore bills for them, "
      + "the documents delivered, the rows a reader sees twice or never, the index entries "
      + "scanned, the time a page takes in this in-memory store, and the price of a thousand and "
      + "of a million such scrolls.\n"
      + "A document's id is its field __name__ or id, else one made from its position. Cells of CSV "
      + "are numbers, true, false or text; a cell in quotes is text, an empty one is no field.",
    positionals: [],
    options: CommandOption.feed + [.strategies] + CommandOption.surroundings + [.help],
    examples: [
      "feedsim compare",
      "feedsim compare --inserts-per-page 2 --deletes-per-page 1",
      "feedsim compare --input quakes.ndjson --order-by significance:desc --format json",
      "feedsim compare --input feed.csv --timestamp date --order-by date:desc --pages 10",
    ]
  ) { arguments, terminal in
    let price = try arguments.readPrice()
    let comparison = try await arguments.comparison(on: terminal)
    let report = ComparisonReport(
      comparison, price: price, input: InputFile(arguments.text(.input)))
    switch arguments.format {
    case .table:
      try terminal.write(report.table(on: terminal, notes: !arguments.has(.quiet)))
    case .json: try terminal.write(report.json.pretty + "\n")
    case .csv: try terminal.write(report.csv.text)
    }
  }
}

extension ParsedArguments {
  /// Runs the comparison the arguments describe, behind a bar of progress.
  func comparison(on terminal: Terminal) async throws -> Comparison {
    let options = try scrollOptions()
    let named = texts(.strategies).compactMap(PagingStrategy.init)
    let bar = ProgressBar(on: terminal, quiet: has(.quiet))
    defer { bar.finish() }
    return try await Comparison(
      of: feed(), by: named.isEmpty ? PagingStrategy.allCases : named, options: options
    ) { progress in
      bar.update(
        progress.strategy.rawValue, done: progress.pagesDone, of: progress.pagesInAll)
    }
  }
}
