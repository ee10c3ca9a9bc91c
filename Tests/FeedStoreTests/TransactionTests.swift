import FeedStore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite struct TransactionTests {
  let db = Firestore.withPosts()
  var posts: CollectionReference { db.collection("posts") }

  @Test func `a transaction reads, writes and returns`() async throws {
    let post = posts.document("a")
    let result = try await db.runTransaction { transaction, errorPointer -> Any? in
      do {
        let old = try transaction.getDocument(post)["score"] as? Int ?? 0
        transaction.updateData(["score": old + 1], forDocument: post)
        return old
      } catch {
        errorPointer?.pointee = error as NSError
        return nil
      }
    }
    #expect(result as? Int == 1)
    #expect(try await post.getDocument()["score"] as? Int == 2)
  }

  @Test func `an error of the block ends it, and nothing is written`() async throws {
    let post = posts.document("a")
    let attempts = Mutex(0)
    await #expect {
      try await db.runTransaction { transaction, errorPointer in
        attempts.withLock { $0 += 1 }
        transaction.deleteDocument(post)
        errorPointer?.pointee = NSError(domain: "app", code: 7)
        return nil
      }
    } throws: {
      ($0 as NSError).domain == "app" && ($0 as NSError).code == 7
    }
    #expect(attempts.withLock { $0 } == 1)
    #expect(try await post.getDocument().exists)
  }

  @Test func `reads come before writes`() async throws {
    let post = posts.document("a")
    await #expect {
      try await db.runTransaction { transaction, _ in
        transaction.setData(["score": 9], forDocument: post)
        #expect(throws: FirestoreErrorCode.self) { try transaction.getDocument(post) }
        return nil
      }
    } throws: {
      FirestoreErrorCode.invalidArgument ~= $0
    }
    #expect(try await post.getDocument()["score"] as? Int == 1)
  }

  @Test func `a missing document that was read is not updated`() async {
    let missing = posts.document("none")
    await #expect {
      try await db.runTransaction { transaction, _ in
        _ = try? transaction.getDocument(missing)
        transaction.updateData(["a": 1], forDocument: missing)
        return nil
      }
    } throws: {
      FirestoreErrorCode.invalidArgument ~= $0
    }
  }

  @Test(arguments: [1, 3])
  func `a transaction that always meets another is tried so often, and no more`(
    _ maxAttempts: Int
  ) async throws {
    let post = posts.document("a")
    let attempts = Mutex(0)
    let options = TransactionOptions()
    options.maxAttempts = maxAttempts
    db.readMeter.reset()
    let error = await withCheckedContinuation { done in
      let recorder = Recorder<QuerySnapshot>(db)
      _ = recorder
      db.runTransaction(with: options) { transaction, _ in
        attempts.withLock { $0 += 1 }
        _ = try? transaction.getDocument(post)
        post.updateData(["score": FieldValue.increment(1)])
        transaction.updateData(["score": 0], forDocument: post)
        return nil
      } completion: { _, error in
        done.resume(returning: error.map { "\($0)" } ?? "none")
      }
    }
    #expect(error.hasPrefix("aborted"))
    #expect(attempts.withLock { $0 } == maxAttempts)
    #expect(db.readMeter.total == maxAttempts, "every retry reads again")
  }

  @Test func `an attempt without number is a mistake`() async {
    let options = TransactionOptions()
    options.maxAttempts = 0
    let recorder = Recorder<QuerySnapshot>(db)
    let isMistake = Mutex(false)
    db.runTransaction(with: options) { _, _ in
      nil
    } completion: { _, error in
      isMistake.withLock { $0 = error.map { FirestoreErrorCode.invalidArgument ~= $0 } ?? false }
    }
    _ = recorder.snapshots
    #expect(isMistake.withLock { $0 })
  }

  @Test func `documents that are read and not written are verified for a read each`() async throws {
    let (a, b, c) = (posts.document("a"), posts.document("b"), posts.document("c"))
    db.readMeter.reset()
    try await db.runTransaction { transaction, _ in
      for document in [a, b, c] { _ = try? transaction.getDocument(document) }
      transaction.updateData(["score": 5], forDocument: a)
      return nil
    }
    #expect(db.readMeter.total == 5)
    #expect(db.readMeter.reads[.verification] == 2)
  }

  @Test func `a transaction needs the network`() async throws {
    try await db.disableNetwork()
    await #expect {
      try await db.runTransaction { _, _ in nil }
    } throws: {
      FirestoreErrorCode.unavailable ~= $0
    }
  }

  @Test func `many tasks on one counter make a serial order, and pay for their retries`() async {
    let db = Firestore.fresh()
    let counter = db.document("c/counter")
    let attempts = Shared(0)
    let seen = Shared<[Int]>([])
    let tasks = 8
    let rounds = 25
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<tasks {
        group.addTask {
          for _ in 0..<rounds {
            let old = await db.transaction { transaction in
              attempts.change { $0 += 1 }
              let old = (try? transaction.getDocument(counter)["n"] as? Int) ?? 0
              transaction.setData(["n": old + 1], forDocument: counter)
              return old
            }
            seen.change { $0.append(old ?? -1) }
          }
        }
      }
    }
    #expect(seen.value.sorted() == Array(0..<(tasks * rounds)))
    #expect(db.readMeter.total == attempts.value)
  }

  /// Snapshot isolation alone would let two of them each see the other on duty, and both leave.
  @Test(arguments: Randomised.cases(20))
  func `of all on duty one always stays`(_ number: Int) async throws {
    let db = Firestore.fresh()
    let duty = db.collection("duty")
    for id in ["a", "b", "c"] { try await duty.document(id).setData(["on": true]) }
    await withTaskGroup(of: Void.self) { group in
      for id in ["a", "b", "c", "a", "b", "c"] {
        group.addTask {
          _ = await db.transaction { transaction in
            let others = ["a", "b", "c"].filter { $0 != id }
            let isCovered = others.contains {
              (try? transaction.getDocument(duty.document($0))["on"] as? Bool) ?? false
            }
            if isCovered { transaction.setData(["on": false], forDocument: duty.document(id)) }
            return isCovered ? 1 : 0
          }
        }
      }
    }
    let left = try await duty.whereField("on", isEqualTo: true).getDocuments().count
    #expect(left == 1)
  }
}

extension Firestore {
  /// Runs a transaction that does not give up.
  fileprivate func transaction(
    _ body: @escaping @Sendable (Transaction) -> Int
  ) async -> Int? {
    let recorder = Recorder<QuerySnapshot>(self)
    _ = recorder
    let options = TransactionOptions()
    options.maxAttempts = .max
    return await withCheckedContinuation { done in
      runTransaction(with: options) { transaction, _ in
        body(transaction)
      } completion: { result, _ in
        done.resume(returning: result as? Int)
      }
    }
  }
}
