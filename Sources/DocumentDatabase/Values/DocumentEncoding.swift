public import StorageEngine

/// The stored form of values: a tag, then what the tag says up to the end of the value, whose length
/// is known from the table it stands in. Numbers are little-endian.
///
/// | tag | payload |
/// |---|---|
/// | null, true, false | nothing |
/// | integer | 1, 2, 4 or 8 bytes, signed |
/// | double, timestamp | 8 bytes |
/// | string, bytes, reference | the bytes |
/// | geo point | 16 bytes |
/// | vector | 8 bytes an element |
/// | array | a table of values |
/// | map | a table of: name's length (2 bytes), name, value; sorted by name |
@usableFromInline
enum Tag: UInt8 {
  case null, isTrue, isFalse, integer, double, timestamp, string, bytes, reference, geoPoint
  case array, vector, map
}

extension ByteWriter {
  /// Appends the stored form of `value`.
  package mutating func append(encoding value: Value) {
    switch value {
    case .null: append(Tag.null)
    case .boolean(let value): append(value ? Tag.isTrue : Tag.isFalse)
    case .integer(let value): append(integer: value)
    case .double(let value):
      append(Tag.double)
      append(word: value.bitPattern.littleEndian)
    case .timestamp(let microseconds):
      append(Tag.timestamp)
      append(word: microseconds.littleEndian)
    case .string(let value):
      append(Tag.string)
      append(value)
    case .bytes(let value):
      append(Tag.bytes)
      append(value)
    case .reference(let value):
      append(Tag.reference)
      append(value.text)
    case .geoPoint(let latitude, let longitude):
      append(Tag.geoPoint)
      append(word: latitude.bitPattern.littleEndian)
      append(word: longitude.bitPattern.littleEndian)
    case .array(let values):
      append(Tag.array)
      appendTable(values) { writer, value in writer.append(encoding: value) }
    case .vector(let values):
      append(Tag.vector)
      for value in values { append(word: value.bitPattern.littleEndian) }
    case .map(let fields):
      append(Tag.map)
      append(encoding: fields)
    }
  }

  /// Appends the stored form of `fields`: the table of a map, without a tag.
  package mutating func append(encoding fields: Fields) {
    appendTable(fields.sorted) { writer, field in
      writer.append(word: UInt16(truncatingIfNeeded: field.name.utf8.count).littleEndian)
      writer.append(field.name)
      writer.append(encoding: field.value)
    }
  }

  private mutating func append(_ tag: Tag) { append(tag.rawValue) }

  private mutating func append(integer value: Int64) {
    append(Tag.integer)
    if let small = Int8(exactly: value) {
      append(word: small)
    } else if let small = Int16(exactly: value) {
      append(word: small.littleEndian)
    } else if let small = Int32(exactly: value) {
      append(word: small.littleEndian)
    } else {
      append(word: value.littleEndian)
    }
  }

  /// Writes narrow offsets first and starts again with wide ones where the entries turn out to
  /// need them.
  private mutating func appendTable<Element>(
    _ elements: [Element], _ appendEntry: (inout ByteWriter, Element) -> Void
  ) {
    let start = count
    if elements.count < 20_000 {
      append(UInt8(2))
      append(word: UInt16(elements.count).littleEndian)
      append(zeros: elements.count * 2)
      var isNarrow = true
      for (index, element) in elements.enumerated() {
        guard let offset = UInt16(exactly: count - start) else {
          isNarrow = false
          break
        }
        store(offset.littleEndian, at: start + 3 + index * 2)
        appendEntry(&self, element)
      }
      if isNarrow { return }
      truncate(to: start)
    }
    append(UInt8(4))
    append(word: UInt32(elements.count).littleEndian)
    append(zeros: elements.count * 4)
    for (index, element) in elements.enumerated() {
      store(UInt32(count - start).littleEndian, at: start + 5 + index * 4)
      appendEntry(&self, element)
    }
  }
}

