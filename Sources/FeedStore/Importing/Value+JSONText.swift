import DocumentDatabase
import Foundation

extension QueryDocumentSnapshot {
  /// The fields as plain JSON, sorted by name: timestamps as ISO 8601 texts, references as paths, bytes
  /// as base64. Types that JSON does not have cannot be told apart in it.
  package var jsonFields: [(name: String, value: JSONText)] {
    (stored?.fields.sorted ?? []).map { ($0.name, $0.value.jsonText) }
  }
}

extension AggregateQuerySnapshot {
  /// The values as plain JSON, in the order they were asked for.
  package var jsonValues: [(name: String, value: JSONText)] {
    query.fields.compactMap { field in
      guard let name = field.name, let value = self.value(named: name) else { return nil }
      return (name, value.jsonText)
    }
  }
}

extension Value {
  /// The value as plain JSON.
  var jsonText: JSONText {
    switch self {
    case .null: return .null
    case .boolean(let value): return .boolean(value)
    case .integer(let value): return .number(String(value))
    case .double(let value): return Value.jsonText(value)
    case .timestamp(let microseconds): return .text(ISO8601.text(microseconds: microseconds))
    case .string(let text): return .text(text)
    case .bytes(let bytes): return .text(Data(bytes).base64EncodedString())
    case .reference(let name): return .text(name.document.path)
    case .geoPoint(let latitude, let longitude):
      return .object([
        ("latitude", Value.jsonText(latitude)), ("longitude", Value.jsonText(longitude)),
      ])
    case .array(let elements): return .array(elements.map(\.jsonText))
    case .vector(let elements): return .array(elements.map(Value.jsonText))
    case .map(let fields): return .object(fields.sorted.map { ($0.name, $0.value.jsonText) })
    }
  }

  private static func jsonText(_ double: Double) -> JSONText {
    if double.isFinite { return .number("\(double)") }
    return .text(double.isNaN ? "NaN" : double < 0 ? "-Infinity" : "Infinity")
  }
}
