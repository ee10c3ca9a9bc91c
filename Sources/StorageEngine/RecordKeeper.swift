/// What the layer above knows of the records of a store, asked while the store is opened.
package protocol RecordKeeper: SendableMetatype {
  /// Whether a record of a checkpoint can be one for readers; asked when it is first read.
  static func isReadable(_ record: ByteSlice) -> Bool

  /// Decides whether a record can be what stands under `key`; answers what is wrong with it.
  func problem(with record: ByteSlice, under key: ByteSlice) -> String?

  /// Hears of the state of the checkpoint, before anything is read from the log; answers what is wrong
  /// with it.
  mutating func start(with version: Version) -> String?

  /// Keeps the derived keys in step with a change that the log has and that was made in `transaction`.
  mutating func follow(_ change: RecordChange, in transaction: inout WriteTransaction)
}

/// One change of a stored record.
package struct RecordChange {
  package let key: ByteSlice
  /// The number of the record, before or after.
  package let number: UInt64
  package let before: ByteSlice?
  package let after: ByteSlice?
}

/// Takes every record for what it should be.
package struct AnyRecords: RecordKeeper {
  /// How many changes the log had. (A value without content has no place of its own; the thread sanitizer
  /// takes all of them for one that is changed by everybody.)
  package private(set) var changes = 0

  package init() {}
  package static func isReadable(_ record: ByteSlice) -> Bool { true }
  package func problem(with record: ByteSlice, under key: ByteSlice) -> String? { nil }
  package mutating func start(with version: Version) -> String? { nil }
  package mutating func follow(_ change: RecordChange, in transaction: inout WriteTransaction) {
    changes += 1
  }
}
