import Dispatch
package import DocumentDatabase
import Foundation
public import ReadBilling
import Synchronization

/// A document database with Firestore's API, semantics and price, embedded in the process.
///
/// ```swift
/// let db = Firestore()
/// try await db.collection("posts").addDocument(data: ["title": "First", "createdAt": Timestamp()])
/// let page = try await db.collection("posts").order(by: "createdAt", descending: true)
///   .limit(to: 15).getDocuments()
/// print(page.documents.count, "posts for", db.readMeter.total, "reads")
/// ```
///
/// It may be used from any thread and any task at the same time. Its mutable state is its settings
/// and the handler of unreported errors, guarded by a mutex; the database guards itself.
public final class Firestore: Sendable {
  /// What the reads through this instance are billed, and why.
  public let readMeter: ReadMeter
  package let database: MeteredDatabase
  package let makeDocumentID: @Sendable () -> String
  let engine: SyncEngine
  let sharedName: String?
  /// What was cut off the end of the files when they were opened, as a sentence: a commit that was
  /// never acknowledged because its process or machine stopped. Nil where there was nothing to cut, and
  /// in memory.
  public let recoveryNotice: String?

  private struct State {
    var settings = FirestoreSettings.Values()
    var refuseWrites: @Sendable ([Write]) -> FirestoreErrorCode? = { _ in nil }
    var onUnreportedError: @Sendable (any Error) -> Void = { error in
      FileHandle.standardError.write(Data("FeedStore: a write failed: \(error)\n".utf8))
    }
  }
  private let state = Mutex(State())

  /// Makes an empty database in memory, with documents and a meter of its own.
  ///
  /// - Parameters:
  ///   - readMeter: The meter that records its reads.
  ///   - indexes: Which queries are run, judged by the indexes that production has.
  public convenience init(
    readMeter: ReadMeter = .withClock(), indexes: IndexPolicy = .noting
  ) {
    self.init(name: DatabaseName(project: "feedstore"), readMeter: readMeter, indexes: indexes)
  }

  /// Makes an empty database whose time and ids come from the caller.
  package convenience init(
    name: DatabaseName = DatabaseName(project: "feedstore"), readMeter: ReadMeter = .withClock(),
    nodeCapacity: Int = 64, indexes: IndexPolicy = .noting,
    now: @escaping @Sendable () -> Int64 = { Timestamp().microseconds ?? 0 },
    makeDocumentID: @escaping @Sendable () -> String = DocumentIDs.random
  ) {
    self.init(
      Database(name: name, nodeCapacity: nodeCapacity, now: now), readMeter: readMeter,
      indexes: indexes, now: now, makeDocumentID: makeDocumentID)
  }

  /// Makes a client of a database, which others may have too.
  package init(
    _ database: Database, recoveryNotice: String? = nil, readMeter: ReadMeter = .withClock(),
    indexes: IndexPolicy = .noting, sharedName: String? = nil,
    now: @escaping @Sendable () -> Int64 = { Timestamp().microseconds ?? 0 },
    makeDocumentID: @escaping @Sendable () -> String = DocumentIDs.random
  ) {
    self.readMeter = readMeter
    self.makeDocumentID = makeDocumentID
    self.sharedName = sharedName
    self.recoveryNotice = recoveryNotice
    self.database = MeteredDatabase(database, meter: readMeter, indexes: indexes)
    engine = SyncEngine(database: self.database, now: now)
  }

  /// The shared default database, made in memory on first use.
  public static func firestore() -> Firestore { firestore(database: "(default)") }

  /// The shared database of this name, made in memory on first use.
  public static func firestore(database: String) -> Firestore {
    shared.withLock { instances in
      if let instance = instances.clients[database] { return instance }
      let data =
        instances.databases[database]
        ?? Database(
          name: DatabaseName(project: "feedstore", database: database),
          now: { Timestamp().microseconds ?? 0 })
      let instance = Firestore(data, sharedName: database)
      instances.databases[database] = data
      instances.clients[database] = instance
      return instance
    }
  }

  /// The databases outlive their clients, which can be terminated.
  private struct Shared: Sendable {
    var databases: [String: Database] = [:]
    var clients: [String: Firestore] = [:]
  }

  private static let shared = Mutex(Shared())

  /// Lets the next call of `firestore()` make a new client.
  func stopSharing() {
    guard let sharedName else { return }
    Firestore.shared.withLock { instances in
      if instances.clients[sharedName] === self { instances.clients[sharedName] = nil }
    }
  }

  /// A copy of the settings; assign one to change them.
  public var settings: FirestoreSettings {
    get { FirestoreSettings(state.withLock { $0.settings }) }
    set {
      let values = newValue.values
      state.withLock { $0.settings = values }
    }
  }

