/// Size and shape of what may be stored.
///
/// Source: https://firebase.google.com/docs/firestore/storage-size
enum DocumentLimits {
  static let largestDocument = 1_048_576
  static let largestValue = 1_048_487
  static let deepest = 20

  /// - Throws: The first limit that the document breaks.
  static func check(_ fields: Fields, name: DocumentName) throws(WriteError) {
    var size = nameSize(name) + 32
    for field in fields.sorted {
      try checkName(field.name)
      let value = try valueSize(field.value, field: field.name, depth: 0, inArray: false)
      if value > largestValue { throw .fieldValueTooLarge(field: field.name, bytes: value) }
      size += field.name.utf8.count + 1 + value
    }
    if size > largestDocument { throw .documentTooLarge(bytes: size) }
  }

  private static func checkName(_ name: String) throws(WriteError) {
    if 1...1500 ~= name.utf8.count && name.utf8.first != UInt8(ascii: "_") { return }
    do {
      try FieldReference(segments: [name]).validate()
    } catch {
      throw .fieldName(error)
    }
    if name.hasSameBytes(as: "__name__") { throw .fieldName(.reservedName(name, path: name)) }
  }

  private static func nameSize(_ name: DocumentName) -> Int {
    // Each segment counts its bytes and one more, which is what the slashes add up to.
    let plain = 16 + name.path.utf8.count + 1
    guard name.path.utf8.contains(UInt8(ascii: "_")) else { return plain }
    return name.segments.reduce(plain) { size, segment in
      NumericID(segment) == nil ? size : size - segment.utf8.count - 1 + 8
    }
  }

  private static func valueSize(
    _ value: Value, field: String, depth: Int, inArray: Bool
  ) throws(WriteError) -> Int {
    switch value {
    case .null, .boolean: return 1
    case .integer, .double, .timestamp: return 8
    case .geoPoint: return 16
    case .string(let text): return text.utf8.count + 1
    case .bytes(let bytes): return bytes.count
    case .reference(let name): return nameSize(name.document)
    case .vector(let elements): return elements.count * 8
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
    }
  }
}
