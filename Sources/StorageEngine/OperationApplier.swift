/// Repeats stored operations in a transaction.
struct OperationApplier: ~Copyable {
  private var key = ByteWriter()
  private var record = ByteWriter()

  mutating func apply(
    _ frame: LogReader.Frame, into transaction: inout WriteTransaction,
    _ check: OrderedStore.RecordCheck, at place: (file: String, offset: Int)
  ) throws(StorageError) {
    var offset = 0
    while offset < frame.payload.count {
      switch LoggedOperation(frame.payload, at: &offset) {
      case nil:
        throw .corrupt(
          file: place.file, offset: place.offset, reason: "the commit has an unknown operation")
      case .put(let key, let record)?:
        try put(key, record, into: &transaction, check, at: place)
      case .remove(let key)?:
        self.key.removeAll()
        self.key.append(key)
        if let number = transaction.value(for: self.key) {
          transaction.take(number, under: self.key)
        }
      }
    }
  }

  mutating func put(
    _ key: ByteSlice, _ record: ByteSlice, into transaction: inout WriteTransaction,
    _ check: OrderedStore.RecordCheck, at place: (file: String, offset: Int)
  ) throws(StorageError) {
    if let reason = check(key, record) {
      throw .corrupt(file: place.file, offset: place.offset, reason: reason)
    }
    self.key.removeAll()
    self.key.append(key)
    self.record.removeAll()
    self.record.append(record)
    let number = transaction.value(for: self.key)
    _ = transaction.put(self.record, under: self.key, replacing: number)
  }
}
