import StorageEngine

/// A server timestamp in a document whose write the server has not seen: when it was written here, and
/// what the field held before.
///
/// It is stored as a map under a name that no document can have. It sorts after all times and before
/// all strings, and matches no range of times.
package struct PendingTimestamp: Hashable, Sendable {
  package let localWriteTime: Int64
  /// Nil where the field was not there, or held a pending timestamp without a previous value.
  package let previous: Value?

  private static let type = "__type__"
  private static let time = "__local_write_time__"
  private static let before = "__previous_value__"

  package init(localWriteTime: Int64, replacing value: Value?) {
    self.localWriteTime = localWriteTime
    previous = value.flatMap { PendingTimestamp($0)?.previous ?? $0 }
  }

  /// Nil for every other value.
  package init?(_ value: Value) {
    guard case .map(let fields) = value, 2...3 ~= fields.sorted.count,
      fields[Self.type] == .string("server_timestamp"),
      case .timestamp(let time)? = fields[Self.time]
    else { return nil }
    localWriteTime = time
    previous = fields[Self.before]
  }

  package var value: Value {
    var fields = Fields([
      (Self.type, .string("server_timestamp")),
      (Self.time, .timestamp(microseconds: localWriteTime)),
    ])
    fields[Self.before] = previous
    return .map(fields)
  }

  func appendKey(to writer: inout ByteWriter) {
    writer.append(KeyEncoding.Label.timestamp + 1)
    writer.append(word: UInt64(bitPattern: localWriteTime &- .min).bigEndian)
  }
}
