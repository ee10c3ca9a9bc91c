import DocumentDatabase
import FeedStore
import Synchronization
import Testing

@Suite struct FirestoreErrorTests {
  let db = Firestore.fresh()

  private func failure() async -> any Error {
    do {
      try await db.document("c/none").updateData(["a": 1])
      return CancellationError()
    } catch {
      return error
    }
  }

  @Test func `an error is caught by its code`() async {
    do {
      try await db.document("c/none").updateData(["a": 1])
      Issue.record("updating nothing succeeded")
    } catch FirestoreErrorCode.alreadyExists {
      Issue.record("caught under another code")
    } catch FirestoreErrorCode.notFound {
    } catch {
      Issue.record("not caught by its code: \(error)")
    }
  }

  @Test func `an error is an NSError with Firebase's domain and number`() async {
    let error = await failure() as NSError
    #expect(error.domain == FirestoreErrorDomain)
    #expect(FirestoreErrorCode.Code(rawValue: error.code) == .notFound)
    #expect(error.code == FirestoreErrorCode.notFound.rawValue)
    #expect(error.code == 5)
    #expect(error.localizedDescription.contains("no document 'c/none'"))
    #expect(clientErrorKind(error) == "notFound")
    #expect(clientErrorKind(FirestoreErrorCode(.invalidArgument)) == "invalidArgument")
  }

  @Test func `an error says its code and what is wrong`() async {
    let error = await failure()
    #expect("\(error)".hasPrefix("notFound: "))
    #expect(error.localizedDescription.contains("c/none"))
  }

  @Test func `the error of a plain write goes to the handler`() {
    let heard = Mutex<[String]>([])
    db.onUnreportedError = { error in heard.withLock { $0.append("\(error)") } }
    db.document("c/none").updateData(["a": 1])
    db.document("c/none").setData(["a": 1], completion: nil)
    db.batch().updateData([:], forDocument: db.document("c/other")).commit()
    db.collection("c").addDocument(data: ["a": [[1]]])
    #expect(heard.withLock { $0.count } == 3)
    #expect(heard.withLock { $0.first?.contains("no document 'c/none'") } == true)
  }

  @Test func `the database's errors have Firebase's codes`() throws {
    let name = try DocumentName(path: "c/d")
    #expect(FirestoreErrorCode(DatabaseError.notFound(name)).code == .notFound)
    #expect(FirestoreErrorCode(DatabaseError.alreadyExists(name)).code == .alreadyExists)
  }
}
