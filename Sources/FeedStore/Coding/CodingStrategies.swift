public import Foundation

/// The strategies of `Firestore.Encoder`, under the name they have in Firebase.
public enum FirebaseDataEncoder {
  /// How a `Date` becomes a value.
  public enum DateEncodingStrategy {
    /// A Firestore timestamp, to the microsecond.
    case timestamp
    /// What `Date` encodes by itself: seconds since 2001 as a number.
    case deferredToDate
    /// Seconds since 1970 as a number.
    case secondsSince1970
    /// Milliseconds since 1970 as a number.
    case millisecondsSince1970
    /// Text such as `2026-08-21T10:00:00Z`.
    case iso8601
    /// Text made by a formatter.
    case formatted(DateFormatter)
    /// Whatever the closure encodes.
    case custom((Date, any Encoder) throws -> Void)
  }

  /// How `Data` becomes a value.
  public enum DataEncodingStrategy {
    /// Firestore bytes.
    case blob
    /// What `Data` encodes by itself: an array of numbers.
    case deferredToData
    /// Base64 text.
    case base64
    /// Whatever the closure encodes.
    case custom((Data, any Encoder) throws -> Void)
  }

  /// What happens to NaN and the infinities.
  public enum NonConformingFloatEncodingStrategy {
    /// They are refused.
    case `throw`
    /// They become these texts.
    case convertToString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }

  /// How the names of coding keys become field names.
  public enum KeyEncodingStrategy {
    /// As they are.
    case useDefaultKeys
    /// `createdAt` becomes `created_at`.
    case convertToSnakeCase
    /// Whatever the closure makes of a coding path, whose last key is the one to name.
    case custom(([any CodingKey]) -> any CodingKey)
  }
}

/// The strategies of `Firestore.Decoder`, under the name they have in Firebase.
public enum FirebaseDataDecoder {
  /// How a value becomes a `Date`.
  public enum DateDecodingStrategy {
    /// From a Firestore timestamp.
    case timestamp
    /// What `Date` decodes by itself: seconds since 2001 as a number.
    case deferredToDate
    /// From a number of seconds since 1970.
    case secondsSince1970
    /// From a number of milliseconds since 1970.
    case millisecondsSince1970
    /// From text such as `2026-08-21T10:00:00Z`.
    case iso8601
    /// From text read by a formatter.
    case formatted(DateFormatter)
    /// Whatever the closure decodes.
    case custom((any Decoder) throws -> Date)
  }

  /// How a value becomes `Data`.
  public enum DataDecodingStrategy {
    /// From Firestore bytes.
    case blob
    /// What `Data` decodes by itself: an array of numbers.
    case deferredToData
    /// From base64 text.
    case base64
    /// Whatever the closure decodes.
    case custom((any Decoder) throws -> Data)
  }

  /// Which texts are read as NaN and the infinities. Stored numbers that are NaN or infinite are
  /// read as they are under either strategy.
  public enum NonConformingFloatDecodingStrategy {
    /// None.
    case `throw`
    /// These.
    case convertFromString(positiveInfinity: String, negativeInfinity: String, nan: String)
  }

  /// How field names become the names of coding keys.
  public enum KeyDecodingStrategy {
    /// As they are.
    case useDefaultKeys
    /// `created_at` becomes `createdAt`.
    case convertFromSnakeCase
    /// Whatever the closure makes of a coding path, whose last key is the one to name.
    case custom(([any CodingKey]) -> any CodingKey)
  }
}

extension FirebaseDataEncoder.KeyEncodingStrategy {
  /// The field name for a key; `path` leads to the container and is only made for closures.
  func name(for key: some CodingKey, in path: @autoclosure () -> [any CodingKey]) -> String {
    switch self {
    case .useDefaultKeys: key.stringValue
    case .convertToSnakeCase: SnakeCase.from(camelCase: key.stringValue)
    case .custom(let convert): convert(path() + [key]).stringValue
    }
  }
}

extension FirebaseDataDecoder.KeyDecodingStrategy {
  /// The name of the key that stands for a field; nil where names are kept as they are.
  func converter(in path: [any CodingKey]) -> ((String) -> String)? {
    switch self {
    case .useDefaultKeys: nil
    case .convertFromSnakeCase: { SnakeCase.toCamelCase($0) }
    case .custom(let convert): { convert(path + [PlainKey($0)]).stringValue }
    }
  }
}

/// A coding key for a name or an index that no `CodingKeys` type declares.
struct PlainKey: CodingKey {
  let stringValue: String
  let intValue: Int?

  init(_ name: String) {
    stringValue = name
    intValue = nil
  }

  init(index: Int) {
    stringValue = "Index \(index)"
    intValue = index
  }

  init?(stringValue: String) { self.init(stringValue) }
  init?(intValue: Int) { self.init(index: intValue) }
}

/// Dictionaries keyed by text, whose keys are data and not names.
protocol StringKeyedDictionary {}
extension Dictionary: StringKeyedDictionary where Key == String {}

/// The conversions of `JSONEncoder` and `JSONDecoder`, so that models shared with them agree.
enum SnakeCase {
  /// `myURLProperty` becomes `my_url_property`; underscores at the ends stay.
  static func from(camelCase name: String) -> String {
    let letters = Array(name)
    var result = ""
    for (index, letter) in letters.enumerated() {
      let startsWord =
        index > 0 && letter.isUppercase
        && (!letters[index - 1].isUppercase
          || (index + 1 < letters.count && letters[index + 1].isLowercase))
      if startsWord && letters[index - 1] != "_" { result.append("_") }
      result += letter.lowercased()
    }
    return result
  }

  /// `my_url_property` becomes `myUrlProperty`; underscores at the ends stay.
  static func toCamelCase(_ name: String) -> String {
    guard let first = name.firstIndex(where: { $0 != "_" }),
      let last = name.lastIndex(where: { $0 != "_" })
    else { return name }
    let words = name[first...last].split(separator: "_")
    guard words.count > 1 else { return name }
    let joined = words[0].lowercased() + words.dropFirst().map(\.capitalized).joined()
    return name[..<first] + joined + name[name.index(after: last)...]
  }
}
