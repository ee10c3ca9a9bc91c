package import FeedStore

/// What a reader scrolls: documents and the query that makes a feed of them.
package struct Feed: Sendable {
  /// One `order(by:descending:)`.
  package struct Order: Hashable, Sendable {
    package let field: String
    package let isDescending: Bool

    package init(field: String, isDescending: Bool) {
      self.field = field
      self.isDescending = isDescending
    }
  }

  /// One `whereField`.
  package struct Condition: Hashable, Sendable {
    package enum Operator: String, CaseIterable, Sendable {
      case equal = "=="
      case notEqual = "!="
      case less = "<"
      case lessOrEqual = "<="
      case greater = ">"
      case greaterOrEqual = ">="
    }

    package let field: String
    package let comparison: Operator
    package let value: Literal

    package init(field: String, comparison: Operator, value: Literal) {
      self.field = field
      self.comparison = comparison
      self.value = value
    }
  }

  /// The name of the collection.
  package let name: String
  package let documents: [ImportedDocument]
  /// At least one; without any given, Firestore's own order, spelled out.
  package let orders: [Order]
  package let conditions: [Condition]
  /// The documents that lack a field the feed is ordered by, and with it the feed.
  package let countOfUnordered: Int
  private let paths: [String: [String]]

  /// - Throws: `FeedError` where no document has a field the query names, `InputError` where a field
  ///   is no field path.
  package init(
    name: String, of source: DocumentImport, orders: [Order], conditions: [Condition],
    timestampFields: [String] = []
  ) throws {
    let fields = orders.map(\.field) + conditions.map(\.field) + timestampFields
    for field in fields where try source.countOfDocuments(having: [field]) == 0 {
      throw FeedError.noDocumentHas(
        field: field, documents: source.documents.count, known: source.fieldNames)
    }
    paths = try Dictionary(
      fields.map { ($0, try DocumentImport.segments(of: $0)) },
      uniquingKeysWith: { first, _ in first })
    self.name = name
    documents = source.documents
    self.orders = orders.isEmpty ? Feed.implicitOrders(conditions) : orders
    self.conditions = conditions
    let ordered = try source.countOfDocuments(having: self.orders.map(\.field))
    countOfUnordered = documents.count - ordered
  }

  /// The fields compared by a range, sorted, else the name.
  ///
  /// Source: https://firebase.google.com/docs/firestore/query-data/multiple-range-fields
  private static func implicitOrders(_ conditions: [Condition]) -> [Order] {
    let fields = Set(conditions.filter { $0.comparison != .equal }.map(\.field)).sorted()
    return (fields.isEmpty ? ["__name__"] : fields).map { Order(field: $0, isDescending: false) }
  }

  /// A new database that holds the documents and has billed nothing.
  package func database() throws(FeedError) -> Firestore {
    let firestore = Firestore()
    do throws(FirestoreErrorCode) {
      try firestore.add(documents, to: name)
    } catch { throw .notStored(reason: error.message) }
    return firestore
  }

  /// The feed's query in `firestore`, without a limit.
  package func query(in firestore: Firestore) -> Query {
    var query: Query = firestore.collection(name)
    for condition in conditions {
      let path = path(condition.field)
      let value = condition.value.unboxed(in: firestore)
      query =
        switch condition.comparison {
        case .equal: query.whereField(path, isEqualTo: value)
        case .notEqual: query.whereField(path, isNotEqualTo: value)
        case .less: query.whereField(path, isLessThan: value)
        case .lessOrEqual: query.whereField(path, isLessThanOrEqualTo: value)
        case .greater: query.whereField(path, isGreaterThan: value)
        case .greaterOrEqual: query.whereField(path, isGreaterThanOrEqualTo: value)
        }
    }
    for order in orders {
      query = query.order(by: path(order.field), descending: order.isDescending)
    }
    return query
  }

  private func path(_ field: String) -> FieldPath {
    field == "__name__" ? .documentID() : FieldPath(paths[field] ?? [field])
  }
}

/// A feed that cannot be made of the documents.
package enum FeedError: Error, Hashable, Sendable {
  case noDocumentHas(field: String, documents: Int, known: [String])
  /// A document breaks one of Firestore's rules.
  case notStored(reason: String)
}
