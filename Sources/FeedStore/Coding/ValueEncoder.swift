import DocumentDatabase
import Foundation

/// The encoder of one value into one node.
final class ValueEncoder: Encoder {
  let node: EncodingNode
  let context: EncodingContext
  private let parent: ValueEncoder?
  private let key: (any CodingKey)?
  /// The keys of a dictionary are data: no key strategy applies to them.
  private(set) var keepsNames = false

  init(
    in context: EncodingContext, node: EncodingNode = EncodingNode(), parent: ValueEncoder?,
    key: (any CodingKey)?
  ) {
    self.node = node
    self.context = context
    self.parent = parent
    self.key = key
  }

  var userInfo: [CodingUserInfoKey: Any] { context.options.userInfo }

  var codingPath: [any CodingKey] {
    var reversed: [any CodingKey] = []
    var encoder: ValueEncoder? = self
    while let current = encoder {
      if let key = current.key { reversed.append(key) }
      encoder = current.parent
    }
    return reversed.reversed()
  }

  /// Declares that the value has no place in a document.
  func omit() { node.content = .omitted }

  func child(at key: any CodingKey) -> ValueEncoder {
    ValueEncoder(in: context, parent: self, key: key)
  }

  /// What a value encodes as; a child encoder is made only for what is neither a scalar nor a type
  /// of Firestore's.
  func content<T: Encodable>(
    of value: T, at key: @autoclosure () -> (any CodingKey)? = nil
  ) throws -> EncodingNode.Content {
    if let scalar = try scalar(value, at: key()) { return scalar }
    let child = ValueEncoder(in: context, parent: self, key: key())
    if let special = try child.special(value) { return special }
    child.keepsNames = context.convertsNames && T.self is any StringKeyedDictionary.Type
    try value.encode(to: child)
    return .node(child.node)
  }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
    if case .empty = node.content { node.content = .map([]) }
    return KeyedEncodingContainer(FieldsEncodingContainer(of: self))
  }

  func unkeyedContainer() -> any UnkeyedEncodingContainer {
    if case .empty = node.content { node.content = .array([]) }
    return ElementsEncodingContainer(of: self)
  }

  func singleValueContainer() -> any SingleValueEncodingContainer { self }
}

extension ValueEncoder: SingleValueEncodingContainer {
  func encodeNil() { node.content = .value(.null) }

  func encode<T: Encodable>(_ value: T) throws { node.content = try content(of: value) }
}

extension ValueEncoder {
  func invalid(_ value: Any, at key: (any CodingKey)?, _ problem: String) -> EncodingError {
    let path = key.map { codingPath + [$0] } ?? codingPath
    return .invalidValue(
      value, EncodingError.Context(codingPath: path, debugDescription: problem))
  }

  /// The types that are values by themselves; nil for all others. The comparisons fold away where
  /// `T` is known.
  @inline(__always)
  private func scalar<T>(
    _ value: T, at key: @autoclosure () -> (any CodingKey)?
  ) throws -> EncodingNode.Content? {
    if T.self == String.self, let text = value as? String { return .value(.string(text)) }
    if T.self == Bool.self, let flag = value as? Bool { return .value(.boolean(flag)) }
    if T.self == Int.self, let number = value as? Int { return .value(.integer(Int64(number))) }
    if T.self == Double.self, let number = value as? Double { return try float(number, key()) }
    if T.self == Float.self, let number = value as? Float {
      return try float(Double(number), key())
    }
    if T.self == Int64.self, let number = value as? Int64 { return .value(.integer(number)) }
    if T.self == Int32.self, let number = value as? Int32 { return .value(.integer(Int64(number))) }
    if T.self == Int16.self, let number = value as? Int16 { return .value(.integer(Int64(number))) }
    if T.self == Int8.self, let number = value as? Int8 { return .value(.integer(Int64(number))) }
    if T.self == UInt.self, let number = value as? UInt {
      return try unsigned(UInt64(number), key())
    }
    if T.self == UInt64.self, let number = value as? UInt64 { return try unsigned(number, key()) }
    if T.self == UInt32.self, let number = value as? UInt32 {
      return .value(.integer(Int64(number)))
    }
    if T.self == UInt16.self, let number = value as? UInt16 {
      return .value(.integer(Int64(number)))
    }
    if T.self == UInt8.self, let number = value as? UInt8 { return .value(.integer(Int64(number))) }
    return nil
  }

