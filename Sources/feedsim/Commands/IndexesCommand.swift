import FeedStore
import Foundation

extension CommandOption {
  static let requests = CommandOption(
    name: "query", kind: .text, value: "FILE", isRepeatable: true,
    help: "Queries as REST JSON, '-' for standard input: one body of runQuery or "
      + "runAggregationQuery, a JSON array of them, or one on each line.")
  static let existing = CommandOption(
    name: "indexes", kind: .text, value: "FILE",
    help: "The firestore.indexes.json there is. Without it, only the automatic indexes.")
  static let completed = CommandOption(
    name: "to", kind: .text, value: "FILE",
    help:
      "Write there the firestore.indexes.json that all the queries run with: what there is, and "
      + "what is missing.")
}

extension Command {
  static let indexes = Command(
    name: "indexes",
    summary: "Say which indexes a set of queries needs in production, and which nobody needs.",
    discussion: "A query is answered from indexes only. Those of single fields are automatic; "
      + "others must be in a firestore.indexes.json, or production refuses the query. --format json "
      + "prints that file, complete.",
    positionals: [],
    options: [.requests] + CommandOption.queryWords + [.existing, .completed, .format, .help],
    examples: [
      "feedsim indexes --collection posts --where kind == news --order-by createdAt:desc",
      "feedsim indexes --query home.json --query search.json --indexes firestore.indexes.json",
      "feedsim indexes --query all.jsonl --indexes firestore.indexes.json "
        + "--to firestore.indexes.json",
    ]
  ) { arguments, terminal in
    var queries: [RequestedQuery] = []
    for path in arguments.texts(.requests) { queries += try RequestedQuery.queries(of: path) }
    if arguments.hasQueryWords {
      queries.append(try QueryWords(arguments, timestampFields: []).query)
    }
    guard !queries.isEmpty else { throw UsageError.nothingAsked(command: "indexes") }
    let firestore = Firestore()
    var review = IndexReview(of: try arguments.declaredIndexes() ?? FirestoreIndexes())
    for query in queries {
      try review.add(try await query.make(firestore), aggregating: query.aggregates)
    }
    if let path = arguments.text(.completed) {
      do {
        try Data(review.complete.json.utf8).write(to: URL(filePath: path), options: .atomic)
      } catch {
        throw OutputError.failed("'\(path)'", reason: Terminal.reason(error))
      }
    }
    let report = IndexesReport(review: review)
    switch arguments.format {
    case .table: try terminal.write(report.text(on: terminal))
    case .json: try terminal.write(review.complete.json)
    case .csv: try terminal.write(report.csv.text)
    }
  }
}
