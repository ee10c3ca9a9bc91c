/// Which collections and indexes exist, and under which numbers their keys stand: an immutable value
/// that is published together with the version it describes.
struct IndexCatalog: Sendable {
  struct Index: Sendable {
    let number: UInt32
    let definition: IndexDefinition
  }

  /// Numbers of the documents' own orders.
  private(set) var collections: [CollectionName: UInt32] = [:]
  private var collectionIndexes: [CollectionName: [Index]] = [:]
  private var groupIndexes: [GroupID: [Index]] = [:]
  private var numbers: [IndexDefinition: UInt32] = [:]
  private var next: UInt32 = 1

  /// A collection id, compared by bytes.
  private struct GroupID: Hashable {
    let id: String
    static func == (left: GroupID, right: GroupID) -> Bool { left.id.hasSameBytes(as: right.id) }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  /// The number of the index; nil where it was not built yet.
  func number(of definition: IndexDefinition) -> UInt32? {
    if definition.isPrimary, case .collection(let name) = definition.scope {
      return collections[name]
    }
    return numbers[definition]
  }

  /// The indexes in which documents of `collection` have entries, beside their own order.
  func indexes(of collection: CollectionName) -> [Index] {
    let group = groupIndexes.isEmpty ? nil : groupIndexes[GroupID(id: collection.id)]
    return (collectionIndexes[collection] ?? []) + (group ?? [])
  }

  /// The number of the documents of `collection`, given now where it had none.
  mutating func addCollection(_ collection: CollectionName) -> UInt32 {
    if let number = collections[collection] { return number }
    let number = takeNumber()
    collections[collection] = number
    return number
  }

  mutating func addIndex(_ definition: IndexDefinition) -> UInt32 {
    let number = takeNumber()
    let index = Index(number: number, definition: definition)
    numbers[definition] = number
    switch definition.scope {
    case .collection(let name): collectionIndexes[name, default: []].append(index)
    case .collectionGroup(let id): groupIndexes[GroupID(id: id), default: []].append(index)
    }
    return number
  }

  /// What all keys of an index start with.
  static func prefix(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  private mutating func takeNumber() -> UInt32 {
    defer { next += 1 }
    return next
  }
}
