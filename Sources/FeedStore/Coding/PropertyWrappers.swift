public import Foundation

/// A type that can be made from a document's reference, and so can stand behind `@DocumentID`.
public protocol DocumentIDWrappable {
  /// Makes a value of a document's reference.
  ///
  /// - Parameter documentReference: The document that is being read.
  /// - Returns: The value for the property.
  /// - Throws: What the type finds wrong with the reference.
  static func wrap(_ documentReference: DocumentReference) throws -> Self
}

extension String: DocumentIDWrappable {
  /// The document's own id.
  public static func wrap(_ documentReference: DocumentReference) throws -> String {
    documentReference.documentID
  }
}

extension DocumentReference: DocumentIDWrappable {
  /// The reference itself.
  public static func wrap(_ documentReference: DocumentReference) throws -> DocumentReference {
    documentReference
  }
}

/// Holds the id of the document a value was read from.
///
/// ```swift
/// struct Post: Codable {
///   @DocumentID var id: String?
///   var title: String
/// }
/// ```
///
/// It is filled on reading and skipped on writing. A document that has a field of the property's
/// name cannot be read: `FirestoreDecodingError.fieldNameConflict`.
@propertyWrapper
public struct DocumentID<Value: DocumentIDWrappable & Codable>: Codable {
  /// The id; nil in a value that was not read from a document.
  public var wrappedValue: Value?

  /// Wraps an id; reading replaces it.
  ///
  /// - Parameter wrappedValue: The id to hold until then.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// Takes the id from the document that is being read.
  ///
  /// - Parameter decoder: The decoder of a document.
  /// - Throws: `FirestoreDecodingError` where another decoder than `Firestore.Decoder` reads, or
  ///   where it was not told which document the data belongs to.
  public init(from decoder: any Decoder) throws {
    guard let reference = (decoder as? ValueDecoder)?.source.reference else {
      throw FirestoreDecodingError.decodingIsNotSupported(
        "@DocumentID needs a document: decode with a snapshot's `data(as:)`, or with "
          + "`Firestore.Decoder().decode(_:from:in:)`.")
    }
    wrappedValue = try Value.wrap(reference)
  }

  /// Writes nothing: the id is the document's name, not one of its fields.
  ///
  /// - Parameter encoder: An encoder of Firestore's.
  /// - Throws: `FirestoreEncodingError` where another encoder than `Firestore.Encoder` writes.
  public func encode(to encoder: any Encoder) throws {
    guard let encoder = encoder as? ValueEncoder else {
      throw FirestoreEncodingError.encodingIsNotSupported(
        "@DocumentID is written by Firestore.Encoder only.")
    }
    encoder.omit()
  }
}

extension DocumentID: Equatable where Value: Equatable {}
extension DocumentID: Hashable where Value: Hashable {}
extension DocumentID: Sendable where Value: Sendable {}

/// A type that a timestamp can be read into and written from, and so can stand behind
/// `@ServerTimestamp`.
public protocol ServerTimestampWrappable {
  /// Makes a value of a timestamp.
  ///
  /// - Parameter timestamp: What is stored.
  /// - Returns: The value for the property.
  /// - Throws: What the type finds wrong with the timestamp.
  static func wrap(_ timestamp: Timestamp) throws -> Self

  /// Makes a timestamp of a value.
  ///
  /// - Parameter value: The property's value.
  /// - Returns: What to store.
  /// - Throws: What the type finds wrong with the value.
  static func unwrap(_ value: Self) throws -> Timestamp
}

extension Date: ServerTimestampWrappable {
  /// The timestamp's instant.
  public static func wrap(_ timestamp: Timestamp) throws -> Date { timestamp.dateValue() }
  /// The date as a timestamp.
  public static func unwrap(_ value: Date) throws -> Timestamp { Timestamp(date: value) }
}

extension Timestamp: ServerTimestampWrappable {
  /// The timestamp itself.
  public static func wrap(_ timestamp: Timestamp) throws -> Timestamp { timestamp }
  /// The timestamp itself.
  public static func unwrap(_ value: Timestamp) throws -> Timestamp { value }
}

