import DocumentDatabase
import Foundation

/// Runs a transaction's block, attempt by attempt. Attempts are optimistic: nothing is locked while the
/// block runs, and the commit takes place only if every document that it read is still as it was.
struct TransactionRunner {
  enum Outcome {
    case committed
    case failed(any Error)
    /// Another attempt is due after so many seconds.
    case retry(after: Double)
  }

  private let firestore: Firestore
  private let maxAttempts: Int
  private var attempts = 0

  init(firestore: Firestore, maxAttempts: Int) {
    self.firestore = firestore
    self.maxAttempts = maxAttempts
  }

  /// Begins an attempt.
  ///
  /// - Throws: `.unavailable` while the network is disabled.
  mutating func begin() throws(FirestoreErrorCode) -> Transaction {
    guard maxAttempts >= 1 else {
      throw .invalid("maxAttempts must be at least 1, and \(maxAttempts) is not.")
    }
    guard try firestore.engine.begin() else { throw .offline("A transaction cannot run") }
    attempts += 1
    return Transaction(firestore: firestore, isRetry: attempts > 1)
  }

  /// Commits what the block wrote, unless it failed.
  func finish(_ transaction: Transaction, _ failure: NSError?) -> Outcome {
    if let failure { return outcome(of: failure) }
    do throws(FirestoreErrorCode) {
      let (writes, reads) = try transaction.finish()
      try firestore.engine.commit(writes, verifying: reads, in: firestore)
      return .committed
    } catch {
      return outcome(of: error as NSError)
    }
  }

  /// Source: https://firebase.google.com/docs/firestore/manage-data/transactions#transaction_failure
  private func outcome(of error: NSError) -> Outcome {
    let failure: any Error
    if error.domain == FirestoreErrorDomain,
      let code = FirestoreErrorCode.Code(rawValue: error.code)
    {
      let words = error.userInfo[NSLocalizedDescriptionKey] as? String ?? ""
      failure = FirestoreErrorCode(code, message: words)
      if code.mayPass && attempts < maxAttempts {
        // What the other has committed may be on its way to the disk, and unseen until it is there.
        try? firestore.database.synchronize()
        // Those who met wait differently long, and longer each time, so that they do not meet again.
        let longest = 0.000_1 * Double(1 << min(attempts, 10))
        return .retry(after: Double.random(in: 0...longest))
      }
    } else {
      failure = error
    }
    return .failed(failure)
  }
}

extension FirestoreErrorCode.Code {
  /// Whether the same attempt may succeed later.
  fileprivate var mayPass: Bool {
    switch self {
    case .aborted, .alreadyExists, .failedPrecondition: true
    default: false
    }
  }
}
