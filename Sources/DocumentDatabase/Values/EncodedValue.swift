import StorageEngine

/// One stored value, read from a record's bytes when asked: nothing below the top level is decoded
/// before it is looked at.
package enum EncodedValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case timestamp(microseconds: Int64)
  case string(EncodedString)
  case bytes(EncodedBytes)
  case reference(ResourceName)
  case geoPoint(latitude: Double, longitude: Double)
  case array(EncodedArray)
  case vector([Double])
  case map(EncodedMap)

  /// The whole value.
  package var decoded: Value {
    switch self {
    case .null: .null
    case .boolean(let value): .boolean(value)
    case .integer(let value): .integer(value)
    case .double(let value): .double(value)
    case .timestamp(let value): .timestamp(microseconds: value)
    case .string(let value): .string(value.decoded)
    case .bytes(let value): .bytes(value.decoded)
    case .reference(let value): .reference(value)
    case .geoPoint(let latitude, let longitude):
      .geoPoint(latitude: latitude, longitude: longitude)
    case .array(let value): .array((0..<value.count).map { value[$0].decoded })
    case .vector(let value): .vector(value)
    case .map(let value): .map(value.decoded)
    }
  }
}

package struct EncodedString: Sendable {
  let slice: ByteSlice
  package var decoded: String { slice.string(0, slice.count) }
}

package struct EncodedBytes: Sendable {
  let slice: ByteSlice
  package var decoded: [UInt8] { slice.array(0, slice.count) }
}

package struct EncodedArray: Sendable {
  let table: EncodedTable
  package var count: Int { table.count }

  /// - Complexity: O(1).
  package subscript(index: Int) -> EncodedValue { EncodedValue(table.entry(at: index)) }
}

package struct EncodedMap: Sendable {
  let table: EncodedTable

  /// The stored form of `fields`, for values that are not in a store.
  package init(encoding fields: Fields) {
    var writer = ByteWriter()
    writer.append(encoding: fields)
    self.init(ByteSlice(writer))
  }

  init(_ slice: ByteSlice) { table = EncodedTable(slice) }

  package var count: Int { table.count }

  package func name(at index: Int) -> String {
    let entry = table.entry(at: index)
    return entry.string(2, 2 + Int(entry.uint16(at: 0)))
  }

  package func value(at index: Int) -> EncodedValue {
    let entry = table.entry(at: index)
    return EncodedValue(entry.slice(2 + Int(entry.uint16(at: 0)), entry.count))
  }

  /// The value named `name`; nil where there is none.
  ///
  /// - Complexity: O(log n) comparisons of names.
  package subscript(name: String) -> EncodedValue? {
    var low = 0
    var high = table.count
    while low < high {
      let middle = (low + high) / 2
      let entry = table.entry(at: middle)
      let end = 2 + Int(entry.uint16(at: 0))
      let order = entry.compare(2, end, with: name)
      if order == 0 { return EncodedValue(entry.slice(end, entry.count)) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return nil
  }

  /// The value at `path`; nil where a level is missing or is not a map.
  package subscript(path: FieldReference) -> EncodedValue? {
    var map = self
    for (level, segment) in path.segments.enumerated() {
      guard let value = map[segment] else { return nil }
      if level == path.segments.count - 1 { return value }
      guard case .map(let inner) = value else { return nil }
      map = inner
    }
    return nil
  }

  /// All fields.
  package var decoded: Fields {
    Fields((0..<count).map { (name(at: $0), value(at: $0).decoded) })
  }
}

/// Entries of varying length behind a table of their offsets:
///
///     width: 2 or 4 | count | offset × count | entry × count
///
/// Count and offsets have `width` bytes; an offset counts from the table's own start, and an entry
/// ends where the next one, or the table, does.
struct EncodedTable: Sendable {
  let slice: ByteSlice
  let count: Int
  private let isWide: Bool

  init(_ slice: ByteSlice) {
    self.slice = slice
    isWide = slice.uint8(at: 0) == 4
    count = isWide ? Int(slice.uint32(at: 1)) : Int(slice.uint16(at: 1))
  }

  func entry(at index: Int) -> ByteSlice {
    slice.slice(offset(index), index + 1 < count ? offset(index + 1) : slice.count)
  }

  func offset(_ index: Int) -> Int {
    isWide ? Int(slice.uint32(at: 5 + index * 4)) : Int(slice.uint16(at: 3 + index * 2))
  }
}
