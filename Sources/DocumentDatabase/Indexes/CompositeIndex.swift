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
    /// For nearest-neighbour searches, which no query here makes.
    case vector(dimension: Int)

    package var isVector: Bool { if case .vector = self { true } else { false } }

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
  package var fieldsWithName: [Field] {
    if fields.last?.field.isDocumentName == true { return fields }
    return fields + [Field(.documentName, CompositeIndex.nameMode(after: fields[...]))]
  }

  /// The name follows in the direction of the last field.
  private static func nameMode(after fields: ArraySlice<Field>) -> Mode {
    fields.last?.mode == .descending ? .descending : .ascending
  }
}

extension CompositeIndex: CustomStringConvertible {
  /// The parts as Query Explain writes them: `(age ASC, __name__ ASC)`.
  package var description: String {
    let parts = fieldsWithName.map { part in
      let mode =
        switch part.mode {
        case .ascending: "ASC"
        case .descending: "DESC"
        case .contains: "CONTAINS"
        case .vector(let dimension): "VECTOR<\(dimension)>"
        }
      return "\(part.field) \(mode)"
    }
    return "(" + parts.joined(separator: ", ") + ")"
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
    /// Whether the field says when a document expires; nothing of it concerns queries.
    package var isTimeToLive: Bool?

    package init(
      collectionID: String, field: FieldReference?, indexes: [SingleFieldIndex],
      isTimeToLive: Bool? = nil
    ) {
      self.collectionID = collectionID
      self.field = field
      self.indexes = indexes
      self.isTimeToLive = isTimeToLive
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
    singleFieldIndexes(of: field, collectionID: collectionID)
      .contains(SingleFieldIndex(scope: scope, mode: mode))
  }

  /// The single-field indexes that a field has, its automatic ones included.
  package func singleFieldIndexes(
    of field: FieldReference, collectionID: String
  ) -> [SingleFieldIndex] {
    let covering = fieldOverrides.filter { override in
      override.collectionID.hasSameBytes(as: collectionID)
        && override.field?.isPrefix(of: field) ?? true
    }
    let closest = covering.max {
      ($0.field?.segments.count ?? 0) < ($1.field?.segments.count ?? 0)
    }
    return closest?.indexes ?? IndexConfiguration.automatic
  }

  /// What every field is indexed by unless an override says otherwise.
  ///
  /// Source: https://firebase.google.com/docs/firestore/query-data/index-overview#automatic_indexing
  package static let automatic: [SingleFieldIndex] = [
    .init(scope: .collection, mode: .ascending), .init(scope: .collection, mode: .descending),
    .init(scope: .collection, mode: .contains),
  ]

  /// Declares `index`: a composite index as it is, an index of one field beside those which that
  /// field has already.
  package mutating func add(_ index: CompositeIndex) {
    guard index.fields.count == 1, !index.fields[0].field.isDocumentName else {
      if !indexes.contains(index) { indexes.append(index) }
      return
    }
    let (id, field) = (index.collectionID, index.fields[0].field)
    let wanted = SingleFieldIndex(scope: index.scope, mode: index.fields[0].mode)
    var all = singleFieldIndexes(of: field, collectionID: id)
    if all.contains(wanted) { return }
    all.append(wanted)
    if let own = fieldOverrides.firstIndex(where: {
      $0.collectionID.hasSameBytes(as: id) && $0.field == field
    }) {
      fieldOverrides[own].indexes = all
    } else {
      fieldOverrides.append(FieldOverride(collectionID: id, field: field, indexes: all))
    }
  }
}
