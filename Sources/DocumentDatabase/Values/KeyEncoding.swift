package import StorageEngine

/// Values as bytes whose order, byte by byte, is Firestore's order of values across all types. It is
/// the only comparison of values in this module: ranges of indexes, filters and cursors all use it.
///
/// No encoding is a prefix of another, so encodings can stand one after another in a key, and all keys
/// that start with a value `v` are those from `encoding(v)` up to its `successor`.
///
/// | type | bytes |
/// |---|---|
/// | null, NaN | label |
/// | boolean | label, 0 or 1 |
/// | number | label, the largest double not above it (8), what is left to it (2) |
/// | timestamp | label, microseconds (8) |
/// | string, bytes | label, the bytes with 00 as 00 FF, 00 01; where cut after 1,500 bytes, 00 02 |
/// | reference | label, project, database, segments, end |
/// | geo point | label, latitude (8), longitude (8) |
/// | array | label, elements, end |
/// | vector | label, dimension (4), elements (8 each) |
/// | map | label, names and values in the order of names, end |
///
/// A descending key part has all its bits inverted.
///
/// Source: https://firebase.google.com/docs/firestore/manage-data/data-types#value_type_ordering
package enum KeyEncoding {
  /// First bytes; `end` is below all labels, so that a shorter array or map comes first.
  enum Label {
    static let end: UInt8 = 2
    static let null: UInt8 = 5
    static let boolean: UInt8 = 10
    static let nan: UInt8 = 13
    static let number: UInt8 = 15
    static let timestamp: UInt8 = 20
    static let string: UInt8 = 25
    static let bytes: UInt8 = 30
    static let reference: UInt8 = 37
    static let geoPoint: UInt8 = 45
    static let array: UInt8 = 50
    static let vector: UInt8 = 53
    static let map: UInt8 = 55
    static let segment: UInt8 = 60
  }

  /// How many bytes of a string or a byte array take part in queries.
  package static let longestText = 1500
  /// How many bytes of a whole encoded value are kept: room for a string of 1,500 zeros.
  private static let longestValue = 3100

  /// The encoding of `value`.
  package static func bytes(of value: Value) -> [UInt8] {
    var writer = ByteWriter()
    append(value, to: &writer)
    return writer.bytes
  }

  /// Whether two values are equal to a query in all their bytes, also those behind what an index keeps:
  /// `1` and `1.0` are, two long texts that differ at their end are not.
  static func areEqual(_ left: Value, _ right: Value) -> Bool {
    var first = ByteWriter()
    var second = ByteWriter()
    appendWhole(left, to: &first, limit: .max)
    appendWhole(right, to: &second, limit: .max)
    return first.bytes == second.bytes
  }

  /// Appends the encoding of `value`.
  package static func append(_ value: Value, to writer: inout ByteWriter) {
    let start = writer.count
    appendWhole(value, to: &writer, limit: longestText)
    if writer.count - start > longestValue {
      writer.truncate(to: start + longestValue)
      writer.append(0xFF)
    }
  }

  private static func appendWhole(_ value: Value, to writer: inout ByteWriter, limit: Int) {
    switch value {
    case .null: writer.append(Label.null)
    case .boolean(let value):
      writer.append(Label.boolean)
      writer.append(value ? 1 : 0)
    case .integer(let value): append(number: floor(of: value), rest: rest(of: value), to: &writer)
    case .double(let value):
      if value.isNaN {
        writer.append(Label.nan)
      } else {
        append(number: value, rest: 0, to: &writer)
      }
    case .timestamp(let microseconds):
      writer.append(Label.timestamp)
      writer.append(word: ordered(microseconds).bigEndian)
    case .string(let value): append(text: value, to: &writer, limit: limit)
    case .bytes(let value):
      writer.append(Label.bytes)
      terminate(writer.append(escaping: value, limit: limit), &writer)
    case .reference(let name): append(reference: name, to: &writer)
    case .geoPoint(let latitude, let longitude):
      writer.append(Label.geoPoint)
      writer.append(word: ordered(latitude).bigEndian)
      writer.append(word: ordered(longitude).bigEndian)
    case .array(let elements):
      writer.append(Label.array)
      for element in elements where limit == .max || writer.count < WriteTransaction.longestKey {
        appendWhole(element, to: &writer, limit: limit)
      }
      writer.append(Label.end)
    case .vector(let elements):
      writer.append(Label.vector)
      writer.append(word: UInt32(truncatingIfNeeded: elements.count).bigEndian)
      for element in elements { writer.append(word: ordered(element).bigEndian) }
    case .map(let fields):
      writer.append(Label.map)
      for field in fields.sorted where limit == .max || writer.count < WriteTransaction.longestKey {
        append(text: field.name, to: &writer, limit: limit)
        appendWhole(field.value, to: &writer, limit: limit)
      }
      writer.append(Label.end)
    }
  }

  private static func append(text: String, to writer: inout ByteWriter, limit: Int) {
    writer.append(Label.string)
    terminate(writer.append(escaping: text, limit: limit), &writer)
  }

  private static func terminate(_ isCut: Bool, _ writer: inout ByteWriter) {
    writer.append(0)
    writer.append(isCut ? 2 : 1)
  }

  // MARK: Numbers

  private static func append(number: Double, rest: UInt16, to writer: inout ByteWriter) {
    writer.append(Label.number)
    writer.append(word: ordered(number).bigEndian)
    writer.append(word: rest.bigEndian)
  }

  /// The largest double not above `value`: `Double(value)` alone may round up.
  private static func floor(of value: Int64) -> Double {
    let nearest = Double(value)
    if nearest >= 0x1p63 || Int64(nearest) > value { return nearest.nextDown }
    return nearest
  }

  private static func rest(of value: Int64) -> UInt16 {
    UInt16(truncatingIfNeeded: value - Int64(floor(of: value)))
  }

  /// The bits of `value` as a number that orders as doubles do, both zeros alike and NaN lowest.
  private static func ordered(_ value: Double) -> UInt64 {
    if value.isNaN { return 0 }
    let bits = (value == 0 ? 0 : value).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  private static func ordered(_ value: Int64) -> UInt64 { UInt64(bitPattern: value) ^ 1 << 63 }

  // MARK: Names

  private static func append(reference: ResourceName, to writer: inout ByteWriter) {
    writer.append(Label.reference)
    terminate(writer.append(escaping: reference.database.project, limit: longestText), &writer)
    terminate(writer.append(escaping: reference.database.database, limit: longestText), &writer)
    append(path: reference.document, to: &writer)
  }

  /// Appends the path of a document, so that paths order by segments and a parent comes first.
  package static func append(path name: DocumentName, to writer: inout ByteWriter) {
    for segment in name.segments {
      writer.append(Label.segment)
      append(id: segment, to: &writer)
    }
    writer.append(Label.end)
  }

  /// Appends one document id: numeric ids first, by number, then all others by their bytes.
  package static func append(id: String, to writer: inout ByteWriter) {
    append(id: id, from: 0, to: &writer)
  }

  /// Appends the id of a document, in one collection with others.
  static func append(idOf name: DocumentName, to writer: inout ByteWriter) {
    append(id: name.path, from: name.idOffset, to: &writer)
  }

  /// Appends the id that starts at byte `start` of `text`.
  private static func append(id text: String, from start: Int, to writer: inout ByteWriter) {
    if text.byte(at: start) == UInt8(ascii: "_"),
      let numeric = NumericID(Substring(text.utf8.dropFirst(start)))
    {
      writer.append(1)
      writer.append(word: ordered(numeric.number).bigEndian)
    } else {
      writer.append(2)
      terminate(writer.append(escaping: text, from: start, limit: longestText), &writer)
    }
  }

  /// Appends a document id that is not numeric.
  static func append(plainID id: ByteSlice, to writer: inout ByteWriter) {
    writer.append(2)
    terminate(writer.append(escaping: id, limit: longestText), &writer)
  }

  // MARK: Ranges

  /// The first byte string above all that start with `bytes`; nil where there is none.
  package static func successor(of bytes: [UInt8]) -> [UInt8]? {
    var result = bytes
    while let last = result.popLast() {
      if last < 0xFF {
        result.append(last + 1)
        return result
      }
    }
    return nil
  }

  /// The encodings of the type of `value` alone: what a range filter with this operand may match.
  /// NaN and null have none.
  static func bracket(of value: Value) -> ByteRange? {
    let label: UInt8
    switch value {
    case .null: return nil
    case .double(let value) where value.isNaN: return nil
    case .boolean: label = Label.boolean
    case .integer, .double: label = Label.number
    case .timestamp: label = Label.timestamp
    case .string: label = Label.string
    case .bytes: label = Label.bytes
    case .reference: label = Label.reference
    case .geoPoint: label = Label.geoPoint
    case .array: label = Label.array
    case .vector: label = Label.vector
    case .map: label = Label.map
    }
    return ByteRange(lower: [label], upper: [label + 1])
  }
}
