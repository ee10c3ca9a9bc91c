import StorageEngine

/// One index: which documents, and which of their fields in which order. A document has an entry where
/// it has all the fields; for a `contains` field, one entry per distinct element of the array.
///
///     key = number of the index (4 bytes) | field ... | document name
///     value = number of the document's record
package struct IndexDefinition: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    case ascending
    case descending
    case contains
  }

  package struct Field: Hashable, Sendable {
    package let field: FieldReference
    package let kind: Kind
  }

  package let scope: QueryScope
  package let fields: [Field]
  /// The direction of the document name, which follows the fields.
  package let nameDirection: StructuredQuery.Direction

  /// Whether both have the same fields in the same directions, whatever their scope.
  func hasSameFields(as other: IndexDefinition) -> Bool {
    nameDirection == other.nameDirection && fields == other.fields
  }

  /// Whether this is the order of the documents themselves, which every collection has.
  var isPrimary: Bool {
    guard case .collection = scope else { return false }
    return fields.isEmpty && nameDirection == .ascending
  }

  /// Appends the key of a document in an index without a `contains` field; answers false where the
  /// document lacks one of the fields. `append` appends the encoding of a field's value, or answers
  /// false where it is missing.
  func appendKey(
    number: UInt32, of name: DocumentName, to writer: inout ByteWriter,
    _ append: (FieldReference, inout ByteWriter) -> Bool
  ) -> Bool {
    appendKey(
      number: number, name: { scope.append(name, to: &$0) }, to: &writer, append)
  }

  /// As `appendKey(number:of:to:_:)`, where `name` appends the document's name as it stands in this
  /// scope.
  @inline(__always)
  func appendKey(
    number: UInt32, name: (inout ByteWriter) -> Void, to writer: inout ByteWriter,
    _ append: (FieldReference, inout ByteWriter) -> Bool
  ) -> Bool {
    writer.append(word: number.bigEndian)
    for index in fields.indices {
      let start = writer.count
      if fields[index].field.isDocumentName {
        name(&writer)
      } else if !append(fields[index].field, &writer) {
        return false
      }
      if fields[index].kind == .descending { writer.invert(from: start) }
    }
    let start = writer.count
    name(&writer)
    if nameDirection == .descending { writer.invert(from: start) }
    return true
  }

  /// The keys of a document in an index with a `contains` field: one per distinct element.
  func containsKeys(
    number: UInt32, of name: DocumentName, _ value: (FieldReference) -> Value?
  ) -> Set<[UInt8]> {
    guard let contained = containsField, case .array(let elements)? = value(contained) else {
      return []
    }
    var keys: Set<[UInt8]> = []
    for element in elements {
      var writer = ByteWriter()
      let isWhole = appendKey(number: number, of: name, to: &writer) { field, writer in
        guard let value = field == contained ? element : value(field) else { return false }
        KeyEncoding.append(value, to: &writer)
        return true
      }
      if isWhole { keys.insert(writer.bytes) }
    }
    return keys
  }

  /// Whether a document can have another entry where only what stands at `paths` is another.
  func hasFields(touchedBy paths: [FieldReference]) -> Bool {
    fields.contains { field in
      paths.contains { $0.isPrefix(of: field.field) || field.field.isPrefix(of: $0) }
    }
  }

  var containsField: FieldReference? { fields.first { $0.kind == .contains }?.field }
}
