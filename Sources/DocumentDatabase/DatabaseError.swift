package import StorageEngine

/// Why the database refused a request. Nothing was changed.
package enum DatabaseError: Error, Hashable, Sendable {
  case query(QueryError)
  case notFound(DocumentName)
  case alreadyExists(DocumentName)
  /// The document's update time is another one than the write demands.
  case failedPrecondition(DocumentName, expected: Int64, found: Int64?)
  case write(WriteError, DocumentName)
  /// Another commit changed a document that this one was to find as it was read.
  case contention(DocumentName)
  /// The files of the database could not be read or written.
  case storage(StorageError)
}

/// A limit or rule that a written document breaks. Firestore answers each with INVALID_ARGUMENT.
///
/// Source: https://firebase.google.com/docs/firestore/quotas#limits
package enum WriteError: Error, Hashable, Sendable {
  case documentTooLarge(bytes: Int)
  case fieldValueTooLarge(field: String, bytes: Int)
  case tooDeep(field: String)
  case nestedArray(field: String)
  case fieldName(FieldReferenceError)
  case indexEntryTooLarge(bytes: Int)
  case tooManyIndexEntries(Int)
  case indexEntriesTooLarge(bytes: Int)
  case tooManyDimensions(field: String, Int)
  case tooManyTransforms(Int)
  case requestTooLarge(bytes: Int)
  case notANumber(FieldReference)
}

extension DatabaseError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .query(let error): error.description
    case .notFound(let name): "There is no document '\(name)' to update. Use setData to create it."
    case .alreadyExists(let name): "The document '\(name)' exists already."
    case .failedPrecondition(let name, let expected, let found):
      "The document '\(name)' was to have the update time \(expected) µs but "
        + (found.map { "has \($0) µs. Read it again and retry." } ?? "does not exist.")
    case .contention(let name):
      "The document '\(name)' was changed after it was read. Read it again and retry."
    case .write(let error, let name): "The document '\(name)' was not written: \(error.description)"
    case .storage(let error): error.description
    }
  }
}

extension WriteError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .documentTooLarge(let bytes):
      "It has \(bytes) bytes; a document has at most 1,048,576."
    case .fieldValueTooLarge(let field, let bytes):
      "The field '\(field)' has \(bytes) bytes; a field's value has at most 1,048,487."
    case .tooDeep(let field):
      "The field '\(field)' nests maps and arrays deeper than 20 levels."
    case .nestedArray(let field):
      "The field '\(field)' has an array directly inside an array, which Firestore does not store. "
        + "Put a map in between."
    case .fieldName(let error): error.description
    case .indexEntryTooLarge(let bytes):
      "It has an index entry of \(bytes) bytes; one has at most 7,680. Shorten the document's "
        + "path or the field's."
    case .tooManyIndexEntries(let count):
      "It has \(count) entries in the automatic indexes; a document has at most 40,000."
    case .indexEntriesTooLarge(let bytes):
      "Its index entries have \(bytes) bytes together; those of a document have at most 8,388,608."
    case .tooManyDimensions(let field, let count):
      "The vector '\(field)' has \(count) dimensions; it has at most 2,048."
    case .tooManyTransforms(let count):
      "The commit has \(count) transforms of its fields; at most 500 are allowed."
    case .requestTooLarge(let bytes):
      "The commit has \(bytes) bytes up to this document; at most 10,485,760 are allowed. Divide it."
    case .notANumber(let field): "The operand of the transform of '\(field)' is not a number."
    }
  }
}
