import StorageEngine

/// Size and shape of what may be stored.
///
/// Source: https://firebase.google.com/docs/firestore/storage-size
package enum DocumentLimits {
  static let largestRequest = 10_485_760
  static let mostTransforms = 500
  static let mostDimensions = 2048
  static let largestDocument = 1_048_576
  static let largestValue = 1_048_487
  static let deepest = 20

  /// The size of a document, of any depth and shape.
  package static func size(of fields: Fields, named name: DocumentName) -> Int {
    nameSize(name) + 32 + size(of: .map(fields))
  }

  /// - Returns: The size of the document.
  /// - Throws: The first limit that the document breaks.
  @discardableResult
  static func check(_ all: Fields, name: DocumentName) throws(WriteError) -> Int {
    var size = nameSize(name) + 32
    let fields = all.sorted
    for index in fields.indices {
      let name = fields[index].name
      try checkName(name)
      let value =
        switch fields[index].value {
        case .null, .boolean: 1
        case .integer, .double, .timestamp: 8
        case .string(let text): text.utf8.count + 1
        default: try valueSize(fields[index].value, field: name, depth: 0, inArray: false)
        }
      if value > largestValue { throw .fieldValueTooLarge(field: name, bytes: value) }
      size += name.utf8.count + 1 + value
    }
    if size > largestDocument { throw .documentTooLarge(bytes: size) }
    try IndexEntryLimits.check(all, name: name, size: size)
    return size
  }

  private static func checkName(_ name: String) throws(WriteError) {
    if 1...1500 ~= name.utf8.count && name.byte(at: 0) != UInt8(ascii: "_") { return }
    do {
      try FieldReference(segments: [name]).validate()
    } catch {
      throw .fieldName(error)
    }
    if name.hasSameBytes(as: "__name__") { throw .fieldName(.reservedName(name, path: name)) }
  }

  static func nameSize(_ name: DocumentName) -> Int {
    // Each segment counts its bytes and one more, which is what the slashes add up to.
    let plain = 16 + name.path.utf8.count + 1
    guard name.path.contains(byte: UInt8(ascii: "_")) else { return plain }
    return name.segments.reduce(plain) { size, segment in
      NumericID(segment) == nil ? size : size - segment.utf8.count - 1 + 8
    }
  }

  private static func valueSize(
    _ value: Value, field: String, depth: Int, inArray: Bool
  ) throws(WriteError) -> Int {
    switch value {
    case .vector(let elements) where elements.count > mostDimensions:
      throw .tooManyDimensions(field: field, elements.count)
    case .array(let elements):
      if inArray { throw .nestedArray(field: field) }
      if depth == deepest { throw .tooDeep(field: field) }
      var size = 0
      for element in elements {
        size += try valueSize(element, field: field, depth: depth + 1, inArray: true)
      }
      return size
    case .map(let fields):
      if depth == deepest { throw .tooDeep(field: field) }
      var size = 0
      for inner in fields.sorted {
        try checkName(inner.name)
        size += inner.name.utf8.count + 1
        size += try valueSize(inner.value, field: field, depth: depth + 1, inArray: false)
      }
      return size
    default: return size(of: value)
    }
  }

  static func size(of value: Value) -> Int {
    switch value {
    case .null, .boolean: 1
    case .integer, .double, .timestamp: 8
    case .geoPoint: 16
    case .string(let text): text.utf8.count + 1
    case .bytes(let bytes): bytes.count
    case .reference(let name): nameSize(name.document)
    case .vector(let elements): elements.count * 8
    case .array(let elements): elements.reduce(0) { $0 + size(of: $1) }
    case .map(let fields):
      fields.sorted.reduce(0) { $0 + $1.name.utf8.count + 1 + size(of: $1.value) }
    }
  }
}
