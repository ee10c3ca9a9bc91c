import DocumentDatabase

// A cursor of values names a position in the explicit orders: as many values as are given, from the
// first order on. Documents that tie with it are all on one side of it. A cursor of a document is
// exact, because the order is completed by the document's id.

extension Query {
  /// Starts at a document: it is the first that can be returned.
  ///
  /// - Parameter document: A document of this query's collection; it need not exist any more.
  /// - Returns: The query that starts there.
  public func start(atDocument document: DocumentSnapshot) -> Query {
    bounded(\.start, by: document, before: true)
  }

  /// Starts after a document, as the next page does after the last document of a page.
  ///
  /// - Parameter document: A document of this query's collection; it need not exist any more.
  /// - Returns: The query that starts there.
  public func start(afterDocument document: DocumentSnapshot) -> Query {
    bounded(\.start, by: document, before: false)
  }

  /// Ends before a document, as the page before does at the first document of a page.
  ///
  /// - Parameter document: A document of this query's collection; it need not exist any more.
  /// - Returns: The query that ends there.
  public func end(beforeDocument document: DocumentSnapshot) -> Query {
    bounded(\.end, by: document, before: true)
  }

  /// Ends at a document: it is the last that can be returned.
  ///
  /// - Parameter document: A document of this query's collection; it need not exist any more.
  /// - Returns: The query that ends there.
  public func end(atDocument document: DocumentSnapshot) -> Query {
    bounded(\.end, by: document, before: false)
  }

  /// Starts with the documents that have these values in the orders, from the first order on.
  public func start(at fieldValues: [Any]) -> Query {
    bounded(\.start, by: fieldValues, before: true, call: "start(at:)")
  }

  /// Starts after all documents that have these values in the orders, from the first order on.
  public func start(after fieldValues: [Any]) -> Query {
    bounded(\.start, by: fieldValues, before: false, call: "start(after:)")
  }

  /// Ends before all documents that have these values in the orders, from the first order on.
  public func end(before fieldValues: [Any]) -> Query {
    bounded(\.end, by: fieldValues, before: true, call: "end(before:)")
  }

  /// Ends with the documents that have these values in the orders, from the first order on.
  public func end(at fieldValues: [Any]) -> Query {
    bounded(\.end, by: fieldValues, before: false, call: "end(at:)")
  }

  private func bounded(
    _ side: WritableKeyPath<QueryRequest, QueryRequest.Bound?>, by document: DocumentSnapshot,
    before: Bool
  ) -> Query {
    windowed { request throws(FirestoreErrorCode) in
      guard document.exists else {
        throw .invalid(
          "The cursor document \(document.reference.path) did not exist when it was read, so that it "
            + "has no position in the query's order.")
      }
      guard document.firestore === firestore else {
        throw .invalid(
          "The cursor document \(document.reference.path) is in the database "
            + "\(document.firestore.database.name.text), but the query is for another instance, "
            + "\(firestore.database.name.text).")
      }
      guard request.structured.from.contains(document) else {
        throw .invalid(
          "The cursor document \(document.reference.path) is in the collection "
            + "\(document.name.parent), but the query is for \(request.structured.from.text).")
      }
      request[keyPath: side] = QueryRequest.Bound(position: .document(document), before: before)
    }
  }

  private func bounded(
    _ side: WritableKeyPath<QueryRequest, QueryRequest.Bound?>, by fieldValues: [Any], before: Bool,
    call: String
  ) -> Query {
    windowed { request throws(FirestoreErrorCode) in
      let orders = request.structured.orderBy
      guard !fieldValues.isEmpty else {
        throw .invalid("\(call) needs at least one value, for the first order(by:).")
      }
      guard fieldValues.count <= orders.count else {
        throw .invalid(
          "\(call) has \(fieldValues.count) values, but the query has only \(orders.count) order(by:) "
            + "to compare them with.")
      }
      var values: [Value] = []
      for (any, order) in zip(fieldValues, orders) {
        let value = try Value(boxing: any)
        if order.field.isDocumentName {
          guard case .string(let id) = value else {
            throw .invalid(
              "\(call) must have a String, the document's id, for an order by "
                + "FieldPath.documentID(), not \(type(of: any)).")
          }
          values.append(try request.structured.from.reference(id, in: firestore))
        } else {
          try firestore.refuseForeignReferences(in: value)
          values.append(value)
        }
      }
      request[keyPath: side] = QueryRequest.Bound(position: .values(values), before: before)
    }
  }
}

extension StructuredQuery.CollectionSelector {
  /// The collection for a reader.
  var text: String {
    switch self {
    case .collection(let name): "the collection \(name)"
    case .collectionGroup(let id): "the collection group \(id)"
    }
  }

  fileprivate func contains(_ document: DocumentSnapshot) -> Bool {
    switch self {
    case .collection(let name):
      document.stored?.isChild(of: name) ?? (document.name.parent == name)
    case .collectionGroup(let id): document.name.parent.id.hasSameBytes(as: id)
    }
  }

  /// What a document's id in a filter or cursor stands for: in a collection a plain id, in a
  /// collection group, where ids repeat, a whole path.
  func reference(_ id: String, in firestore: Firestore) throws(FirestoreErrorCode) -> Value {
    let name: DocumentName
    switch self {
    case .collection(let collection):
      guard !id.isEmpty, !id.contains("/") else {
        throw .invalid(
          "A document of \(text) is named by its plain id, and \"\(id)\" is "
            + (id.isEmpty ? "empty." : "a path."))
      }
      name = try DocumentName.checked("\(collection)/\(id)").get()
    case .collectionGroup:
      name = try DocumentName.checked(id).get()
    }
    return .reference(ResourceName(database: firestore.database.name, document: name))
  }
}