  /// Which queries are run, judged by the indexes that production has. It may be changed at any time,
  /// for the shared databases of `firestore()` too.
  public var indexes: IndexPolicy {
    get { database.indexGuard.policy }
    set { database.indexGuard.policy = newValue }
  }

  /// How the rules are taken that Firestore's pages leave open.
  public var assumptions: QueryAssumptions {
    get { database.assumptionGuard.assumptions }
    set { database.assumptionGuard.assumptions = newValue }
  }

  var callbackQueue: DispatchQueue { state.withLock { $0.settings.dispatchQueue } }
  /// Whether what was read survives a lost connection.
  var keepsCache: Bool { state.withLock { $0.settings.isPersistenceEnabled } }

  /// Decides like security rules whether the server takes writes; unless set, it takes all.
  package var refuseWrites: @Sendable ([Write]) -> FirestoreErrorCode? {
    get { state.withLock { $0.refuseWrites } }
    set { state.withLock { $0.refuseWrites = newValue } }
  }

  /// How many listeners of queries and documents there are.
  package var listenerCount: Int { engine.listenerCount }

  /// Tells this client's listeners what other clients of the same database have committed.
  package func deliverChanges() { engine.deliver(in: self, areOwn: false) }

  func refusal(of writes: [Write]) -> FirestoreErrorCode? { refuseWrites(writes) }

  /// Accepts the address of an emulator and keeps it in the settings, without effect: this database
  /// is already local. It lets the usual first line of a test's set-up stay.
  ///
  /// - Parameters:
  ///   - host: The emulator's host.
  ///   - port: The emulator's port.
  public func useEmulator(withHost host: String, port: Int) {
    state.withLock {
      $0.settings.host = "\(host):\(port)"
      $0.settings.isSSLEnabled = false
    }
  }

  /// Accepts Firebase's switch for its debug log, without effect: there is nothing on the way between a
  /// call and the database that a log could show.
  public static func enableLogging(_ logging: Bool) {}

  /// Receives the errors of writes that have neither a completion closure nor `try await`, on the
  /// thread of the write. Unless set, each is written to standard error.
  public var onUnreportedError: @Sendable (any Error) -> Void {
    get { state.withLock { $0.onUnreportedError } }
    set { state.withLock { $0.onUnreportedError = newValue } }
  }
}

extension ReadMeter {
  /// A meter that has recorded nothing, and whose entries will say when they were recorded, by the
  /// system's clock.
  public static func withClock() -> ReadMeter {
    ReadMeter(now: { .microseconds(Timestamp().microseconds ?? 0) })
  }
}

extension Firestore {
  /// The collection at `collectionPath`, an odd number of segments joined by slashes.
  ///
  /// A path that is not a collection's is refused by the operation that uses it.
  public func collection(_ collectionPath: String) -> CollectionReference {
    CollectionReference(firestore: self, path: collectionPath)
  }

  /// The document at `documentPath`, an even number of segments joined by slashes.
  ///
  /// A path that is not a document's is refused by the operation that uses it.
  public func document(_ documentPath: String) -> DocumentReference {
    DocumentReference(firestore: self, path: documentPath)
  }

  /// All documents in collections with this id, at any depth.
  ///
  /// An id with a slash is refused by the operation that uses it.
  public func collectionGroup(_ collectionID: String) -> Query {
    guard !collectionID.contains("/") else {
      return Query(
        firestore: self,
        request: .failure(
          .invalid(
            "Invalid collection ID \"\(collectionID)\": a collection group is named by one segment. "
              + "Use collection(_:) for a path.")))
    }
    let name = CollectionName.checked(collectionID)
    return Query(
      firestore: self, request: name.map { QueryRequest(from: .collectionGroup(id: $0.id)) })
  }

  /// An empty batch of writes that are applied together or not at all.
  public func batch() -> WriteBatch { WriteBatch(firestore: self) }
}

extension Firestore: Hashable {
  /// Whether both are the same instance.
  public static func == (left: Firestore, right: Firestore) -> Bool { left === right }

  /// Feeds the identity of the instance to `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension CollectionName {
  static func checked(_ path: String) -> Result<CollectionName, FirestoreErrorCode> {
    do throws(NameError) { return .success(try CollectionName(path: path)) } catch {
      return .failure(FirestoreErrorCode(error))
    }
  }
}

extension DocumentName {
  static func checked(_ path: String) -> Result<DocumentName, FirestoreErrorCode> {
    do throws(NameError) { return .success(try DocumentName(path: path)) } catch {
      return .failure(FirestoreErrorCode(error))
    }
  }
}
