/// A rule that a query breaks. Firestore answers each with INVALID_ARGUMENT.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/queries#query_limitations
package enum QueryError: Error, Hashable, Sendable {
  case negativeLimit(Int)
  case negativeOffset(Int)
  case tooManyCursorValues(given: Int, orders: Int)
  case cursorWithoutValues
  case cursorNameNotAReference(Value)
  case cursorOutsideRange(FieldReference)
  case tooManyDisjunctions(Int)
  case emptyOr
  case operandNotAnArray(StructuredQuery.FieldOperator)
  case wrongElementCount(StructuredQuery.FieldOperator, count: Int, most: Int)
  case tooManyArrayContains
  case severalNotEquals
  case notInWithListDisjunction
  case arrayOperatorOnName(StructuredQuery.FieldOperator)
  case nameNotComparedWithReference(Value)
  case orderedTwice(FieldReference)
  case orderAfterName(FieldReference)
  case rangeWithNameEquality(FieldReference)
  case tooManyRangeFields(Int)
  case tooManyComponents(Int)
  case field(FieldReferenceError)
  case aggregationCount(Int)
  case duplicateAlias(String)
  case countLimit(Int)
  case aggregationAfterName(FieldReference)
}

extension QueryError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .negativeLimit(let limit): "The limit is \(limit); it must be 0 or more."
    case .negativeOffset(let offset): "The offset is \(offset); it must be 0 or more."
    case .tooManyCursorValues(let given, let orders):
      "The cursor has \(given) values but the query has \(orders) explicit orders. Give at most one "
        + "value per order(by:), or use a document as the cursor."
    case .cursorWithoutValues: "The cursor has no values. Give at least one."
    case .cursorNameNotAReference(let value):
      "The cursor's value for the document name is \(value); it must be the name of a document."
    case .cursorOutsideRange(let field):
      "The cursor lies outside the range that the query's filters allow for '\(field)'."
    case .tooManyDisjunctions(let count):
      "The query has \(count) disjunctions after `in`, `array-contains-any` and OR are multiplied "
        + "out; at most 30 are allowed."
    case .emptyOr: "An OR filter needs at least one filter in it."
    case .operandNotAnArray(let operation):
      "'\(operation.rawValue)' takes an array of values."
    case .wrongElementCount(let operation, let count, let most):
      "'\(operation.rawValue)' has \(count) values; it takes 1 to \(most)."
    case .tooManyArrayContains:
      "At most one 'array-contains' or 'array-contains-any' is allowed per disjunction."
    case .severalNotEquals:
      "At most one of '!=', 'not-in', 'is not null' and 'is not NaN' is allowed in a query."
    case .notInWithListDisjunction:
      "'not-in' cannot be combined with 'in' or 'array-contains-any'."
    case .arrayOperatorOnName(let operation):
      "'\(operation.rawValue)' cannot be used on the document name."
    case .nameNotComparedWithReference(let value):
      "The document name is compared with \(value); it must be the name of a document."
    case .orderedTwice(let field): "The query orders by '\(field)' twice."
    case .orderAfterName(let field):
      "Nothing can be ordered after the document name, which is unique; '\(field)' is."
    case .rangeWithNameEquality(let field):
      "A range filter on '\(field)' cannot be combined with equality on the document name alone."
    case .tooManyRangeFields(let count):
      "The query has range or inequality filters on \(count) fields; at most 10 are allowed."
    case .tooManyComponents(let count):
      "The query has \(count) filters, orders and parents; at most 100 are allowed."
    case .field(let error): error.description
    case .aggregationCount(let count):
      "The request has \(count) aggregations; it must have 1 to 5."
    case .duplicateAlias(let alias): "Two aggregations are named '\(alias)'."
    case .countLimit(let limit): "A count's upper limit is \(limit); it must be 1 or more."
    case .aggregationAfterName(let field):
      "'\(field)' cannot be aggregated in a query that is ordered by the document name explicitly."
    }
  }
}

extension FieldReferenceError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .emptySegment(let text): "The field path '\(text)' has an empty part."
    case .trailingBackslash(let text): "The field path '\(text)' ends in a backslash."
    case .strayBacktick(let text): "The field path '\(text)' has a backtick inside a plain name."
    case .unterminatedBacktick(let text): "The field path '\(text)' lacks a closing backtick."
    case .reservedName(let name, let path):
      "'\(name)' in the field path '\(path)' is reserved: names of the form __name__ are."
    case .tooLong(let text, let bytes):
      "The field path '\(text.prefix(40))…' has \(bytes) bytes; at most 1,500 are allowed."
    }
  }
}

extension NameError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .empty: "The path is empty."
    case .emptySegment(let path): "The path '\(path)' has an empty segment ('//')."
    case .dotSegment(let segment, let path):
      "The path '\(path)' has the segment '\(segment)', which is not allowed."
    case .reservedSegment(let segment, let path):
      "The path '\(path)' has the segment '\(segment)': names of the form __name__ are reserved."
    case .segmentTooLong(let path, let bytes):
      "The path '\(path.prefix(40))…' has a segment of \(bytes) bytes; at most 1,500 are allowed."
    case .pathTooLong(let path, let bytes):
      "The path '\(path.prefix(40))…' has \(bytes) bytes; at most 6,144 are allowed."
    case .tooDeep(let path):
      "The path '\(path.prefix(40))…' is nested deeper than 100 collections."
    case .notADocumentPath(let path, let segments):
      "'\(path)' is not the path of a document: it has \(segments) segments, and a document's has an "
        + "even number."
    case .notACollectionPath(let path, let segments):
      "'\(path)' is not the path of a collection: it has \(segments) segments, and a collection's has "
        + "an odd number."
    }
  }
}
