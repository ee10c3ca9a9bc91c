import StorageEngine

/// A document as it is stored, decoded on demand:
///
///     create time (8) | update time (8) | length of the path (2) | offset of the id (2) | path | map
package struct StoredDocument: Sendable {
  fileprivate let record: ByteSlice

  init(_ record: ByteSlice) { self.record = record }

  static func append(
    name: DocumentName, createTime: Int64, updateTime: Int64, fields: Fields,
    to writer: inout ByteWriter
  ) {
    writer.append(word: createTime.littleEndian)
    writer.append(word: updateTime.littleEndian)
    writer.append(word: UInt16(truncatingIfNeeded: name.path.utf8.count).littleEndian)
    writer.append(word: UInt16(truncatingIfNeeded: name.idOffset).littleEndian)
    writer.append(name.path)
    writer.append(encoding: fields)
  }

  /// Microseconds since 1970.
  package var createTime: Int64 { Int64(bitPattern: record.uint64(at: 0)) }
  /// Microseconds since 1970.
  package var updateTime: Int64 { Int64(bitPattern: record.uint64(at: 8)) }

  package var name: DocumentName {
    DocumentName(
      trusted: record.string(StoredDocument.pathStart, mapStart),
      idOffset: Int(record.uint16(at: 18)))
  }

  /// The last part of the name.
  package var id: String {
    record.string(StoredDocument.pathStart + Int(record.uint16(at: 18)), mapStart)
  }

  /// Whether the document is one of `collection` itself.
  package func isChild(of collection: CollectionName) -> Bool {
    let idOffset = Int(record.uint16(at: 18))
    return record.slice(StoredDocument.pathStart, StoredDocument.pathStart + idOffset - 1)
      .hasBytes(of: collection.path)
  }

  /// Appends the encoded name of this document of `scope`.
  func appendName(in scope: QueryScope, to writer: inout ByteWriter) {
    let id = record.slice(
      StoredDocument.pathStart + Int(record.uint16(at: 18)), mapStart)
    if case .collection = scope, id.uint8(at: 0) != UInt8(ascii: "_") {
      KeyEncoding.append(plainID: id, to: &writer)
    } else {
      scope.append(name, to: &writer)
    }
  }

  /// The fields, decoded one by one.
  package var map: EncodedMap { EncodedMap(record.slice(mapStart, record.count)) }

  /// All fields.
  package var fields: Fields { map.decoded }

  /// The value at `path`; the document's name is not a value here.
  package subscript(path: FieldReference) -> Value? { map[path]?.decoded }

  /// The document with these fields alone, as many of them as it has.
  package func selecting(_ fields: [FieldReference]) -> StoredDocument {
    var selected = Fields()
    for field in fields {
      if let value = self[field] { selected[field] = value }
    }
    return StoredDocument(
      name: name, createTime: createTime, updateTime: updateTime, fields: selected)
  }

  /// A document that is in no database.
  init(name: DocumentName, createTime: Int64, updateTime: Int64, fields: Fields) {
    var writer = ByteWriter()
    StoredDocument.append(
      name: name, createTime: createTime, updateTime: updateTime, fields: fields, to: &writer)
    self.init(ByteSlice(writer))
  }

  /// Identifies the document in this version among others, the same in every process.
  package var digest: UInt64 { digest(from: 8) }
  /// Identifies the document's name among others, the same in every process.
  package var nameDigest: UInt64 { digest(from: StoredDocument.pathStart) }

  /// The bytes up to the map, eight at a time; the last word may overlap the one before.
  private func digest(from start: Int) -> UInt64 {
    let last = mapStart - 8
    var digest = UInt64(truncatingIfNeeded: mapStart - start)
    for index in stride(from: start, to: last, by: 8) { digest.mix(record.uint64(at: index)) }
    let word = record.uint64(at: last)
    // A name of less than eight bytes is what is left of the word without what precedes it.
    digest.mix(last < start ? word >> UInt64(8 * (start - last)) : word)
    return digest
  }

  static let pathStart = 20
  private var mapStart: Int { StoredDocument.pathStart + Int(record.uint16(at: 16)) }
}

/// The documents of one result, in one allocation.
package struct StoredDocuments: RandomAccessCollection, Sendable {
  private let page: RecordPage

  init(_ page: RecordPage) { self.page = page }

  package var startIndex: Int { 0 }
  package var endIndex: Int { page.count }
  package subscript(position: Int) -> StoredDocument { StoredDocument(page[position]) }

  /// The documents with these fields alone, as many of them as they have.
  func selecting(_ fields: [FieldReference]) -> StoredDocuments {
    StoredDocuments(RecordPage(copying: map { $0.selecting(fields).record }))
  }
}

extension UInt64 {
  /// Takes a word into a digest: multiplied, so that each bit moves others, and folded, so that the
  /// high ones move the low ones.
  package mutating func mix(_ word: UInt64) {
    self = (self ^ word) &* 0x9E37_79B9_7F4A_7C15
    self ^= self >> 32
  }
}
