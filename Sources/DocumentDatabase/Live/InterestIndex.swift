/// Who must hear of a changed document. Listeners are found by collection, then by one value that their
/// filters fix, then by their part of the order: a change touches only those whose result it can
/// concern, however many others there are.
package struct InterestIndex: Sendable {
  /// A listener's number.
  package typealias ID = Int

  /// A change as one listener sees it: the document's place before and after, nil where it is not among
  /// the documents that the listener's query selects.
  package struct Move: Sendable {
    package let change: ChangedDocument
    package let before: [UInt8]?
    package let after: [UInt8]?
  }

  /// A test that a document must pass for some disjunct of a query.
  fileprivate enum Gate: Hashable {
    case anything
    case name([UInt8])
    case equals(FieldReference, [UInt8])
    case contains(FieldReference, [UInt8])
  }

  fileprivate struct Scope {
    /// For each shape, the part of the order in which a change can concern each listener.
    var shapes: [QueryShape: RangeTable] = [:]
    var gates: [Gate: [QueryShape: Int]] = [:]
    var equalities: [FieldReference: Int] = [:]
    var containments: [FieldReference: Int] = [:]
  }

  private var collections: [CollectionName: Scope] = [:]
  private var groups: [String: Scope] = [:]
  private var queries: [ID: LiveQuery] = [:]

  package init() {}

  /// Adds a listener to all changes of `query`'s documents.
  package mutating func insert(_ id: ID, _ query: LiveQuery) {
    queries[id] = query
    change(query.shape.scope) { scope in
      let isKnown = scope.shapes[query.shape] != nil
      scope.shapes[query.shape, default: RangeTable()][id] = query.cursors
      if !isKnown { scope.count(query.shape, by: 1) }
    }
  }

  package mutating func remove(_ id: ID) {
    guard let query = queries.removeValue(forKey: id) else { return }
    change(query.shape.scope) { scope in
      scope.shapes[query.shape]?[id] = nil
      if scope.shapes[query.shape]?.isEmpty == true {
        scope.shapes[query.shape] = nil
        scope.count(query.shape, by: -1)
      }
    }
  }

  /// Narrows what a listener hears to its window: beyond the last document of a full one nothing can
  /// concern it.
  package mutating func narrow(_ id: ID, to window: ByteRange) {
    guard let query = queries[id] else { return }
    change(query.shape.scope) {
      $0.shapes[query.shape]?[id] = query.cursors.intersection(window)
    }
  }

  /// The listeners that `changes` concern, each with the changes that do, in their order.
  ///
  /// - Complexity: O(log n) in the listeners of the same shape for each that is concerned; listeners of
  ///   other collections and of other fixed values cost nothing.
  package mutating func moves(of changes: [ChangedDocument]) -> [ID: [Move]] {
    var moves: [ID: [Move]] = [:]
    for change in changes {
      let collection = change.name.parent
      collections[collection]?.add(change, queries, to: &moves)
      if !groups.isEmpty { groups[collection.id]?.add(change, queries, to: &moves) }
    }
    return moves
  }

  private mutating func change(_ scope: QueryScope, _ body: (inout Scope) -> Void) {
    switch scope {
    case .collection(let name):
      body(&collections[name, default: Scope()])
      if collections[name]?.shapes.isEmpty == true { collections[name] = nil }
    case .collectionGroup(let id):
      body(&groups[id, default: Scope()])
      if groups[id]?.shapes.isEmpty == true { groups[id] = nil }
    }
  }
}

extension InterestIndex.Gate {
  /// The most telling of a disjunct's tests.
  fileprivate init(_ disjunct: [Predicate]) {
    self = .anything
    for predicate in disjunct {
      if let name = predicate.singleName {
        self = .name(name)
        return
      }
      switch (predicate.test, self) {
      case (.equals(let value), .anything), (.equals(let value), .contains):
        self = .equals(predicate.field, KeyEncoding.bytes(of: value))
      case (.contains(let value), .anything):
        self = .contains(predicate.field, KeyEncoding.bytes(of: value))
      default: break
      }
    }
  }
}

extension InterestIndex.Scope {
  fileprivate mutating func count(_ shape: QueryShape, by step: Int) {
    for disjunct in shape.disjuncts {
      let gate = InterestIndex.Gate(disjunct)
      gates[gate, default: [:]].add(step, for: shape)
      if gates[gate]?.isEmpty == true { gates[gate] = nil }
      switch gate {
      case .equals(let field, _): equalities.add(step, for: field)
      case .contains(let field, _): containments.add(step, for: field)
      case .anything, .name: break
      }
    }
  }

  fileprivate mutating func add(
    _ change: ChangedDocument, _ queries: [InterestIndex.ID: LiveQuery],
    to moves: inout [InterestIndex.ID: [InterestIndex.Move]]
  ) {
    for shape in shapes(passedBy: change) {
      let before = shape.position(of: change.before)
      let after = shape.position(of: change.after)
      var ids = Set<InterestIndex.ID>()
      if let before { ids.formUnion(shapes[shape]?.ids(containing: before) ?? []) }
      if let after, after != before {
        ids.formUnion(shapes[shape]?.ids(containing: after) ?? [])
      }
      for id in ids {
        guard let query = queries[id] else { continue }
        moves[id, default: []].append(
          .init(
            change: change, before: query.inside(before), after: query.inside(after)))
      }
    }
  }

  private func shapes(passedBy change: ChangedDocument) -> Set<QueryShape> {
    var passed = Set<QueryShape>()
    func open(_ gate: InterestIndex.Gate) {
      if let shapes = gates[gate] { passed.formUnion(shapes.keys) }
    }
    open(.anything)
    if let scope = shapes.first?.key.scope { open(.name(scope.encodedName(change.name))) }
    for document in [change.before, change.after] {
      guard let document else { continue }
      for field in equalities.keys {
        if let value = document[field] { open(.equals(field, KeyEncoding.bytes(of: value))) }
      }
      for field in containments.keys {
        guard case .array(let elements)? = document[field] else { continue }
        for element in elements { open(.contains(field, KeyEncoding.bytes(of: element))) }
      }
    }
    return passed
  }
}

extension Dictionary where Value == Int {
  /// Counts uses of `key`, and forgets one without uses.
  fileprivate mutating func add(_ step: Int, for key: Key) {
    let count = self[key, default: 0] + step
    self[key] = count == 0 ? nil : count
  }
}
