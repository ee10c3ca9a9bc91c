import DocumentDatabase

extension EncodedMap {
  /// The fields with what `behavior` says in place of pending server timestamps.
  func settling(_ behavior: ServerTimestampBehavior) -> EncodedMap {
    EncodedMap(encoding: decoded.settling(behavior))
  }
}

extension Fields {
  fileprivate func settling(_ behavior: ServerTimestampBehavior) -> Fields {
    Fields(sorted.map { ($0.name, $0.value.settling(behavior)) })
  }
}

extension Value {
  /// Transforms are not allowed in arrays, so that no timestamp is pending there.
  fileprivate func settling(_ behavior: ServerTimestampBehavior) -> Value {
    guard case .map(let fields) = self else { return self }
    guard let pending = PendingTimestamp(self) else { return .map(fields.settling(behavior)) }
    switch behavior {
    case .none: return .null
    case .estimate: return .timestamp(microseconds: pending.localWriteTime)
    case .previous: return pending.previous ?? .null
    }
  }
}