  private func unsigned(
    _ number: UInt64, _ key: @autoclosure () -> (any CodingKey)?
  ) throws -> EncodingNode.Content {
    guard let signed = Int64(exactly: number) else {
      throw invalid(number, at: key(), "\(number) does not fit in Firestore's 64-bit integer.")
    }
    return .value(.integer(signed))
  }

  private func float(
    _ number: Double, _ key: @autoclosure () -> (any CodingKey)?
  ) throws -> EncodingNode.Content {
    if number.isFinite { return .value(.double(number)) }
    guard
      case .convertToString(let positive, let negative, let nan) =
        context.options.nonConformingFloatEncodingStrategy
    else {
      throw invalid(
        number, at: key(), "\(number) is refused; set nonConformingFloatEncodingStrategy to allow.")
    }
    return .value(.string(number.isNaN ? nan : number > 0 ? positive : negative))
  }

  /// The types that Firestore or Foundation give a meaning of their own; nil for all others.
  private func special<T: Encodable>(_ value: T) throws -> EncodingNode.Content? {
    if T.self == Date.self, let date = value as? Date { return try content(ofDate: date) }
    if T.self == Data.self, let data = value as? Data { return try content(ofData: data) }
    if T.self == Timestamp.self, let timestamp = value as? Timestamp {
      return .value(try stored(timestamp, for: value))
    }
    if T.self == FieldValue.self, let sentinel = value as? FieldValue {
      return .sentinel(sentinel)
    }
    if T.self == DocumentReference.self, let reference = value as? DocumentReference {
      if context.firestore == nil { context.firestore = reference.firestore }
      return .value(.reference(try reference.resourceName))
    }
    if T.self == GeoPoint.self, let point = value as? GeoPoint {
      guard point.isValid else {
        throw invalid(
          point, at: nil, "\(point) lies outside latitudes -90...90 and longitudes -180...180.")
      }
      return .value(.geoPoint(latitude: point.latitude, longitude: point.longitude))
    }
    if T.self == VectorValue.self, let vector = value as? VectorValue {
      return .value(.vector(vector.array))
    }
    if T.self == URL.self, let url = value as? URL { return .value(.string(url.absoluteString)) }
    if T.self == Decimal.self, let decimal = value as? Decimal { return try content(of: decimal) }
    return nil
  }

  private func content(ofDate date: Date) throws -> EncodingNode.Content? {
    switch context.options.dateEncodingStrategy {
    case .timestamp: return .value(try stored(Timestamp(date: date), for: date))
    case .deferredToDate: return nil
    case .secondsSince1970: return .value(.double(date.timeIntervalSince1970))
    case .millisecondsSince1970: return .value(.double(date.timeIntervalSince1970 * 1000))
    case .iso8601: return .value(.string(date.formatted(.iso8601)))
    case .formatted(let formatter): return .value(.string(formatter.string(from: date)))
    case .custom(let encode):
      try encode(date, self)
      return .node(node)
    }
  }

  private func stored(_ timestamp: Timestamp, for value: Any) throws -> Value {
    guard let microseconds = timestamp.microseconds else {
      throw invalid(value, at: nil, "\(value) is outside the years 1 to 9999 of a timestamp.")
    }
    return .timestamp(microseconds: microseconds)
  }

  private func content(ofData data: Data) throws -> EncodingNode.Content? {
    switch context.options.dataEncodingStrategy {
    case .blob: return .value(.bytes(Array(data)))
    case .deferredToData: return nil
    case .base64: return .value(.string(data.base64EncodedString()))
    case .custom(let encode):
      try encode(data, self)
      return .node(node)
    }
  }

  /// Whole numbers stay exact; all others become the nearest double.
  private func content(of decimal: Decimal) throws -> EncodingNode.Content {
    let text = decimal.description
    if let integer = Int64(text) { return .value(.integer(integer)) }
    guard let number = Double(text), number.isFinite else {
      throw invalid(decimal, at: nil, "\(text) is not a number that Firestore can hold.")
    }
    return .value(.double(number))
  }
}
