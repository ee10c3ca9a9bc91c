public import StorageEngine

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
  let table: ByteTable
  package var count: Int { table.count }

  /// - Complexity: O(1).
  package subscript(index: Int) -> EncodedValue { EncodedValue(table.entry(at: index)) }
}

/// A map in its stored form. Public so that its fields can be read inlined; see `SharedBytes`.
public struct EncodedMap: Sendable {
  @usableFromInline let table: ByteTable

  /// The stored form of `fields`, for values that are not in a store.
  package init(encoding fields: Fields) {
    var writer = ByteWriter()
    writer.append(encoding: fields)
    self.init(ByteSlice(writer))
  }

  /// A map without fields.
  package static let empty = EncodedMap(encoding: Fields())

  init(_ slice: ByteSlice) { table = ByteTable(slice) }

  package var count: Int { table.count }

  package func name(at index: Int) -> String { table.name(at: index) }

  package func value(at index: Int) -> EncodedValue { value(at: place(at: index)) }

  /// The value named `name`; nil where there is none.
  ///
  /// - Complexity: O(log n) comparisons of names.
  package subscript(name: String) -> EncodedValue? {
    place(of: name).map { value(at: $0) }
  }

  /// Where the value named `name` is; nil where there is none.
  ///
  /// - Complexity: O(log n) comparisons of names.
  @inlinable @inline(__always)
  package func place(of name: consuming String) -> Range<Int>? { table.place(of: name) }

  /// Where the value at `index` is.
  package func place(at index: Int) -> Range<Int> { table.valueBounds(of: index) }

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

  /// Whether these are the same fields.
  func isEqual(to fields: Fields) -> Bool {
    count == fields.count
      && fields.sorted.indices.allSatisfy { index in
        let field = fields.sorted[index]
        return name(at: index).hasSameBytes(as: field.name)
          && value(at: index).decoded == field.value
      }
  }

  /// All fields.
  package var decoded: Fields {
    Fields((0..<count).map { (name(at: $0), value(at: $0).decoded) })
  }
}
