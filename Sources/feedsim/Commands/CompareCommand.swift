import FeedSimulation
import FeedStore

extension CommandOption {
  static let strategies = CommandOption(
    name: "strategy", kind: .choice(PagingStrategy.allCases.map(\.rawValue)), value: "NAME",
    isRepeatable: true,
    help: "Compare only this one: "
      + "\(PagingStrategy.allCases.map(\.rawValue).joined(separator: ", ")).")
  static let readingModes = CommandOption(
    name: "strategy", kind: .choice(ReadingMode.all.map(\.name)), value: "NAME",
    isRepeatable: true,
    help: strategies.help.dropLast() + "; with --readers also "
      + "\(ReadingMode.listening.map(\.name).joined(separator: ", ")).")
}

extension Command {
  static let compare = Command(
    name: "compare",
    summary: "Scroll through a feed with every way of paging, and compare the bills.",
    discussion: """
      Each strategy scrolls through a database of its own, with the same writes of others \
      meanwhile. The table counts the queries sent, the reads Firestore bills for them, the \
      documents delivered, the rows a reader sees twice or never, the index entries scanned, the \
      time a page takes in this in-memory store, and the price of a thousand and of a million such \
      scrolls.
      With --readers, many people scroll a living feed instead, in virtual time: they come, \
      refresh, leave while a page loads and return, over a network that is slow and fails, and \
      listeners join the comparison. The seed decides all of it; --ledger traces every figure.
      A document's id is its field __name__ or id, else one made from its position. Cells of CSV \
      are numbers, true, false or text; a cell in quotes is text, an empty one is no field.
      """,
    positionals: [],
    options: CommandOption.feed + [.readingModes] + CommandOption.surroundings + [.ledger]
      + CommandOption.population + [.help],
    examples: [
      "feedsim compare",
      "feedsim compare --inserts-per-page 2 --deletes-per-page 1",
      "feedsim compare --input quakes.ndjson --order-by significance:desc --format json",
      "feedsim compare --input feed.csv --timestamp date --order-by date:desc --pages 10",
      "feedsim compare --readers 200 --depth 6 --edits-per-minute 30 --ledger ledger.jsonl",
    ]
  ) { arguments, terminal in
    let price = try arguments.readPrice()
    let input = InputFile(arguments.text(.input))
    if let habits = try arguments.habits() {
      let comparison = try await arguments.population(habits, on: terminal)
      let report = PopulationReport(comparison: comparison, price: price, input: input)
      return try arguments.print(
        report.table(on: terminal, notes: !arguments.has(.quiet)), report.json, report.csv,
        on: terminal)
    }
    let comparison = try await arguments.comparison(
      by: arguments.namedStrategies(), on: terminal)
    let ledger = try LedgerFile(arguments.text(.ledger))
    for line in comparison.results.lazy.flatMap({ LedgerLines.lines($0) }) {
      try ledger.add(line)
    }
    try ledger.flush()
    let report = ComparisonReport(comparison, price: price, input: input)
    try arguments.print(
      report.table(on: terminal, notes: !arguments.has(.quiet)), report.json, report.csv,
      on: terminal)
  }
}

extension ParsedArguments {
  /// Prints a result in the format that was asked for.
  func print(
    _ table: @autoclosure () -> String, _ json: @autoclosure () -> JSONText,
    _ csv: @autoclosure () -> CSV, on terminal: Terminal
  ) throws {
    switch format {
    case .table: try terminal.write(table())
    case .json: try terminal.write(json().pretty + "\n")
    case .csv: try terminal.write(csv().text)
    }
  }

  /// Lets the readers scroll, with each billed operation in the ledger where one is wanted.
  fileprivate func population(
    _ habits: ReaderHabits, on terminal: Terminal
  ) async throws -> PopulationComparison {
    let modes = readingModes()
    let bar = ProgressBar(on: terminal, quiet: has(.quiet))
    defer { bar.finish() }
    let ledger = try LedgerFile(text(.ledger))
    let comparison = try await PopulationComparison(
      of: feed(), by: modes, habits: habits,
      progress: { mode, done in bar.update(mode.name, done: done, of: modes.count, "strategies") }
    ) { operation in
      try ledger.add(LedgerLines.line(operation))
    }
    try ledger.flush()
    return comparison
  }

  /// Runs the comparison the arguments describe, behind a bar of progress.
  func comparison(
    by strategies: [PagingStrategy], on terminal: Terminal
  ) async throws -> Comparison {
    let options = try scrollOptions()
    let bar = ProgressBar(on: terminal, quiet: has(.quiet))
    defer { bar.finish() }
    return try await Comparison(
      of: feed(), by: strategies, options: options
    ) { progress in
      bar.update(
        progress.strategy.rawValue, done: progress.pagesDone, of: progress.pagesInAll)
    }
  }
}