/// Holds a time that the server sets: nil is written as `FieldValue.serverTimestamp()`.
@propertyWrapper
public struct ServerTimestamp<Value: ServerTimestampWrappable & Codable>: Codable {
  /// The time; nil until the server has set it.
  public var wrappedValue: Value?

  /// Wraps a time.
  ///
  /// - Parameter wrappedValue: The time, or nil to let the server set it.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// Reads a timestamp; null is nil.
  ///
  /// - Parameter decoder: The decoder of the field.
  /// - Throws: `DecodingError` where the field holds something else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue =
      container.decodeNil() ? nil : try Value.wrap(container.decode(Timestamp.self))
  }

  /// Writes the time, or the request to set it.
  ///
  /// - Parameter encoder: The encoder of the field.
  /// - Throws: `FirestoreEncodingError` where nil meets another encoder than `Firestore.Encoder`.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue {
      try container.encode(Value.unwrap(wrappedValue))
    } else {
      try container.encode(FieldValue.serverTimestamp())
    }
  }
}

extension ServerTimestamp: Equatable where Value: Equatable {}
extension ServerTimestamp: Hashable where Value: Hashable {}
extension ServerTimestamp: Sendable where Value: Sendable {}

/// Holds an optional whose nil is written as null instead of being left out.
@propertyWrapper
public struct ExplicitNull<Value: Codable>: Codable {
  /// The value.
  public var wrappedValue: Value?

  /// Wraps a value.
  ///
  /// - Parameter wrappedValue: The value, or nil to write null.
  public init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

  /// Reads a value; null is nil.
  ///
  /// - Parameter decoder: The decoder of the field.
  /// - Throws: `DecodingError` where the field holds something else.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.singleValueContainer()
    wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
  }

  /// Writes the value, or null.
  ///
  /// - Parameter encoder: The encoder of the field.
  /// - Throws: What encoding the value throws.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    if let wrappedValue { try container.encode(wrappedValue) } else { try container.encodeNil() }
  }
}

extension ExplicitNull: Equatable where Value: Equatable {}
extension ExplicitNull: Hashable where Value: Hashable {}
extension ExplicitNull: Sendable where Value: Sendable {}

/// What compilers put into a synthesised `init(from:)` for wrapped properties: unlike the general
/// `decode(_:forKey:)`, these accept a missing field.
extension KeyedDecodingContainer {
  /// The id of the document that is being read.
  ///
  /// - Parameters:
  ///   - type: The wrapper's type.
  ///   - key: The property, which must have no field of its name.
  /// - Returns: The wrapper, holding the id.
  /// - Throws: `FirestoreDecodingError`.
  public func decode<Value>(
    _ type: DocumentID<Value>.Type, forKey key: Key
  ) throws -> DocumentID<Value> {
    guard let decoder = try superDecoder(forKey: key) as? ValueDecoder else {
      return try DocumentID(from: superDecoder(forKey: key))
    }
    if contains(key) {
      let document = decoder.source.reference.map { " of \($0.path)" } ?? ""
      throw FirestoreDecodingError.fieldNameConflict(
        "Field \"\(key.stringValue)\"\(document) has the name of a @DocumentID property: "
          + "rename the property, or give it another coding key.")
    }
    return try DocumentID(from: decoder)
  }

  /// The stored time; nil where the field is missing or null.
  ///
  /// - Parameters:
  ///   - type: The wrapper's type.
  ///   - key: The property.
  /// - Returns: The wrapper, holding the time.
  /// - Throws: `DecodingError` where the field holds something else.
  public func decode<Value>(
    _ type: ServerTimestamp<Value>.Type, forKey key: Key
  ) throws -> ServerTimestamp<Value> {
    try decodeIfPresent(type, forKey: key) ?? ServerTimestamp(wrappedValue: nil)
  }

  /// The stored value; nil where the field is missing or null.
  ///
  /// - Parameters:
  ///   - type: The wrapper's type.
  ///   - key: The property.
  /// - Returns: The wrapper, holding the value.
  /// - Throws: `DecodingError` where the field holds something else.
  public func decode<Value>(
    _ type: ExplicitNull<Value>.Type, forKey key: Key
  ) throws -> ExplicitNull<Value> {
    try decodeIfPresent(type, forKey: key) ?? ExplicitNull(wrappedValue: nil)
  }
}
