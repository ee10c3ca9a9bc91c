/// An index as production declares it: the entry of a `firestore.indexes.json`.
///
/// Source: https://firebase.google.com/docs/reference/firestore/indexes
package struct CompositeIndex: Hashable, Sendable {
  package enum Scope: String, Hashable, Sendable {
    case collection = "COLLECTION"
    case collectionGroup = "COLLECTION_GROUP"
  }

  package enum Mode: Hashable, Sendable {
    case ascending
    case descending
    case contains

    init(_ direction: StructuredQuery.Direction) {
      self = direction == .ascending ? .ascending : .descending
    }
  }

  package struct Field: Hashable, Sendable {
    package var field: FieldReference
    package var mode: Mode

    package init(_ field: FieldReference, _ mode: Mode) {
      self.field = field
      self.mode = mode
    }
  }

  package var collectionID: String
  package var scope: Scope
  /// Without the document name, unless it stands in another direction than the field before it.
  package var fields: [Field]

  package init(collectionID: String, scope: Scope, fields: [Field]) {
    self.collectionID = collectionID
    self.scope = scope
    let implied = CompositeIndex.nameMode(after: fields.dropLast())
    let isImplied = fields.count > 1 && fields.last == .init(.documentName, implied)
    self.fields = isImplied ? fields.dropLast() : fields
  }

  /// All parts of the index, the document name included.
  var fieldsWithName: [Field] {
    if fields.last?.field.isDocumentName == true { return fields }
    return fields + [Field(.documentName, CompositeIndex.nameMode(after: fields[...]))]
  }

  /// The name follows in the direction of the last field.
  private static func nameMode(after fields: ArraySlice<Field>) -> Mode {
    fields.last?.mode == .descending ? .descending : .ascending
  }
}

/// What indexes a production database has: those of a `firestore.indexes.json` beside the automatic
/// ones.
package struct IndexConfiguration: Hashable, Sendable {
  /// Which single-field indexes a field has in place of the automatic ones.
  package struct FieldOverride: Hashable, Sendable {
    package var collectionID: String
    /// Nil stands for all fields of the collection.
    package var field: FieldReference?
    package var indexes: [SingleFieldIndex]

    package init(collectionID: String, field: FieldReference?, indexes: [SingleFieldIndex]) {
      self.collectionID = collectionID
      self.field = field
      self.indexes = indexes
    }
  }

  package struct SingleFieldIndex: Hashable, Sendable {
    package var scope: CompositeIndex.Scope
    package var mode: CompositeIndex.Mode

    package init(scope: CompositeIndex.Scope, mode: CompositeIndex.Mode) {
      self.scope = scope
      self.mode = mode
    }
  }

  package var indexes: [CompositeIndex]
  package var fieldOverrides: [FieldOverride]

  package init(indexes: [CompositeIndex] = [], fieldOverrides: [FieldOverride] = []) {
    self.indexes = indexes
    self.fieldOverrides = fieldOverrides
  }

  /// Every field has an ascending, a descending and a contains index of collection scope, unless the
  /// most specific override that covers it says otherwise; an override of a map covers its fields.
  package func hasSingleFieldIndex(
    _ field: FieldReference, _ mode: CompositeIndex.Mode, collectionID: String,
    scope: CompositeIndex.Scope
  ) -> Bool {
    let covering = fieldOverrides.filter { override in
      override.collectionID.hasSameBytes(as: collectionID)
        && override.field?.isPrefix(of: field) ?? true
    }
    let closest = covering.max {
      ($0.field?.segments.count ?? 0) < ($1.field?.segments.count ?? 0)
    }
    guard let closest else { return scope == .collection }
    return closest.indexes.contains(SingleFieldIndex(scope: scope, mode: mode))
  }
}
