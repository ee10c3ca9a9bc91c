import DocumentDatabase

/// A value written as text, for a condition on the command line.
package struct Literal: Hashable, Sendable {
  /// What was written.
  package let text: String
  private let value: Value

  /// Takes `text` as JSON where it is JSON, else as the text itself.
  package init(_ text: String) {
    self.text = text
    value = (try? JSONReader.value(of: Array(text.utf8)[...])) ?? .string(text)
  }

  /// Takes `text` as an ISO 8601 timestamp, quoted or not, or as a JSON list of such; nil where it is
  /// none. `null` stays null.
  package init?(timestamp text: String) {
    guard let value = Literal.timestamp(Literal(text).value) else { return nil }
    self.init(text: text, value: value)
  }

  private static func timestamp(_ value: Value) -> Value? {
    switch value {
    case .null: return .null
    case .string(let text):
      return ISO8601.microseconds(of: text).map { .timestamp(microseconds: $0) }
    case .array(let elements):
      let timestamps = elements.compactMap(timestamp)
      return timestamps.count == elements.count ? .array(timestamps) : nil
    default: return nil
    }
  }

  /// Takes `text` as the values of a cursor, the first of which is a timestamp; nil where it is none.
  package init?(timestampFirst text: String) {
    guard case .array(var values) = Literal(text).value, let first = values.first else {
      self.init(timestamp: text)
      return
    }
    guard let timestamp = Literal.timestamp(first) else { return nil }
    values[0] = timestamp
    self.init(text: text, value: .array(values))
  }

  private init(text: String, value: Value) {
    self.text = text
    self.value = value
  }

  /// Whether a JSON list was written.
  package var isList: Bool { if case .array = value { true } else { false } }

  /// The elements of a list, or the one value, as `Query` takes them.
  package func unboxedList(in firestore: Firestore) -> [Any] {
    unboxed(in: firestore) as? [Any] ?? [unboxed(in: firestore)]
  }

  /// The value as `Query` takes it.
  package func unboxed(in firestore: Firestore) -> Any {
    EncodedMap(encoding: Fields([("value", value)])).value(at: 0).unboxed(in: firestore)
  }
}
