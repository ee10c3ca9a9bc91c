/// Repeats stored operations in a transaction.
struct OperationApplier: ~Copyable {
  private var key = ByteWriter()
  private var record = ByteWriter()

  mutating func apply(
    _ frame: LogReader.Frame, into transaction: inout WriteTransaction,
    _ keeper: inout some RecordKeeper, at place: (file: String, offset: Int)
  ) throws(StorageError) {
    var offset = 0
    while offset < frame.payload.count {
      switch LoggedOperation(frame.payload, at: &offset) {
      case nil:
        throw .corrupt(
          file: place.file, offset: place.offset, reason: "the commit has an unknown operation")
      case .put(let key, let record)?:
        try put(key, record, into: &transaction, &keeper, at: place)
      case .remove(let key)?:
        self.key.removeAll()
        self.key.append(key)
        guard let number = transaction.value(for: self.key) else { continue }
        let before = transaction.note(number)
        transaction.take(number, under: self.key)
        keeper.follow(
          RecordChange(key: key, number: number, before: before, after: nil), in: &transaction)
      }
    }
  }

  mutating func put(
    _ key: ByteSlice, _ record: ByteSlice, into transaction: inout WriteTransaction,
    _ keeper: inout some RecordKeeper, at place: (file: String, offset: Int)
  ) throws(StorageError) {
    if let reason = keeper.problem(with: record, under: key) {
      throw .corrupt(file: place.file, offset: place.offset, reason: reason)
    }
    self.key.removeAll()
    self.key.append(key)
    self.record.removeAll()
    self.record.append(record)
    let old = transaction.value(for: self.key)
    let before = old.flatMap { transaction.note($0) }
    let number = transaction.put(self.record, under: self.key, replacing: old)
    keeper.follow(
      RecordChange(key: key, number: number, before: before, after: record), in: &transaction)
  }
}
