/// The path of a field: one literal name per level of maps.
///
/// Source: https://firebase.google.com/docs/firestore/reference/rest/v1/projects.databases.documents
package struct FieldReference: Sendable {
  package let segments: [String]

  /// The document's name, `__name__`: a field that always exists and is unique.
  package static let documentName = FieldReference(segments: ["__name__"])

  /// Takes names as they are; use `init(parsing:)` for text.
  package init(segments: [String]) { self.segments = segments }

  /// A field of the top level whose name is short and has only letters and digits; nil for any other
  /// text, which may be valid too.
  package init?(plain text: String) {
    let isPlain = text.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"):
        true
      default: false
      }
    }
    guard isPlain, 1...1500 ~= text.utf8.count else { return nil }
    self.init(segments: [text])
  }

  package var isDocumentName: Bool { segments.count == 1 && segments[0] == "__name__" }

  /// Reads a field path in the server's syntax: names joined by dots, any but simple names in
  /// backticks with `\` before a backtick or a backslash.
  ///
  /// - Throws: `FieldReferenceError` with the text and what is wrong in it.
  package init(parsing text: String) throws(FieldReferenceError) {
    var segments: [String] = []
    var current: [UInt8] = []
    var quoted = false
    var wasQuoted = false
    var bytes = text.utf8.makeIterator()
    func finish() throws(FieldReferenceError) {
      guard !current.isEmpty else { throw .emptySegment(text) }
      segments.append(String(decoding: current, as: UTF8.self))
      current.removeAll(keepingCapacity: true)
      wasQuoted = false
    }
    while let byte = bytes.next() {
      switch byte {
      case UInt8(ascii: "\\"):
        guard let next = bytes.next() else { throw .trailingBackslash(text) }
        current.append(next)
      case UInt8(ascii: "`"):
        if !quoted && !current.isEmpty { throw .strayBacktick(text) }
        if quoted { wasQuoted = true }
        quoted.toggle()
      case UInt8(ascii: ".") where !quoted:
        try finish()
      default:
        if wasQuoted { throw .strayBacktick(text) }
        current.append(byte)
      }
    }
    guard !quoted else { throw .unterminatedBacktick(text) }
    try finish()
    self.init(segments: segments)
    try validate()
  }

  /// Checks the rules of field names: not empty, at most 1,500 bytes, not `__reserved__`.
  ///
  /// - Throws: `FieldReferenceError` with the path.
  package func validate() throws(FieldReferenceError) {
    guard !segments.isEmpty else { throw .emptySegment("") }
    if isDocumentName { return }
    for segment in segments {
      if segment.utf8.isEmpty { throw .emptySegment(text) }
      let underscores = "__".utf8
      if segment.utf8.count > 4, segment.utf8.starts(with: underscores),
        segment.utf8.suffix(2).elementsEqual(underscores)
      {
        throw .reservedName(segment, path: text)
      }
    }
    let size = segments.reduce(segments.count - 1) { $0 + $1.utf8.count }
    guard size <= 1500 else { throw .tooLong(text, bytes: size) }
  }

  /// The server's syntax, the inverse of `init(parsing:)`.
  package var text: String {
    segments.map { segment in
      if FieldReference.isSimple(segment) { return segment }
      var quoted = "`"
      for scalar in segment.unicodeScalars {
        if scalar == "`" || scalar == "\\" { quoted.unicodeScalars.append("\\") }
        quoted.unicodeScalars.append(scalar)
      }
      return quoted + "`"
    }.joined(separator: ".")
  }

  private static func isSimple(_ name: String) -> Bool {
    guard let first = name.utf8.first, !(UInt8(ascii: "0")...UInt8(ascii: "9") ~= first) else {
      return false
    }
    return name.utf8.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
        UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"):
        true
      default: false
      }
    }
  }
}

extension FieldReference: Hashable, CustomStringConvertible {
  package static func == (left: FieldReference, right: FieldReference) -> Bool {
    left.segments.count == right.segments.count
      && zip(left.segments, right.segments).allSatisfy { $0.hasSameBytes(as: $1) }
  }

  package func hash(into hasher: inout Hasher) {
    for segment in segments { hasher.combine(segment) }
  }

  package var description: String { text }

  /// The order of implied orders: by segment, in bytes.
  package func precedes(_ other: FieldReference) -> Bool {
    for (mine, theirs) in zip(segments, other.segments) where !mine.hasSameBytes(as: theirs) {
      return mine.precedesInBytes(theirs)
    }
    return segments.count < other.segments.count
  }

  /// Whether this path names `other` or a map that contains it.
  package func isPrefix(of other: FieldReference) -> Bool {
    if segments.count > other.segments.count { return false }
    for index in segments.indices
    where !segments[index].hasSameBytes(as: other.segments[index]) { return false }
    return true
  }
}

/// A rule of field paths that a text breaks.
package enum FieldReferenceError: Error, Hashable, Sendable {
  case emptySegment(String)
  case trailingBackslash(String)
  case strayBacktick(String)
  case unterminatedBacktick(String)
  case reservedName(String, path: String)
  case tooLong(String, bytes: Int)
}

extension Fields {
  /// The value at `path`, nil where a level is missing or is not a map.
  package subscript(path: FieldReference) -> Value? {
    get { path.segments.count == 1 ? self[path.segments[0]] : value(at: path.segments[...]) }
    set {
      if path.segments.count == 1 {
        self[path.segments[0]] = newValue
      } else {
        setValue(newValue, at: path.segments[...])
      }
    }
  }

  private func value(at path: ArraySlice<String>) -> Value? {
    guard let first = path.first, let value = self[first] else { return nil }
    if path.count == 1 { return value }
    guard case .map(let inner) = value else { return nil }
    return inner.value(at: path.dropFirst())
  }

  /// Writing through a value that is not a map replaces it by one; removing leaves empty maps.
  private mutating func setValue(_ value: Value?, at path: ArraySlice<String>) {
    guard let first = path.first else { return }
    if path.count == 1 {
      self[first] = value
      return
    }
    var inner = Fields()
    if case .map(let existing)? = self[first] { inner = existing } else if value == nil { return }
    inner.setValue(value, at: path.dropFirst())
    self[first] = .map(inner)
  }
}
