import FeedStore

extension CommandOption {
  static let request = CommandOption(
    name: "query", kind: .text, value: "FILE",
    help: "Take the query from a file, '-' for standard input: the JSON body of Firestore's REST "
      + "method runQuery or runAggregationQuery, or a structuredQuery alone.")
  static let collection = CommandOption(
    name: "collection", kind: .text, value: "PATH",
    help: "The collection that is queried, and that the documents are put into (the file's name).")
  static let group = CommandOption(
    name: "collection-group", kind: .flag,
    help: "Query all collections of that name, wherever they are.")
  static let condition = CommandOption(
    name: "where", kind: .words(3), value: "FIELD OP VALUE", isRepeatable: true,
    help: "Keep documents where FIELD compares so with VALUE (JSON, else text). OP is one of "
      + "\(QueryWords.Operator.allCases.map(\.rawValue).joined(separator: " ")).")
  static let alternative = CommandOption(
    name: "or-where", kind: .words(3), value: "FIELD OP VALUE", isRepeatable: true,
    help: "Keep documents that pass one of these, and every --where.")
  static let order = CommandOption(
    name: "order-by", kind: .text, value: "FIELD[:asc|desc]", isRepeatable: true,
    help: "Order by a field; __name__ is the document's name.")
  static let startAt = cursor("start-at", "Begin with what equals VALUES")
  static let startAfter = cursor("start-after", "Begin behind what equals VALUES")
  static let endAt = cursor("end-at", "End with what equals VALUES")
  static let endBefore = cursor("end-before", "End before what equals VALUES")
  static let startAtDocument = document("start-at-document", "Begin with the document ID.")
  static let startAfterDocument = document("start-after-document", "Begin behind the document ID.")
  static let endAtDocument = document("end-at-document", "End with the document ID.")
  static let endBeforeDocument = document("end-before-document", "End before the document ID.")
  static let limit = CommandOption(
    name: "limit", kind: .integer(1...Int.max), value: "N", help: "The first N documents.")
  static let limitToLast = CommandOption(
    name: "limit-to-last", kind: .integer(1...Int.max), value: "N", help: "The last N documents.")
  static let offset = CommandOption(
    name: "offset", kind: .integer(0...Int.max), value: "N",
    help: "Skip N documents, which are billed.")
  static let select = CommandOption(
    name: "select", kind: .text, value: "FIELD", isRepeatable: true, help: "Return this field only."
  )
  static let countDocuments = CommandOption(
    name: "count", kind: .flag, help: "Count the documents instead of returning them.")
  static let sum = CommandOption(
    name: "sum", kind: .text, value: "FIELD", isRepeatable: true, help: "Add up a field.")
  static let average = CommandOption(
    name: "average", kind: .text, value: "FIELD", isRepeatable: true, help: "Average a field.")
  static let indexes = CommandOption(
    name: "indexes", kind: .text, value: "FILE",
    help: "A firestore.indexes.json: refuse, as production does, a query that needs an index "
      + "which is not in it. An empty one is written {}.")

  /// What makes a query out of words.
  static let queryWords = [
    collection, group, condition, alternative, order, startAt, startAfter, endAt, endBefore,
    limit, limitToLast, offset, select, countDocuments, sum, average,
  ]
  /// Cursors that need the documents.
  static let documentCursors = [
    startAtDocument, startAfterDocument, endAtDocument, endBeforeDocument,
  ]

  private static func cursor(_ name: String, _ help: String) -> CommandOption {
    CommandOption(
      name: name, kind: .text, value: "VALUES",
      help: "\(help): one JSON value or a JSON list of one for each --order-by.")
  }

  private static func document(_ name: String, _ help: String) -> CommandOption {
    CommandOption(name: name, kind: .text, value: "ID", help: help)
  }
}

/// A query that was asked for on the command line.
struct RequestedQuery: Sendable {
  /// Where the documents of the input belong.
  let collection: String
  /// What to compute over the documents; nil to return them.
  let aggregates: [AggregateField]?
  /// What the request itself says about explaining: nil for the result alone, true for an analysis.
  let explains: Bool?
  let make: @Sendable (Firestore) async throws -> Query
}

extension RequestedQuery {
  init(_ request: RESTQuery) {
    self.init(
      collection: request.collection, aggregates: request.aggregateFields,
      explains: request.explainsAnalyzing, make: { request.query(in: $0) })
  }

  /// The queries of a file.
  ///
  /// - Throws: `FileError`, or `StandardInputError` where standard input breaks off.
  static func queries(of path: String) throws -> [RequestedQuery] {
    let file = InputFile(path)
    let bytes = try file.bytes()
    do throws(InputError) { return try RESTQuery.queries(of: bytes).map(RequestedQuery.init) } catch
    {
      throw FileError.refused(file.name, error)
    }
  }
}

extension ParsedArguments {
  /// The words of a query's own, in the order of the help.
  private var givenQueryWords: [CommandOption] {
    (CommandOption.queryWords + CommandOption.documentCursors).filter(has)
  }

  var hasQueryWords: Bool { !givenQueryWords.isEmpty }

  /// The one query that the arguments ask for.
  ///
  /// - Throws: `UsageError`, `FileError`, `StandardInputError` or `InputError`.
  func requestedQuery(timestampFields: [String]) throws -> RequestedQuery {
    guard let path = text(.request) else {
      return try QueryWords(self, timestampFields: timestampFields).query
    }
    if let word = givenQueryWords.first {
      throw UsageError.onlyOneOf("--query", "--\(word.name)")
    }
    let queries = try RequestedQuery.queries(of: path)
    guard queries.count == 1 else { throw UsageError.severalQueries(path, count: queries.count) }
    return queries[0]
  }

  /// What `--indexes` declares; nil where it is not given.
  ///
  /// - Throws: `FileError`, or `StandardInputError` where standard input breaks off.
  func declaredIndexes() throws -> FirestoreIndexes? {
    guard let path = text(.indexes) else { return nil }
    let file = InputFile(path)
    let bytes = try file.bytes()
    do throws(InputError) { return try FirestoreIndexes(bytes) } catch {
      throw FileError.refused(file.name, error)
    }
  }
}
