import StorageEngine

/// Which documents a query ranges over, and how their names are encoded there: by id alone in one
/// collection, by the whole path in a collection group.
package enum QueryScope: Hashable, Sendable {
  case collection(CollectionName)
  case collectionGroup(id: String)

  init(_ selector: StructuredQuery.CollectionSelector) {
    switch selector {
    case .collection(let name): self = .collection(name)
    case .collectionGroup(let id): self = .collectionGroup(id: id)
    }
  }

  package static func == (left: QueryScope, right: QueryScope) -> Bool {
    switch (left, right) {
    case (.collection(let a), .collection(let b)): a == b
    case (.collectionGroup(let a), .collectionGroup(let b)): a.hasSameBytes(as: b)
    default: false
    }
  }

  /// Whether the documents of `collection` belong to this scope.
  func contains(_ collection: CollectionName) -> Bool {
    switch self {
    case .collection(let name): name == collection
    case .collectionGroup(let id): collection.id.hasSameBytes(as: id)
    }
  }

  /// Appends the encoded name of a document of this scope.
  func append(_ name: DocumentName, to writer: inout ByteWriter) {
    switch self {
    case .collection: KeyEncoding.append(idOf: name, to: &writer)
    case .collectionGroup: KeyEncoding.append(path: name, to: &writer)
    }
  }

  func encodedName(_ name: DocumentName) -> [UInt8] {
    var writer = ByteWriter()
    append(name, to: &writer)
    return writer.bytes
  }

  /// Where a name, which need not be in this scope, stands among the names that are.
  func position(of name: DocumentName) -> NamePosition {
    guard case .collection(let collection) = self, !name.isChild(of: collection) else {
      return .at(encodedName(name))
    }
    let base = KeyEncoding.segments(of: collection.path)
    let segments = name.segments
    for (mine, theirs) in zip(base, segments) where !mine.hasSameBytes(as: theirs) {
      return KeyEncoding.id(theirs, precedes: mine) ? .start : .end
    }
    guard segments.count > base.count else { return .start }
    var writer = ByteWriter()
    KeyEncoding.append(id: segments[base.count], to: &writer)
    return segments.count == base.count + 1 ? .at(writer.bytes) : .after(writer.bytes)
  }
}

/// A place in the order of encoded names.
enum NamePosition: Hashable, Sendable {
  /// That of this encoded name.
  case at([UInt8])
  /// Right after this encoded name, before the next one.
  case after([UInt8])
  case start
  case end

  /// Everything from `lower` up to `upper` equals this place; where the two are the same, nothing
  /// does.
  func bounds(_ direction: StructuredQuery.Direction) -> (lower: [UInt8], upper: [UInt8]) {
    let above: [UInt8] = [0xFF]
    switch (self, direction) {
    case (.at(let name), .ascending):
      return (name, KeyEncoding.successor(of: name) ?? above)
    case (.at(let name), .descending):
      let inverted = name.map { ~$0 }
      return (inverted, KeyEncoding.successor(of: inverted) ?? above)
    case (.after(let name), .ascending):
      let next = KeyEncoding.successor(of: name) ?? above
      return (next, next)
    case (.after(let name), .descending):
      let inverted = name.map { ~$0 }
      return (inverted, inverted)
    case (.start, .ascending), (.end, .descending): return ([], [])
    case (.end, .ascending), (.start, .descending): return (above, above)
    }
  }

  /// The encoded names that `operation` with a name at this place matches.
  func ranges(_ operation: StructuredQuery.FieldOperator) -> ByteRangeSet {
    let (lower, upper) = bounds(.ascending)
    switch operation {
    case .lessThan: return ByteRangeSet([ByteRange(lower: [], upper: lower)])
    case .lessThanOrEqual: return ByteRangeSet([ByteRange(lower: [], upper: upper)])
    case .greaterThan: return ByteRangeSet([ByteRange(lower: upper, upper: nil)])
    case .greaterThanOrEqual: return ByteRangeSet([ByteRange(lower: lower, upper: nil)])
    case .notEqual: return ByteRangeSet(allBut: [ByteRange(lower: lower, upper: upper)])
    case .equal, .in, .notIn, .arrayContains, .arrayContainsAny:
      return ByteRangeSet([ByteRange(lower: lower, upper: upper)])
    }
  }
}

extension KeyEncoding {
  static func segments(of path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
  }

  static func id(_ left: String, precedes right: String) -> Bool {
    var first = ByteWriter()
    var second = ByteWriter()
    append(id: left, to: &first)
    append(id: right, to: &second)
    return first.bytes.lexicographicallyPrecedes(second.bytes)
  }
}
