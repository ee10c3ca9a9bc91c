import Foundation

/// How a transaction is run.
public final class TransactionOptions {
  /// How often the block is tried before the transaction fails; at least 1.
  public var maxAttempts = 5

  /// Five attempts.
  public init() {}
}

extension Firestore {
  /// Runs a block that reads documents and then writes some, as if nothing else happened meanwhile.
  ///
  /// The block runs before this method returns, on the caller's thread, so that a block written on the
  /// main actor may touch what is there. If another client changes a document that it has read, it is run
  /// again, with a new transaction.
  ///
  /// - Parameters:
  ///   - updateBlock: Reads and writes through its transaction. An error that it puts into the pointer
  ///     ends the transaction, and nothing is written.
  ///   - completion: Receives the block's result or the error, on the settings' queue.
  /// - Cost: One read per document and attempt; at each commit one more for each document that was read
  ///   and not written.
  ///
  /// Source: https://firebase.google.com/docs/firestore/manage-data/transactions
  public func runTransaction(
    _ updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?,
    completion: @escaping (Any?, (any Error)?) -> Void
  ) {
    runTransaction(with: nil, block: updateBlock, completion: completion)
  }

  /// Runs a block that reads documents and then writes some, as `options` say.
  ///
  /// - Parameters:
  ///   - options: How often to try.
  ///   - updateBlock: Reads and writes through its transaction. An error that it puts into the pointer
  ///     ends the transaction, and nothing is written.
  ///   - completion: Receives the block's result or the error, on the settings' queue.
  /// - Cost: One read per document and attempt; at each commit one more for each document that was read
  ///   and not written.
  public func runTransaction(
    with options: TransactionOptions?,
    block updateBlock: @escaping (Transaction, NSErrorPointer) -> Any?,
    completion: @escaping (Any?, (any Error)?) -> Void
  ) {
    var runner = TransactionRunner(firestore: self, maxAttempts: options?.maxAttempts ?? 5)
    while true {
      do throws(FirestoreErrorCode) {
        let transaction = try runner.begin()
        let failure = BlockFailure()
        var result: Any?
        failure.run { result = updateBlock(transaction, $0) }
        switch runner.finish(transaction, failure.error) {
        case .committed: return call { completion(result, nil) }
        case .failed(let error): return call { completion(nil, error) }
        case .retry(let delay): Thread.sleep(forTimeInterval: delay)
        }
      } catch {
        return call { completion(nil, error) }
      }
    }
  }

  /// Runs a block that reads documents and then writes some, as if nothing else happened meanwhile.
  ///
  /// The block runs on the caller's actor. If another client changes a document that it has read, it is
  /// run again, with a new transaction.
  ///
  /// - Parameter updateBlock: Reads and writes through its transaction. An error that it puts into the
  ///   pointer ends the transaction, and nothing is written.
  /// - Returns: The block's result.
  /// - Throws: The block's error; `FirestoreErrorCode` with `.aborted` where others were faster in every
  ///   attempt, `.unavailable` while the network is disabled.
  /// - Cost: One read per document and attempt; at each commit one more for each document that was read
  ///   and not written.
  @discardableResult
  public nonisolated(nonsending) func runTransaction(
    _ updateBlock: @escaping (Transaction, NSErrorPointer) -> sending Any?
  ) async throws -> sending Any? {
    var runner = TransactionRunner(firestore: self, maxAttempts: 5)
    while true {
      let transaction = try runner.begin()
      let failure = BlockFailure()
      let result = failure.run { updateBlock(transaction, $0) }
      switch runner.finish(transaction, failure.error) {
      case .committed: return result
      case .failed(let error): throw error
      case .retry(let delay): try await Task.sleep(for: .seconds(delay))
      }
    }
  }
}
