/// An ordered map from byte keys to numbers, with a table of numbered records beside it, in memory or
/// kept in a directory.
///
/// The writer lock lets one transaction run at a time. `current` guards the one published version;
/// it is held only to copy or replace a reference, so readers never wait for a transaction.
package final class OrderedStore: Sendable {
  let current: Guarded<Version>
  let writer: Guarded<WriterState>
  /// Nil where the store is in memory alone.
  let files: StoreFiles?
  /// The most entries of a tree node.
  package let nodeCapacity: Int

  /// Keys that start with this byte or a higher one are derived from records, whose numbers are their
  /// values: they are in checkpoints and not in the log.
  package static let derivedKeys: UInt8 = 0x80

  /// What only the transaction that runs may touch.
  struct WriterState {
    /// Record numbers to be used again.
    var freeNumbers: [UInt64] = []
    /// The newest version, published or not yet; nil in memory, where each is published at once.
    var newest: Version?
  }

  /// An empty store in memory.
  ///
  /// - Parameter nodeCapacity: The most entries of a tree node, at least 4. Small values make small
  ///   trees deep, for tests.
  package init(nodeCapacity: Int = 64) {
    self.nodeCapacity = max(nodeCapacity, 4)
    current = Guarded(Version())
    writer = Guarded(WriterState())
    files = nil
  }

  init(_ version: Version, freeNumbers: [UInt64], nodeCapacity: Int, files: StoreFiles?) {
    self.nodeCapacity = nodeCapacity
    current = Guarded(version)
    writer = Guarded(WriterState(freeNumbers: freeNumbers, newest: version))
    self.files = files
  }

  /// The newest version that readers may see.
  package var version: Version { current.withLock { $0 } }

  /// Runs `body` in a transaction and publishes what it did, all of it or, where it throws, nothing.
  /// Then `publish` is called with the new version before the next transaction can start, for a caller
  /// that publishes something of its own with it. For stores in memory.
  package func write<Result, Failure: Error>(
    _ body: (inout WriteTransaction) throws(Failure) -> Result, publish: (Version) -> Void
  ) throws(Failure) -> Result {
    precondition(files == nil, "a store in a directory takes writes that may be refused")
    return try writer.withLock { state throws(Failure) in
      let base = version
      var transaction = WriteTransaction(
        base: base, freeNumbers: state.freeNumbers, nodeCapacity: nodeCapacity)
      do throws(Failure) {
        let result = try body(&transaction)
        let next = transaction.commit(after: base)
        state.freeNumbers = transaction.freeNumbers
        current.withLock { $0 = next }
        publish(next)
        return result
      } catch {
        transaction.abort()
        throw error
      }
    }
  }
}
