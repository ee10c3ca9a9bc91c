package import DocumentDatabase

/// A condition on documents, made of comparisons joined by "and" and "or".
///
/// A mistake in it, such as an empty `in`, is kept and thrown by the method that runs the query.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/queries#or_queries
public final class Filter: Sendable {
  package typealias Node = StructuredQuery.Filter

  /// The condition, nil where nothing is asked, or the first mistake in it.
  package let node: Result<Node?, FirestoreErrorCode>

  private init(_ node: Result<Node?, FirestoreErrorCode>) { self.node = node }

  /// At least one of `filters` holds.
  public static func orFilter(_ filters: [Filter]) -> Filter { Filter(filters, Node.or) }

  /// All of `filters` hold.
  public static func andFilter(_ filters: [Filter]) -> Filter { Filter(filters, Node.and) }

  private convenience init(_ filters: [Filter], _ join: ([Node]) -> Node) {
    do throws(FirestoreErrorCode) {
      var nodes: [Node] = []
      for filter in filters {
        if let node = try filter.node.get() { nodes.append(node) }
      }
      self.init(.success(nodes.count > 1 ? join(nodes) : nodes.first))
    } catch {
      self.init(.failure(error))
    }
  }

  /// Compares a field with one value.
  convenience init(_ path: FieldPath, _ operation: StructuredQuery.FieldOperator, _ value: Any) {
    do throws(FirestoreErrorCode) {
      let field = try path.reference.get()
      self.init(.success(Filter.comparison(field, operation, try Value(boxing: value))))
    } catch {
      self.init(.failure(error))
    }
  }

  /// Compares a field with several values.
  convenience init(_ path: FieldPath, _ operation: StructuredQuery.FieldOperator, _ values: [Any]) {
    do throws(FirestoreErrorCode) {
      let field = try path.reference.get()
      guard !values.isEmpty else {
        throw .invalid(
          "The \(operation.rawValue) filter on \(field) has no values; it needs at least one.")
      }
      var elements: [Value] = []
      for value in values { elements.append(try Value(boxing: value)) }
      self.init(.success(.field(field, operation, .array(elements))))
    } catch {
      self.init(.failure(error))
    }
  }

  /// Equality with null and NaN has operators of its own, as the client SDKs send it.
  private static func comparison(
    _ field: FieldReference, _ operation: StructuredQuery.FieldOperator, _ value: Value
  ) -> Node {
    switch (operation, value) {
    case (.equal, .null): .unary(field, .isNull)
    case (.notEqual, .null): .unary(field, .isNotNull)
    case (.equal, .double(let number)) where number.isNaN: .unary(field, .isNaN)
    case (.notEqual, .double(let number)) where number.isNaN: .unary(field, .isNotNaN)
    default: .field(field, operation, value)
    }
  }
}

extension Filter: Hashable {
  /// Whether both ask the same.
  public static func == (left: Filter, right: Filter) -> Bool { left.node == right.node }

  /// Feeds the condition to `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(node) }
}

extension Query {
  /// Keeps the documents for which `filter` holds; an empty one changes nothing.
  public func whereFilter(_ filter: Filter) -> Query {
    changing { request throws(FirestoreErrorCode) in
      guard let node = try filter.node.get() else { return }
      let bound = try node.bound(to: request.structured.from, in: firestore)
      switch request.structured.where {
      case nil: request.structured.where = bound
      case .and(let nodes): request.structured.where = .and(nodes + [bound])
      case let existing?: request.structured.where = .and([existing, bound])
      }
    }
  }
}

extension StructuredQuery.Filter {
  /// The filter for one collection: ids of documents become names, and references are checked.
  fileprivate func bound(
    to collection: StructuredQuery.CollectionSelector, in firestore: Firestore
  ) throws(FirestoreErrorCode) -> StructuredQuery.Filter {
    switch self {
    case .and(let filters): return .and(try filters.bound(to: collection, in: firestore))
    case .or(let filters): return .or(try filters.bound(to: collection, in: firestore))
    case .unary: return self
    case .field(let field, let operation, let value):
      try firestore.refuseForeignReferences(in: value)
      guard field.isDocumentName else { return self }
      switch (operation, value) {
      case (.arrayContains, _), (.arrayContainsAny, _):
        throw .invalid("\(operation.rawValue) cannot be used on FieldPath.documentID().")
      case (.in, .array(let ids)), (.notIn, .array(let ids)):
        var names: [Value] = []
        for id in ids { names.append(try id.documentName(in: collection, of: firestore)) }
        return .field(field, operation, .array(names))
      default:
        return .field(field, operation, try value.documentName(in: collection, of: firestore))
      }
    }
  }
}

extension [StructuredQuery.Filter] {
  fileprivate func bound(
    to collection: StructuredQuery.CollectionSelector, in firestore: Firestore
  ) throws(FirestoreErrorCode) -> [StructuredQuery.Filter] {
    var bound: [StructuredQuery.Filter] = []
    for filter in self { bound.append(try filter.bound(to: collection, in: firestore)) }
    return bound
  }
}

extension Value {
  /// The name that a filter on a document's id compares with.
  fileprivate func documentName(
    in collection: StructuredQuery.CollectionSelector, of firestore: Firestore
  ) throws(FirestoreErrorCode) -> Value {
    switch self {
    case .reference: return self
    case .string(let id): return try collection.reference(id, in: firestore)
    default:
      throw .invalid(
        "A filter on FieldPath.documentID() compares with a String or a DocumentReference.")
    }
  }
}
