/// What was asked, as a value: the REST type `StructuredQuery`. Nothing in it is validated yet;
/// `CanonicalQuery` is what it means.
///
/// Source: https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredQuery
package struct StructuredQuery: Hashable, Sendable {
  package var from: CollectionSelector
  package var `where`: Filter?
  package var orderBy: [Order] = []
  package var startAt: Cursor?
  package var endAt: Cursor?
  package var offset = 0
  package var limit: Int?
  /// Nil returns whole documents; an empty list returns names alone.
  package var select: [FieldReference]?

  package init(from: CollectionSelector) { self.from = from }

  /// Which documents are candidates.
  package enum CollectionSelector: Hashable, Sendable {
    /// The direct children of one collection.
    case collection(CollectionName)
    /// Every document whose parent collection has this id, at any depth.
    case collectionGroup(id: String)
  }

  package indirect enum Filter: Hashable, Sendable {
    case and([Filter])
    case or([Filter])
    case field(FieldReference, FieldOperator, Value)
    case unary(FieldReference, UnaryOperator)
  }

  package enum FieldOperator: String, Hashable, Sendable, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case lessThan = "<"
    case lessThanOrEqual = "<="
    case greaterThan = ">"
    case greaterThanOrEqual = ">="
    case arrayContains = "array-contains"
    case arrayContainsAny = "array-contains-any"
    case `in` = "in"
    case notIn = "not-in"
  }

  package enum UnaryOperator: String, Hashable, Sendable, CaseIterable {
    case isNull = "is null"
    case isNaN = "is NaN"
    case isNotNull = "is not null"
    case isNotNaN = "is not NaN"
  }

  package enum Direction: String, Hashable, Sendable {
    case ascending = "asc"
    case descending = "desc"

    package var reversed: Direction { self == .ascending ? .descending : .ascending }
  }

  package struct Order: Hashable, Sendable {
    package var field: FieldReference
    package var direction: Direction

    package init(_ field: FieldReference, _ direction: Direction = .ascending) {
      self.field = field
      self.direction = direction
    }
  }

  /// A position before or after everything that equals `values`, one per order, as many as given.
  /// As a start, `before` includes what equals; as an end, `before` excludes it.
  package struct Cursor: Hashable, Sendable {
    package var values: [Value]
    package var before: Bool

    package init(values: [Value], before: Bool) {
      self.values = values
      self.before = before
    }
  }
}
