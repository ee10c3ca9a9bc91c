import DocumentDatabase
import ReadBilling
import Synchronization

/// The database under judgement, filled with one case's documents, and the bill of what it did.
struct Subject {
  let name: DatabaseName
  let database: Database

  init(project: String, documents: [(path: String, fields: Fields)]) throws {
    name = DatabaseName(project: project)
    let clock = Clock()
    database = Database(name: name) { clock.tick() }
    for (path, fields) in documents {
      try database.commit([Write(.update(try DocumentName(path: path), fields, mask: nil))])
    }
  }

  private final class Clock: Sendable {
    private let microseconds = Atomic<Int64>(1_700_000_000_000_000)
    func tick() -> Int64 { microseconds.add(1000, ordering: .relaxed).newValue }
  }

  struct Answer {
    var documents: [StoredDocument]
    var stats: ExecutionStats
    var reads: Int
  }

  func run(_ client: ClientQuery) throws -> Answer {
    let request = try client.request(in: name)
    let result = try database.run(request.query)
    let stats = result.stats
    let operation = BillableOperation.query(
      returned: stats.resultsReturned, skipped: stats.resultsSkipped,
      indexEntries: stats.indexEntriesScanned, rangeFields: stats.rangeFields)
    return Answer(
      documents: request.isReversed ? result.documents.reversed() : result.documents,
      stats: stats, reads: BillingRules.reads(for: operation).total)
  }

  func aggregate(
    _ client: ClientQuery, _ aggregations: [Aggregation]
  ) throws -> (values: [String: Value], reads: Int) {
    let request = try client.request(in: name, aggregating: true)
    let result = try database.aggregate(request.query, aggregations)
    let operation = BillableOperation.aggregation(indexEntries: result.stats.indexEntriesScanned)
    return (result.values, BillingRules.reads(for: operation).total)
  }

  /// Firestore's code for an error below the door; nil for one that is not the database's.
  static func code(of error: any Error) -> String? {
    switch error {
    case let error as DatabaseError:
      switch error {
      case .query, .write: "INVALID_ARGUMENT"
      case .notFound: "NOT_FOUND"
      case .alreadyExists: "ALREADY_EXISTS"
      case .failedPrecondition: "FAILED_PRECONDITION"
      default: nil
      }
    case is NameError, is FieldReferenceError, is QueryError: "INVALID_ARGUMENT"
    default: nil
    }
  }
}
