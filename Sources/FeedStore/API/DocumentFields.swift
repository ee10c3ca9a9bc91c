import DocumentDatabase
public import Foundation

/// The fields of a document, read one by one as the types they have, without `Any` and without a
/// dictionary. Each is decoded from the stored bytes when it is asked for.
///
/// ```swift
/// let fields = document.metered.fields
/// let title = fields.string("title") ?? "Untitled"
/// let likes = fields.int("likes") ?? 0
/// let city = fields.map("address")?.string("city")
/// ```
///
/// A name is that of one field, literally: a dot is part of it. What is missing, null or of another type
/// is nil. Numbers are converted where nothing is lost, as `data(as:)` does it.
public struct DocumentFields: Sendable {
  private let map: EncodedMap
  /// Not the client, which all threads use and to which each reference would be counted.
  private let snapshot: DocumentSnapshot

  init(_ map: EncodedMap, of snapshot: DocumentSnapshot) {
    self.map = map
    self.snapshot = snapshot
  }

  /// A text.
  public func string(_ name: consuming String) -> String? {
    guard let place = map.place(of: name) else { return nil }
    return map.string(at: place)
  }

  /// A boolean.
  public func bool(_ name: consuming String) -> Bool? {
    guard let place = map.place(of: name) else { return nil }
    return map.boolean(at: place)
  }

  /// An integer, or a double that is a whole number.
  public func int(_ name: consuming String) -> Int? { int64(name).flatMap { Int(exactly: $0) } }

  /// An integer, or a double that is a whole number.
  public func int64(_ name: consuming String) -> Int64? {
    guard let place = map.place(of: name) else { return nil }
    return map.integer(at: place) ?? map.double(at: place).flatMap { Int64(exactly: $0) }
  }

  /// A double, or the double next to an integer.
  public func double(_ name: consuming String) -> Double? {
    guard let place = map.place(of: name) else { return nil }
    return map.double(at: place) ?? map.integer(at: place).map { Double($0) }
  }

  /// A time.
  public func timestamp(_ name: consuming String) -> Timestamp? {
    microseconds(name).map { Timestamp(microseconds: $0) }
  }

  /// A time, as near as `Date` can hold it.
  public func date(_ name: consuming String) -> Date? {
    microseconds(name).map { Date(microseconds: $0) }
  }

  /// A time in microseconds since 1970, which is what is stored: exact, and without an object.
  public func microseconds(_ name: consuming String) -> Int64? {
    guard let place = map.place(of: name) else { return nil }
    return map.timestamp(at: place)
  }

  /// An array of nothing but texts.
  public func strings(_ name: consuming String) -> [String]? {
    guard let place = map.place(of: name) else { return nil }
    return map.strings(at: place)
  }

  /// Bytes.
  public func data(_ name: consuming String) -> Data? {
    if case .bytes(let bytes)? = map[name] { Data(bytes.decoded) } else { nil }
  }

  /// A point on the earth.
  public func geoPoint(_ name: consuming String) -> GeoPoint? {
    guard case .geoPoint(let latitude, let longitude)? = map[name] else { return nil }
    return GeoPoint(latitude: latitude, longitude: longitude)
  }

  /// A reference to a document.
  public func reference(_ name: consuming String) -> DocumentReference? {
    guard case .reference(let resource)? = map[name] else { return nil }
    return DocumentReference(firestore: snapshot.firestore, name: resource.document)
  }

  /// The fields of a map.
  public func map(_ name: consuming String) -> DocumentFields? {
    guard case .map(let inner)? = map[name] else { return nil }
    return DocumentFields(inner, of: snapshot)
  }
}

extension MeteredSnapshot {
  /// The fields, to be read one by one as what they are; all are nil where there was no document. A
  /// server timestamp that is pending is null.
  public var fields: DocumentFields {
    DocumentFields(snapshot.map ?? .empty, of: snapshot)
  }
}
