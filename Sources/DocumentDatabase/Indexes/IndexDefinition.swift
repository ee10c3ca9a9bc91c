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

  /// Whether this is the order of the documents themselves, which every collection has.
  var isPrimary: Bool {
    guard case .collection = scope else { return false }
    return fields.isEmpty && nameDirection == .ascending
  }

  /// Appends the keys of a document, without the number of the index, to `keys`.
  func keys(of name: DocumentName, _ value: (FieldReference) -> Value?) -> [[UInt8]] {
    var prefixes = [[UInt8]()]
    for field in fields {
      if field.field.isDocumentName {
        prefixes = prefixes.map { $0 + scope.encodedName(name) }
        continue
      }
      guard let value = value(field.field) else { return [] }
      guard let parts = IndexDefinition.parts(of: value, field.kind) else { return [] }
      prefixes = prefixes.flatMap { prefix in parts.map { prefix + $0 } }
    }
    let encodedName = scope.encodedName(name)
    let suffix = nameDirection == .ascending ? encodedName : encodedName.map { ~$0 }
    return prefixes.map { $0 + suffix }
  }

  private static func parts(of value: Value, _ kind: Kind) -> [[UInt8]]? {
    switch kind {
    case .ascending: return [KeyEncoding.bytes(of: value)]
    case .descending: return [KeyEncoding.bytes(of: value).map { ~$0 }]
    case .contains:
      guard case .array(let elements) = value, !elements.isEmpty else { return nil }
      return Array(Set(elements.map { KeyEncoding.bytes(of: $0) }))
    }
  }
}
