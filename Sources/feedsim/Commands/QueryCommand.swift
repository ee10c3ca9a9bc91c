import FeedSimulation
import FeedStore

extension CommandOption {
  static let explain = CommandOption(
    name: "explain", kind: .flag,
    help: "Print how the query would be answered, for one read, instead of its rows.")
  static let analyze = CommandOption(
    name: "analyze", kind: .flag,
    help: "Run the query and print how it was answered and what it is billed for.")
}

extension Command {
  static let query = Command(
    name: "query",
    summary: "Run one query as production would, or explain it.",
    discussion: "The query is given as words or as Firestore REST JSON. It returns the documents, "
      + "the order, the errors and the bill that production gives; what production needs an index "
      + "for is noted, or with --indexes refused.",
    positionals: [],
    options: [.input, .timestamp, .request] + CommandOption.queryWords
      + CommandOption.documentCursors + [.explain, .analyze, .indexes, .format, .quiet, .help],
    examples: [
      "feedsim query --order-by createdAt:desc --limit 5",
      "feedsim query --input quakes.ndjson --where kind == earthquake "
        + "--where magnitude '>=' 4.5 --order-by magnitude:desc --analyze",
      "feedsim query --input quakes.ndjson --or-where network == us --or-where network == ci "
        + "--order-by magnitude:desc --start-after 4.5 --limit 5",
      "feedsim query --query body.json --input quakes.ndjson --indexes firestore.indexes.json",
    ]
  ) { arguments, terminal in
    let isShipped = arguments.text(.input) == nil
    let timestamps =
      arguments.texts(.timestamp) + (isShipped ? Seed.posts.timestampFields : [])
    let requested = try arguments.requestedQuery(timestampFields: timestamps)
    let indexes = try arguments.declaredIndexes()
    let input = InputFile(arguments.text(.input))
    let source = try input.documents(timestampFields: timestamps)
    let firestore = Firestore(indexes: indexes.map { .strict($0) } ?? .noting)
    do throws(FirestoreErrorCode) {
      try firestore.add(source.documents, to: requested.collection)
    } catch { throw FeedError.notStored(reason: error.message) }
    let query = try await requested.make(firestore)
    let answer = try await Answer(
      to: query, requested.aggregates, explaining: arguments.explaining ?? requested.explains)
    switch arguments.format {
    case .table: try terminal.write(answer.table(on: terminal, notes: !arguments.has(.quiet)))
    case .json: try terminal.write(answer.json.pretty + "\n")
    case .csv: try terminal.write(answer.csv.text)
    }
  }
}

extension ParsedArguments {
  /// What the arguments say about explaining: nil for nothing, true for an analysis.
  fileprivate var explaining: Bool? { has(.analyze) ? true : has(.explain) ? false : nil }
}

/// What came of a query: rows, values, or an explanation.
enum Answer {
  case rows(RowsReport)
  case explanation(ExplainReport)

  init(to query: Query, _ aggregates: [AggregateField]?, explaining: Bool?) async throws {
    guard let aggregates else {
      if let explaining {
        let metrics = try await query.metered.explain(analyze: explaining).metrics
        self = .explanation(ExplainReport(metrics: metrics))
      } else {
        self = .rows(RowsReport(try await query.getDocuments()))
      }
      return
    }
    let query = query.aggregate(aggregates)
    if let explaining {
      let metrics = try await query.metered.explain(analyze: explaining).metrics
      self = .explanation(ExplainReport(metrics: metrics))
    } else {
      self = .rows(RowsReport(try await query.getAggregation(source: .server)))
    }
  }

  func table(on terminal: Terminal, notes: Bool) -> String {
    switch self {
    case .rows(let report): report.table(on: terminal, notes: notes)
    case .explanation(let report): report.table(on: terminal)
    }
  }

  var json: JSONText {
    switch self {
    case .rows(let report): report.json
    case .explanation(let report): report.json
    }
  }

  var csv: CSV {
    switch self {
    case .rows(let report): report.csv
    case .explanation(let report): report.csv
    }
  }
}
