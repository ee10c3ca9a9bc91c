import StorageEngine

/// The catalog in the store. Under its own number, 0, stands for each collection that has documents its
/// path as the key and its number (4 bytes) as the record. Under `definitions`, among the derived keys,
/// stands for each index its number (4 bytes) as the key and its definition as the record:
///
///     collection number (4), 0 for a group | scope (1) | direction of the name (1) | fields (2)
///     | length (2), collection path or id | field ...
///
///     field: kind (1) | segments (2) | length (2), segment ...
///
/// What is derived is in checkpoints and not in the log, like the entries of indexes.
extension IndexCatalog {
  static let number: UInt32 = 0
  static let definitions: UInt32 = firstIndex

  static func append(keyOf collection: CollectionName, to writer: inout ByteWriter) {
    writer.append(word: number.bigEndian)
    writer.append(collection.path)
  }

  /// Notes an index that was built in `transaction`.
  func store(_ index: Index, in transaction: inout WriteTransaction) {
    var key = ByteWriter(capacity: 16)
    key.append(word: IndexCatalog.definitions.bigEndian)
    key.append(word: index.number.bigEndian)
    var record = ByteWriter()
    let definition = index.definition
    let isDescending = definition.nameDirection == .descending
    switch definition.scope {
    case .collection(let name):
      record.append(word: (number(of: name) ?? 0).littleEndian)
      record.append(UInt8(0))
      record.append(isDescending ? UInt8(1) : 0)
      record.append(word: UInt16(definition.fields.count).littleEndian)
      record.append(counted: name.path)
    case .collectionGroup(let id):
      record.append(word: UInt32(0))
      record.append(UInt8(1))
      record.append(isDescending ? UInt8(1) : 0)
      record.append(word: UInt16(definition.fields.count).littleEndian)
      record.append(counted: id)
    }
    for field in definition.fields {
      record.append(field.kind.code)
      record.append(word: UInt16(field.field.segments.count).littleEndian)
      for segment in field.field.segments { record.append(counted: segment) }
    }
    let number = transaction.addRecord(record)
    transaction.insert(key, value: number)
  }

  /// The collections and indexes that `version` has noted; nil where they contradict each other.
  init?(storedIn version: Version) {
    self.init()
    var cursor = TreeCursor(version, IndexCatalog.number)
    var numbers: [UInt32] = []
    while let record = cursor.next() {
      var path = ByteWriter(capacity: 64)
      cursor.appendKey(dropping: 4, to: &path)
      guard let note = version.note(record), note.count == 4,
        let name = try? CollectionName(path: String(decoding: path.bytes, as: UTF8.self)),
        restore(name, number: note.uint32(at: 0))
      else { return nil }
      numbers.append(note.uint32(at: 0))
    }
    // A set would take longer to come into being than all the rest does where there is one collection.
    numbers.sort()
    if zip(numbers, numbers.dropFirst()).contains(where: { $0 == $1 }) { return nil }
    cursor = TreeCursor(version, IndexCatalog.definitions)
    while let record = cursor.next() {
      var key = ByteWriter(capacity: 16)
      cursor.appendKey(dropping: 4, to: &key)
      guard let note = version.note(record), key.count == 4,
        restore(ByteSlice(key).uint32(at: 0).byteSwapped, note)
      else { return nil }
    }
  }

  /// Adds the index `number` whose definition is stored as `record`; answers whether it can be one.
  private mutating func restore(_ number: UInt32, _ record: ByteSlice) -> Bool {
    var reader = DefinitionReader(record)
    guard number > IndexCatalog.firstIndex, number < .max, let collection = reader.uint32(),
      let scope = reader.uint8(), let direction = reader.uint8(), scope <= 1, direction <= 1,
      let count = reader.uint16(), let name = reader.text()
    else { return false }
    var fields: [IndexDefinition.Field] = []
    for _ in 0..<count {
      guard let kind = reader.uint8().flatMap({ IndexDefinition.Kind(code: $0) }),
        let segments = reader.uint16(), segments > 0
      else { return false }
      var names: [String] = []
      for _ in 0..<segments {
        guard let name = reader.text() else { return false }
        names.append(name)
      }
      fields.append(.init(field: FieldReference(segments: names), kind: kind))
    }
    guard reader.isAtEnd else { return false }
    let isGroup = scope == 1
    if !isGroup {
      guard let name = try? CollectionName(path: name) else { return false }
      let known = self.number(of: name)
      guard known == collection || known == nil && restore(name, number: collection) else {
        return false
      }
    }
    guard let scope = QueryScope(stored: name, isGroup: isGroup) else { return false }
    let definition = IndexDefinition(
      scope: scope, fields: fields, nameDirection: direction == 1 ? .descending : .ascending)
    return restore(Index(number: number, definition: definition))
  }
}

extension QueryScope {
  fileprivate init?(stored name: String, isGroup: Bool) {
    guard let collection = try? CollectionName(path: name) else { return nil }
    if isGroup && collection.isNested { return nil }
    self = isGroup ? .collectionGroup(id: name) : .collection(collection)
  }
}

extension IndexDefinition.Kind {
  fileprivate var code: UInt8 {
    switch self {
    case .ascending: 0
    case .descending: 1
    case .contains: 2
    }
  }

  fileprivate init?(code: UInt8) {
    switch code {
    case 0: self = .ascending
    case 1: self = .descending
    case 2: self = .contains
    default: return nil
    }
  }
}

extension ByteWriter {
  /// Appends the length of `text` and its bytes.
  fileprivate mutating func append(counted text: String) {
    append(word: UInt16(truncatingIfNeeded: text.utf8.count).littleEndian)
    append(text)
  }
}

/// Reads a stored definition part by part; nil where it ends before.
private struct DefinitionReader {
  private let record: ByteSlice
  private var offset = 0

  init(_ record: ByteSlice) { self.record = record }

  var isAtEnd: Bool { offset == record.count }

  private mutating func take(_ count: Int) -> Int? {
    guard record.count - offset >= count else { return nil }
    defer { offset += count }
    return offset
  }

  mutating func uint8() -> UInt8? { take(1).map { record.uint8(at: $0) } }
  mutating func uint16() -> Int? { take(2).map { Int(record.uint16(at: $0)) } }
  mutating func uint32() -> UInt32? { take(4).map { record.uint32(at: $0) } }

  mutating func text() -> String? {
    guard let count = uint16(), let start = take(count) else { return nil }
    return record.string(start, start + count)
  }
}
