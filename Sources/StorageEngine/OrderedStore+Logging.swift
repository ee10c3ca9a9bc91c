import Synchronization

/// Transactions of a store that is kept in a directory.
extension OrderedStore {
  /// Whether the store is kept in a directory.
  package var isDurable: Bool { files != nil }

  /// Runs `body` in a transaction, appends what it put and took to the log, and publishes it: with
  /// `Durability.perCommit` once it is durable, else at once.
  ///
  /// - Parameters:
  ///   - body: Makes the changes.
  ///   - accepted: Hears of the new version before the next transaction can start, and answers what is
  ///     to be called when readers may see it.
  ///   - refusal: Makes an error of the reason for which nothing was stored.
  /// - Throws: what `body` throws or `refusal` makes; after `.syncFailed` the commit may be there when the
  ///   store is opened again.
  package func write<Failure: Error>(
    _ body: (inout WriteTransaction) throws(Failure) -> Void,
    accepted: (Version) -> @Sendable () -> Void, refusal: (StorageError) -> Failure
  ) throws(Failure) {
    guard let files else {
      return try write(body, publish: { accepted($0)() })
    }
    let sequence: UInt64? = try writer.withLock { state throws(Failure) in
      let base = base(&state, files)
      var transaction = WriteTransaction(
        base: base, freeNumbers: state.freeNumbers, nodeCapacity: nodeCapacity, isLogged: true)
      do throws(Failure) {
        do throws(Failure) { try body(&transaction) } catch {
          // Whatever it was refused for, it may have been for what could not be read.
          if let damage = transaction.foundDamage { throw refusal(damage) }
          throw error
        }
        if let damage = transaction.foundDamage { throw refusal(damage) }
        let sequence = try files.append(&transaction, refusal)
        let next = transaction.commit(after: base)
        state.freeNumbers = transaction.freeNumbers
        state.newest = next
        let publish = accepted(next)
        if files.isDelayed && sequence != nil {
          files.pending.withLock { $0.append(.init(files.log.newest, next, publish)) }
        } else {
          current.withLock { $0 = next }
          publish()
        }
        return sequence
      } catch {
        transaction.abort()
        throw error
      }
    }
    if let sequence, files.isDelayed {
      do throws(StorageError) {
        try files.log.makeDurable(sequence) { settle($0, files) }
      } catch { throw refusal(error) }
    }
    scheduleMaintenance(files)
  }

  /// What the next transaction builds on: the newest version, but after a failure the published one,
  /// since the disk may not have what came later.
  private func base(_ state: inout WriterState, _ files: StoreFiles) -> Version {
    let published = version
    guard let newest = state.newest else { return published }
    if newest === published || !files.log.hasFailed { return newest }
    published.abandonSuccessors()
    files.pending.withLock { $0 = [] }
    state.newest = published
    return published
  }

  /// Publishes the versions whose commits are durable, in order. Called within the log's sync lock, so
  /// that they stay in order.
  func settle(_ sequence: UInt64, _ files: StoreFiles) {
    let durable = files.pending.withLock { pending in
      let count = pending.prefix { $0.sequence <= sequence }.count
      defer { pending.removeFirst(count) }
      return Array(pending.prefix(count))
    }
    for item in durable {
      current.withLock { $0 = item.version }
      item.publish()
    }
  }

  /// Returns once every transaction that began before is published or will never be.
  package func finishCommits() {
    writer.withLock { _ in }
    guard let files, files.isDelayed else { return }
    // Where this fails, what waits is given up.
    try? files.log.makeDurable { settle($0, files) }
  }

  /// Makes every commit durable that was made so far.
  package func synchronize() throws(StorageError) {
    guard let files else { return }
    try files.log.makeDurable { settle($0, files) }
  }

  /// Makes every commit durable, notes that the store was left in order, and lets another owner have
  /// it. Reads go on; writes are refused.
  package func close() throws(StorageError) {
    guard let files else { return }
    files.isClosing.store(true, ordering: .releasing)
    try files.compaction.withLock { _ throws(StorageError) in
      try writer.withLock { _ throws(StorageError) in try files.log.close { settle($0, files) } }
    }
  }
}
