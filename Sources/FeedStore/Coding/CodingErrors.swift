/// A read that `Firestore.Decoder` refuses for a reason that is Firestore's own.
public enum FirestoreDecodingError: Error {
  /// A type that only `Firestore.Decoder` can decode met another decoder, or no document.
  case decodingIsNotSupported(String)
  /// A document has a field with the name of a `@DocumentID` property.
  case fieldNameConflict(String)
}

/// A write that `Firestore.Encoder` refuses for a reason that is Firestore's own.
public enum FirestoreEncodingError: Error {
  /// A type that only `Firestore.Encoder` can encode met another encoder.
  case encodingIsNotSupported(String)
}

extension FirestoreDecodingError: CustomStringConvertible {
  /// What went wrong, where, and what to do.
  public var description: String {
    switch self {
    case .decodingIsNotSupported(let message), .fieldNameConflict(let message): message
    }
  }
}

extension FirestoreEncodingError: CustomStringConvertible {
  /// What went wrong, where, and what to do.
  public var description: String {
    switch self {
    case .encodingIsNotSupported(let message): message
    }
  }
}
