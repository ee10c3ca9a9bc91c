import DocumentDatabase
import Foundation

extension Value {
  /// Reads a value of Firestore's REST form, such as `{"integerValue": "1"}`.
  init(rest json: JSON) throws {
    let (kind, content) = try json.choice()
    switch kind {
    case "nullValue": self = .null
    case "booleanValue": self = .boolean(try content.boolean())
    case "integerValue":
      guard let integer = Int64(try content.text()) else { throw NotUnderstood("\(content)") }
      self = .integer(integer)
    case "doubleValue": self = .double(try content.double())
    case "timestampValue":
      self = .timestamp(microseconds: try RESTTimestamp.microseconds(of: try content.text()))
    case "stringValue": self = .string(try content.text())
    case "bytesValue":
      guard let data = Data(base64Encoded: try content.text()) else {
        throw NotUnderstood("\(content)")
      }
      self = .bytes([UInt8](data))
    case "referenceValue":
      guard let name = ResourceName(parsing: try content.text()) else {
        throw NotUnderstood("reference \(content)")
      }
      self = .reference(name)
    case "geoPointValue":
      self = .geoPoint(
        latitude: try content.required("latitude").double(),
        longitude: try content.required("longitude").double())
    case "arrayValue":
      self = .array(try (content["values"]?.elements() ?? []).map { try Value(rest: $0) })
    case "mapValue": self = try Value(restMap: content["fields"] ?? .object([]))
    default: throw NotUnderstood("value \(kind)")
    }
  }

  /// A map, or the vector that a map with `__type__` stands for.
  private init(restMap fields: JSON) throws {
    let members = try fields.members()
    if let type = fields["__type__"], try type.choice().value.text() == "__vector__" {
      let numbers = try fields.required("value").choice().value.required("values").elements()
      self = .vector(try numbers.map { try $0.choice().value.double() })
    } else {
      self = .map(Fields(try members.map { ($0.name, try Value(rest: $0.value)) }))
    }
  }
}

extension Fields {
  init(rest json: JSON) throws {
    self.init(try json.members().map { ($0.name, try Value(rest: $0.value)) })
  }
}

enum RESTTimestamp {
  /// Microseconds since 1970 of `2024-01-31T23:59:59.123456789Z`; what is finer is dropped.
  static func microseconds(of text: String) throws -> Int64 {
    let form = /(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d{1,9}))?Z/
    guard let match = text.wholeMatch(of: form), let year = Int64(match.1),
      let month = Int64(match.2), let day = Int64(match.3), let hour = Int64(match.4),
      let minute = Int64(match.5), let second = Int64(match.6),
      let fraction = Int64(((match.7 ?? "") + "000000").prefix(6))
    else { throw NotUnderstood("timestamp \(text)") }
    let seconds = (days(year, month, day) * 24 + hour) * 3600 + minute * 60 + second
    return seconds * 1_000_000 + fraction
  }

  /// Days since 1970-01-01 of a date of the Gregorian calendar, counted in years from March on.
  private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
    let shifted = month > 2 ? year : year - 1
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    return 365 * shifted + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }
}

/// Compares a document with an expected one, in which `{"anyTimestamp": label}` stands for any
/// timestamp, the same for the same label.
struct DocumentComparison {
  private var labelled: [String: Value] = [:]

  mutating func matches(_ value: Value, _ expected: JSON) throws -> Bool {
    let (kind, content) = try expected.choice()
    switch (kind, value) {
    case ("anyTimestamp", .timestamp):
      let label = try content.text()
      defer { labelled[label] = value }
      return labelled[label].map { $0 == value } ?? true
    case ("mapValue", .map(let fields)):
      return try matches(fields, content["fields"] ?? .object([]))
    case ("anyTimestamp", _): return false
    default: return value == (try Value(rest: expected))
    }
  }

  mutating func matches(_ fields: Fields, _ expected: JSON) throws -> Bool {
    let members = try expected.members()
    guard members.count == fields.count else { return false }
    for (name, value) in members {
      guard let found = fields[name], try matches(found, value) else { return false }
    }
    return true
  }
}
