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

  /// Takes `text` as an ISO 8601 timestamp, quoted or not; nil where it is none. `null` stays null.
  package init?(timestamp text: String) {
    self.text = text
    switch Literal(text).value {
    case .null: value = .null
    case .string(let text):
      guard let microseconds = ISO8601.microseconds(of: text) else { return nil }
      value = .timestamp(microseconds: microseconds)
    default: return nil
    }
  }

  /// The value as `Query` takes it.
  package func unboxed(in firestore: Firestore) -> Any {
    EncodedMap(encoding: Fields([("value", value)])).value(at: 0).unboxed(in: firestore)
  }
}
