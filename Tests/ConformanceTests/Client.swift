import DocumentDatabase
import FeedStore
import ReadBilling
import Synchronization

/// A client of an own, fresh Firestore that holds one case's documents.
struct Client {
  let firestore: Firestore
  let clock = AdvancingClock()

  init(project: String, documents: [(path: String, fields: Fields)]) throws {
    firestore = Firestore(name: DatabaseName(project: project), now: clock.now)
    for (path, fields) in documents { try put(fields, at: path) }
  }

  /// Puts a document there as it is, or removes it, without going through `[String: Any]`, in which
  /// Swift merges names that differ only in their bytes.
  func put(_ fields: Fields?, at path: String) throws {
    let name = try DocumentName(path: path)
    try firestore.database.commit([
      Write(fields.map { .update(name, $0, mask: nil) } ?? .delete(name))
    ])
  }

  /// What `body` was billed, and how many index entries it read.
  func metering(
    _ body: () async throws -> String
  ) async rethrows -> (text: String, reads: Int, indexEntries: Int) {
    firestore.readMeter.reset()
    let text = try await body()
    let meter = firestore.readMeter
    return (
      text, meter.total, meter.entries.reduce(0) { $0 + $1.indexEntriesScanned }
    )
  }

  /// Runs `body`, giving Firestore's code of an error in place of an answer.
  static func answer(_ body: () async throws -> String) async throws -> String {
    do { return try await body() } catch let error as FirestoreErrorCode {
      switch error.code {
      case .invalidArgument: return "INVALID_ARGUMENT"
      case .notFound: return "NOT_FOUND"
      case .alreadyExists: return "ALREADY_EXISTS"
      case .failedPrecondition: return "FAILED_PRECONDITION"
      default: throw error
      }
    }
  }

  /// Names in a form that shows which bytes they are made of where that is not obvious.
  static func list(_ names: [String]) -> String {
    "["
      + names.map { $0.unicodeScalars.allSatisfy(\.isASCII) ? $0 : "\($0) \(Array($0.utf8))" }
      .joined(separator: ", ") + "]"
  }
}

/// The time, and as much more as a case lets pass.
final class AdvancingClock: Sendable {
  private let advance = Mutex(Int64(0))

  var now: @Sendable () -> Int64 {
    { (Timestamp().microseconds ?? 0) + self.advance.withLock { $0 } }
  }

  func advance(minutes: Int) {
    advance.withLock { $0 += Int64(minutes) * 60_000_000 }
  }
}
