import DocumentDatabase
import Foundation
import StorageEngine

/// What reading a scalar came to.
enum ScalarReading<T> {
  case read(T)
  /// `T` is a scalar, but the value is of another type or does not fit.
  case mismatch
  /// `T` is no scalar.
  case other

  @inline(__always)
  fileprivate init<Scalar>(_ scalar: Scalar?) {
    self = scalar.map { .read(same($0, as: T.self)) } ?? .mismatch
  }
}

extension ValueDecoder {
  /// Reads the types that need neither a container nor a coding path. The comparisons fold away
  /// where `T` is known, which it is in all members of a container that name a scalar type.
  @inline(__always)
  func scalar<T>(_ type: T.Type, from value: EncodedValue) -> ScalarReading<T> {
    if T.self == String.self { return ScalarReading(value.string) }
    if T.self == Int.self { return ScalarReading(value.integer(Int.self)) }
    if T.self == Double.self { return ScalarReading(double(value)) }
    if T.self == Bool.self { return ScalarReading(value.boolean) }
    if T.self == Int64.self { return ScalarReading(value.integer(Int64.self)) }
    if T.self == Float.self { return ScalarReading(float(value)) }
    if T.self == Int32.self { return ScalarReading(value.integer(Int32.self)) }
    if T.self == Int16.self { return ScalarReading(value.integer(Int16.self)) }
    if T.self == Int8.self { return ScalarReading(value.integer(Int8.self)) }
    if T.self == UInt.self { return ScalarReading(value.integer(UInt.self)) }
    if T.self == UInt64.self { return ScalarReading(value.integer(UInt64.self)) }
    if T.self == UInt32.self { return ScalarReading(value.integer(UInt32.self)) }
    if T.self == UInt16.self { return ScalarReading(value.integer(UInt16.self)) }
    if T.self == UInt8.self { return ScalarReading(value.integer(UInt8.self)) }
    return .other
  }

  @inline(__always)
  private func double(_ value: EncodedValue) -> Double? {
    switch value {
    case .double(let number): number
    case .integer(let number): Double(number)
    case .string(let text): nonConforming(text.decoded)
    default: nil
    }
  }

  /// A finite double beyond the range of `Float` does not fit; within it, rounding is accepted.
  private func float(_ value: EncodedValue) -> Float? {
    double(value).flatMap { number in
      let rounded = Float(number)
      return rounded.isInfinite && number.isFinite ? nil : rounded
    }
  }

  private func nonConforming(_ text: String) -> Double? {
    guard
      case .convertFromString(let positive, let negative, let nan) =
        options.nonConformingFloatDecodingStrategy
    else { return nil }
    return text == positive ? .infinity : text == negative ? -.infinity : text == nan ? .nan : nil
  }

}

/// The types that Firestore or Foundation give a meaning of their own.
extension ValueDecoder {
  func timestamp() throws -> Timestamp {
    guard case .timestamp(let microseconds) = value else { throw mismatch(Timestamp.self) }
    return Timestamp(microseconds: microseconds)
  }

  func url() throws -> URL {
    guard case .string(let text) = value else { throw mismatch(URL.self) }
    guard let url = URL(string: text.decoded) else {
      throw corrupted("holds \"\(text.decoded)\", which is not a URL.")
    }
    return url
  }

  func reference() throws -> DocumentReference {
    guard case .reference(let name) = value else { throw mismatch(DocumentReference.self) }
    guard let firestore = source.firestore else {
      throw FirestoreDecodingError.decodingIsNotSupported(
        "\(place) is a reference, and nothing says of which Firestore: pass `in:` a document.")
    }
    return DocumentReference(firestore: firestore, name: name.document)
  }

  func geoPoint() throws -> GeoPoint {
    guard case .geoPoint(let latitude, let longitude) = value else {
      throw mismatch(GeoPoint.self)
    }
    return GeoPoint(latitude: latitude, longitude: longitude)
  }

  func vector() throws -> VectorValue {
    guard case .vector(let numbers) = value else { throw mismatch(VectorValue.self) }
    return VectorValue(numbers)
  }

  /// Nil where a date decodes itself.
  func date() throws -> Date? {
    switch options.dateDecodingStrategy {
    case .timestamp:
      guard let date = value.date else { throw mismatch(Date.self) }
      return date
    case .deferredToDate: return nil
    case .secondsSince1970: return Date(timeIntervalSince1970: try decode(Double.self))
    case .millisecondsSince1970:
      return Date(timeIntervalSince1970: try decode(Double.self) / 1000)
    case .iso8601:
      let text = try decode(String.self)
      guard let date = try? Date(text, strategy: .iso8601) else {
        throw corrupted("holds \"\(text)\", which is not an ISO 8601 date and time.")
      }
      return date
    case .formatted(let formatter):
      let text = try decode(String.self)
      guard let date = formatter.date(from: text) else {
        throw corrupted("holds \"\(text)\", which the date formatter does not read.")
      }
      return date
    case .custom(let decode): return try decode(self)
    }
  }

  /// Nil where data decodes itself.
  func data() throws -> Data? {
    switch options.dataDecodingStrategy {
    case .blob:
      guard case .bytes(let bytes) = value else { throw mismatch(Data.self) }
      return Data(bytes.decoded)
    case .deferredToData: return nil
    case .base64:
      let text = try decode(String.self)
      guard let data = Data(base64Encoded: text) else {
        throw corrupted("holds a string that is not base64.")
      }
      return data
    case .custom(let decode): return try decode(self)
    }
  }

  /// Through the shortest text of a double, because `Decimal(0.1)` is not a tenth.
  func decimal() throws -> Decimal {
    switch value {
    case .integer(let number): return Decimal(number)
    case .double(let number) where number.isFinite:
      if let decimal = Decimal(string: "\(number)") { return decimal }
    case .string(let text):
      if let decimal = Decimal(string: text.decoded) { return decimal }
    default: break
    }
    throw mismatch(Decimal.self)
  }
}

extension EncodedValue {
  @inline(__always)
  fileprivate var string: String? {
    if case .string(let text) = self { text.decoded } else { nil }
  }

  @inline(__always)
  fileprivate var boolean: Bool? {
    if case .boolean(let flag) = self { flag } else { nil }
  }

  @inline(__always)
  fileprivate func integer<I: FixedWidthInteger>(_ type: I.Type) -> I? {
    switch self {
    case .integer(let number): I(exactly: number)
    case .double(let number): I(exactly: number)
    default: nil
    }
  }

  fileprivate var date: Date? {
    if case .timestamp(let microseconds) = self { Date(microseconds: microseconds) } else { nil }
  }
}

extension Date {
  /// The same arithmetic as `Timestamp.dateValue()`, without the object.
  init(microseconds: Int64) {
    let (seconds, rest) = microseconds.quotientAndRemainder(dividingBy: 1_000_000)
    let whole = rest < 0 ? seconds - 1 : seconds
    let fraction = rest < 0 ? rest + 1_000_000 : rest
    self.init(
      timeIntervalSinceReferenceDate:
        Double(whole) - Date.timeIntervalBetween1970AndReferenceDate
        + Double(fraction * 1000) / 1_000_000_000)
  }
}
