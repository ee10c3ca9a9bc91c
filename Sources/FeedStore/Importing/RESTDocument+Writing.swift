import DocumentDatabase
import Foundation

extension RESTDocument {
  /// A document as one line of JSON, in the form that the importers read back without loss.
  static func line(of name: ResourceName, _ fields: Fields) -> String {
    "{\"name\":\(quoted(name.text)),\"fields\":\(object(fields))}\n"
  }

  private static func object(_ fields: Fields) -> String {
    let members = fields.sorted.map { "\(quoted($0.name)):\(typed($0.value))" }
    return "{\(members.joined(separator: ","))}"
  }

  private static func typed(_ value: Value) -> String {
    switch value {
    case .null: "{\"nullValue\":null}"
    case .boolean(let value): "{\"booleanValue\":\(value)}"
    case .integer(let value): "{\"integerValue\":\"\(value)\"}"
    case .double(let value): "{\"doubleValue\":\(number(value))}"
    case .timestamp(let microseconds): "{\"timestampValue\":\(quoted(time(microseconds)))}"
    case .string(let value): "{\"stringValue\":\(quoted(value))}"
    case .bytes(let value): "{\"bytesValue\":\"\(Data(value).base64EncodedString())\"}"
    case .reference(let value): "{\"referenceValue\":\(quoted(value.text))}"
    case .geoPoint(let latitude, let longitude):
      "{\"geoPointValue\":{\"latitude\":\(number(latitude)),\"longitude\":\(number(longitude))}}"
    case .array(let values):
      "{\"arrayValue\":{\"values\":[\(values.map(typed).joined(separator: ","))]}}"
    case .vector(let values):
      "{\"mapValue\":{\"fields\":{\"__type__\":{\"stringValue\":\"__vector__\"},"
        + "\"value\":\(typed(.array(values.map { .double($0) })))}}}"
    case .map(let fields): "{\"mapValue\":{\"fields\":\(object(fields))}}"
    }
  }

  private static func number(_ value: Double) -> String {
    if value.isNaN { return "\"NaN\"" }
    if value.isInfinite { return value < 0 ? "\"-Infinity\"" : "\"Infinity\"" }
    return "\(value)"
  }

  private static func time(_ microseconds: Int64) -> String {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let whole = rest < 0 ? seconds - 1 : seconds
    let fraction = String(rest < 0 ? rest + 1_000_000 : rest)
    let date = Date(timeIntervalSince1970: Double(whole)).formatted(.iso8601)
    let digits = String(repeating: "0", count: 6 - fraction.count) + fraction
    return "\(date.dropLast()).\(digits)Z"
  }

  private static func quoted(_ text: String) -> String {
    var quoted = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\":
        quoted += "\\"
        quoted.unicodeScalars.append(scalar)
      case "\0"..<" ":
        let digits = String(scalar.value, radix: 16)
        quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: quoted.unicodeScalars.append(scalar)
      }
    }
    return quoted + "\""
  }
}
