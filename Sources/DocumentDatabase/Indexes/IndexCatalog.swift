import StorageEngine

/// Which collections and indexes exist, and under which numbers their keys stand: an immutable value
/// that is published together with the version it describes.
struct IndexCatalog: Sendable {
  struct Index: Sendable {
    let number: UInt32
    let definition: IndexDefinition
  }

  /// What a collection has of its own.
  private struct Entry: Sendable {
    /// Under which the documents stand in the order of their names.
    let number: UInt32
    var indexes: [Index] = []
    /// Whether the store has it under its number.
    var isStored = false
  }

  private var entries: [CollectionName: Entry] = [:]
  private var groupIndexes: [GroupID: [Index]] = [:]
  private var next: UInt32 = 1

  /// A collection id, compared by bytes.
  private struct GroupID: Hashable {
    let id: String
    static func == (left: GroupID, right: GroupID) -> Bool { left.id.hasSameBytes(as: right.id) }
    func hash(into hasher: inout Hasher) { hasher.combine(id) }
  }

  /// The collections that ever had a document, and the numbers of their documents' own orders.
  var collections: [(name: CollectionName, number: UInt32)] {
    entries.map { ($0.key, $0.value.number) }
  }

  /// The number of the order of a collection's documents; nil where it never had one.
  func number(of collection: CollectionName) -> UInt32? { entries[collection]?.number }

  /// The number of the index; nil where it was not built yet.
  func number(of definition: IndexDefinition) -> UInt32? {
    switch definition.scope {
    case .collection(let name):
      guard let entry = entries[name] else { return nil }
      if definition.isPrimary { return entry.number }
      return entry.indexes.first { $0.definition.hasSameFields(as: definition) }?.number
    case .collectionGroup(let id):
      return groupIndexes[GroupID(id: id)]?
        .first { $0.definition.hasSameFields(as: definition) }?.number
    }
  }

  /// The indexes in which documents of `collection` have entries, beside their own order.
  func indexes(of collection: CollectionName) -> [Index] {
    let own = entries[collection]?.indexes ?? []
    if groupIndexes.isEmpty { return own }
    return own + (groupIndexes[GroupID(id: collection.id)] ?? [])
  }

  /// What belongs to the documents of one collection.
  struct Place {
    let collection: CollectionName
    let number: UInt32
    let indexes: [Index]
    var isStored: Bool
  }

  /// As `addCollection(_:)` and `indexes(of:)`.
  mutating func place(in collection: CollectionName) -> Place {
    var entry = entries[collection]
    if entry == nil {
      _ = addCollection(collection)
      entry = entries[collection]
    }
    let own = entry?.indexes ?? []
    let all = groupIndexes.isEmpty ? own : own + (groupIndexes[GroupID(id: collection.id)] ?? [])
    return Place(
      collection: collection, number: entry?.number ?? 0, indexes: all,
      isStored: entry?.isStored ?? false)
  }

  /// Notes that the store has the collection under its number.
  mutating func noteStored(_ collection: CollectionName) { entries[collection]?.isStored = true }

  /// All indexes, beside the documents' own orders.
  var indexes: [Index] { entries.values.flatMap(\.indexes) + groupIndexes.values.flatMap { $0 } }

  /// The number of the documents of `collection`, given now where it had none.
  mutating func addCollection(_ collection: CollectionName) -> UInt32 {
    if let entry = entries[collection] { return entry.number }
    let number = takeNumber()
    entries[collection] = Entry(number: number)
    return number
  }

  mutating func addIndex(_ definition: IndexDefinition) -> UInt32 {
    let index: Index
    switch definition.scope {
    case .collection(let name):
      _ = addCollection(name)
      index = Index(number: takeIndexNumber(), definition: definition)
      entries[name]?.indexes.append(index)
    case .collectionGroup(let id):
      index = Index(number: takeIndexNumber(), definition: definition)
      groupIndexes[GroupID(id: id), default: []].append(index)
    }
    return index.number
  }

  /// What all keys of an index start with.
  static func prefix(_ number: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: number >> $0) }
  }

  /// Adds a collection that the store has under `number`, which no other collection has; answers
  /// whether it can be one.
  mutating func restore(_ collection: CollectionName, number: UInt32) -> Bool {
    guard entries[collection] == nil, 1..<IndexCatalog.firstIndex ~= number else { return false }
    entries[collection] = Entry(number: number, isStored: true)
    next = max(next, number + 1)
    return true
  }

  /// Adds an index that the store has; answers whether it can be one.
  mutating func restore(_ index: Index) -> Bool {
    guard number(of: index.definition) == nil else { return false }
    switch index.definition.scope {
    case .collection(let name): entries[name]?.indexes.append(index)
    case .collectionGroup(let id): groupIndexes[GroupID(id: id), default: []].append(index)
    }
    next = max(next, index.number - IndexCatalog.firstIndex + 1)
    return true
  }

  /// Indexes have numbers whose keys are derived.
  static let firstIndex = UInt32(OrderedStore.derivedKeys) << 24

  private mutating func takeIndexNumber() -> UInt32 { takeNumber() | IndexCatalog.firstIndex }

  private mutating func takeNumber() -> UInt32 {
    defer { next += 1 }
    return next
  }
}