extension EncodedValue {
  /// Reads the value whose stored form is all of `slice`.
  init(_ slice: ByteSlice) {
    switch Tag(rawValue: slice.uint8(at: 0)) {
    case .null, nil: self = .null
    case .isTrue: self = .boolean(true)
    case .isFalse: self = .boolean(false)
    case .integer: self = .integer(slice.integer(1, slice.count))
    case .double: self = .double(Double(bitPattern: slice.uint64(at: 1)))
    case .timestamp: self = .timestamp(microseconds: Int64(bitPattern: slice.uint64(at: 1)))
    case .string: self = .string(EncodedString(slice: slice.slice(1, slice.count)))
    case .bytes: self = .bytes(EncodedBytes(slice: slice.slice(1, slice.count)))
    case .reference:
      let name = ResourceName(parsing: slice.string(1, slice.count))
      self = name.map(EncodedValue.reference) ?? .null
    case .geoPoint:
      self = .geoPoint(
        latitude: Double(bitPattern: slice.uint64(at: 1)),
        longitude: Double(bitPattern: slice.uint64(at: 9)))
    case .array: self = .array(EncodedArray(table: ByteTable(slice.slice(1, slice.count))))
    case .vector:
      self = .vector(
        (0..<(slice.count / 8)).map { Double(bitPattern: slice.uint64(at: 1 + $0 * 8)) })
    case .map: self = .map(EncodedMap(slice.slice(1, slice.count)))
    }
  }
}

/// Reads for those who know what type they want. Each is nil for a value of another type.
extension EncodedMap {
  @inlinable @inline(__always)
  func holds(_ tag: Tag, _ place: Range<Int>) -> Bool {
    table.slice.uint8(at: place.lowerBound) == tag.rawValue
  }

  /// Whether null is stored.
  package func isNull(at place: Range<Int>) -> Bool { holds(.null, place) }

  /// A string.
  @inlinable @inline(__always)
  package func string(at place: Range<Int>) -> String? {
    guard holds(.string, place) else { return nil }
    return table.slice.string(place.lowerBound + 1, place.upperBound)
  }

  /// A boolean.
  @inlinable @inline(__always)
  package func boolean(at place: Range<Int>) -> Bool? {
    holds(.isTrue, place) ? true : holds(.isFalse, place) ? false : nil
  }

  /// An integer.
  @inlinable @inline(__always)
  package func integer(at place: Range<Int>) -> Int64? {
    guard holds(.integer, place) else { return nil }
    return table.slice.integer(place.lowerBound + 1, place.upperBound)
  }

  /// A double.
  @inlinable @inline(__always)
  package func double(at place: Range<Int>) -> Double? {
    guard holds(.double, place) else { return nil }
    return Double(bitPattern: table.slice.uint64(at: place.lowerBound + 1))
  }

  /// A timestamp, in microseconds since 1970.
  @inlinable @inline(__always)
  package func timestamp(at place: Range<Int>) -> Int64? {
    guard holds(.timestamp, place) else { return nil }
    return Int64(bitPattern: table.slice.uint64(at: place.lowerBound + 1))
  }

  /// An array of nothing but strings.
  package func strings(at place: Range<Int>) -> [String]? {
    guard holds(.array, place) else { return nil }
    return ByteTable(table.slice.slice(place.lowerBound + 1, place.upperBound))
      .texts(tagged: Tag.string.rawValue)
  }

  /// The value of any type.
  package func value(at place: Range<Int>) -> EncodedValue {
    EncodedValue(table.slice.slice(place.lowerBound, place.upperBound))
  }
}

extension ByteSlice {
  /// The integer in the bytes from `start` to `end`, which are as few as its size allowed.
  @usableFromInline
  func integer(_ start: Int, _ end: Int) -> Int64 {
    switch end - start {
    case 1: Int64(Int8(bitPattern: uint8(at: start)))
    case 2: Int64(Int16(bitPattern: uint16(at: start)))
    case 4: Int64(Int32(bitPattern: uint32(at: start)))
    default: Int64(bitPattern: uint64(at: start))
    }
  }
}

extension EncodedValue {
  /// Whether `slice` is the stored form of a value that stands `level` tables deep.
  static func isWellFormed(_ slice: ByteSlice, level: Int) -> Bool {
    guard slice.count > 0, let tag = Tag(rawValue: slice.uint8(at: 0)) else { return false }
    switch tag {
    case .null, .isTrue, .isFalse: return slice.count == 1
    case .integer: return [2, 3, 5, 9].contains(slice.count)
    case .double, .timestamp: return slice.count == 9
    case .geoPoint: return slice.count == 17
    case .string, .bytes: return true
    case .reference: return ResourceName(parsing: slice.string(1, slice.count)) != nil
    case .vector: return (slice.count - 1).isMultiple(of: 8)
    case .array, .map:
      return ByteTable.isWellFormed(
        slice.slice(1, slice.count), isMap: tag == .map, level: level + 1)
    }
  }
}
