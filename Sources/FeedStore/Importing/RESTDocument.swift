import DocumentDatabase
import Foundation

/// A document as Firestore's REST interface writes it: a full name and typed fields.
///
/// Source: https://firebase.google.com/docs/firestore/reference/rest/v1/projects.databases.documents
struct RESTDocument {
  var name: ResourceName
  var fields: Fields

  /// Whether `object` has the form of a REST document, well typed or not.
  static func isDocument(_ object: Fields) -> Bool {
    guard case .string(let name)? = object["name"], name.utf8.starts(with: "projects/".utf8)
    else { return false }
    let known: Set = ["name", "fields", "createTime", "updateTime"]
    return object.sorted.allSatisfy { known.contains($0.name) }
  }

  /// - Throws: `RESTProblem` with the path of the field.
  init(_ object: Fields) throws(RESTProblem) {
    guard case .string(let text)? = object["name"], let name = ResourceName(parsing: text) else {
      throw RESTProblem(path: "name", expected: "projects/…/databases/…/documents/…")
    }
    self.name = name
    switch object["fields"] {
    case nil: fields = Fields()
    case .map(let typed): fields = try RESTDocument.fields(typed, path: "")
    default: throw RESTProblem(path: "fields", expected: "an object of typed values")
    }
  }

  private static func fields(_ typed: Fields, path: String) throws(RESTProblem) -> Fields {
    var fields = Fields()
    for field in typed.sorted {
      let path = path.isEmpty ? field.name : "\(path).\(field.name)"
      fields[field.name] = try value(field.value, path: path)
    }
    return fields
  }

  /// - Throws: `RESTProblem` with `path`, or the path below it where the mistake is.
  static func value(_ typed: Value, path: String) throws(RESTProblem) -> Value {
    guard case .map(let object) = typed, object.count == 1, let entry = object.sorted.first else {
      throw RESTProblem(path: path, expected: "one typed value such as {\"stringValue\": \"a\"}")
    }
    let value: Value? =
      switch (entry.name, entry.value) {
      case ("nullValue", _): .null
      case ("booleanValue", .boolean), ("stringValue", .string): entry.value
      case ("integerValue", .integer): entry.value
      case ("integerValue", .string(let text)): Int64(text).map { .integer($0) }
      case ("doubleValue", _): double(entry.value).map { .double($0) }
      case ("timestampValue", .string(let text)):
        ISO8601.microseconds(of: text).map { .timestamp(microseconds: $0) }
      case ("bytesValue", .string(let text)):
        Data(base64Encoded: text).map { .bytes([UInt8]($0)) }
      case ("referenceValue", .string(let text)):
        ResourceName(parsing: text).map { .reference($0) }
      case ("geoPointValue", .map(let point)): geoPoint(point)
      case ("arrayValue", .map(let array)): .array(try elements(array, path: path))
      case ("mapValue", .map(let map)): try mapValue(map, path: path)
      default: nil
      }
    guard let value else {
      throw RESTProblem(path: path, expected: "a \(entry.name) Firestore can read")
    }
    return value
  }

  private static func double(_ value: Value?) -> Double? {
    switch value {
    case .double(let double): double
    case .integer(let integer): Double(integer)
    case .string("NaN"): .nan
    case .string("Infinity"): .infinity
    case .string("-Infinity"): -.infinity
    default: nil
    }
  }

  /// Protocol buffers leave out a coordinate of zero.
  private static func geoPoint(_ point: Fields) -> Value? {
    guard let latitude = double(point["latitude"] ?? .integer(0)),
      let longitude = double(point["longitude"] ?? .integer(0)),
      abs(latitude) <= 90, abs(longitude) <= 180
    else { return nil }
    return .geoPoint(latitude: latitude, longitude: longitude)
  }

  private static func elements(_ array: Fields, path: String) throws(RESTProblem) -> [Value] {
    switch array["values"] {
    case nil: return []
    case .array(let typed):
      var values: [Value] = []
      for (index, element) in typed.enumerated() {
        values.append(try value(element, path: "\(path)[\(index)]"))
      }
      return values
    default: throw RESTProblem(path: path, expected: "an array of values")
    }
  }

  private static func mapValue(_ map: Fields, path: String) throws(RESTProblem) -> Value {
    guard let inner = map["fields"] else { return .map(Fields()) }
    guard case .map(let typed) = inner else {
      throw RESTProblem(path: path, expected: "an object of typed values")
    }
    let fields = try fields(typed, path: path)
    guard case .string("__vector__")? = fields["__type__"] else { return .map(fields) }
    guard case .array(let elements)? = fields["value"] else {
      throw RESTProblem(path: path, expected: "a vector's array of doubles")
    }
    let doubles = elements.compactMap(double)
    guard doubles.count == elements.count else {
      throw RESTProblem(path: path, expected: "a vector's array of doubles")
    }
    return .vector(doubles)
  }
}

/// A field of a REST document that is not what its type says.
package struct RESTProblem: Error, Hashable, Sendable {
  package let path: String
  package let expected: String

  package init(path: String, expected: String) {
    self.path = path
    self.expected = expected
  }
}
