import StorageEngine

/// A document as it is stored, decoded on demand:
///
///     create time (8) | update time (8) | length of the path (2) | offset of the id (2) | path | map
package struct StoredDocument: Sendable {
  private let record: ByteSlice

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

  /// The fields, decoded one by one.
  package var map: EncodedMap { EncodedMap(record.slice(mapStart, record.count)) }

  /// All fields.
  package var fields: Fields { map.decoded }

  /// The value at `path`; the document's name is not a value here.
  package subscript(path: FieldReference) -> Value? { map[path]?.decoded }

  /// The document with these fields alone, as many of them as it has.
  func selecting(_ fields: [FieldReference]) -> StoredDocument {
    var selected = Fields()
    for field in fields {
      if let value = self[field] { selected[field] = value }
    }
    var writer = ByteWriter()
    StoredDocument.append(
      name: name, createTime: createTime, updateTime: updateTime, fields: selected, to: &writer)
    return StoredDocument(ByteSlice(writer))
  }

  private static let pathStart = 20
  private var mapStart: Int { StoredDocument.pathStart + Int(record.uint16(at: 16)) }
}
