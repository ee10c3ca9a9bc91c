import StorageEngine

/// Which database a name belongs to: `projects/{project}/databases/{database}`.
package struct DatabaseName: Hashable, Sendable {
  package let project: String
  package let database: String

  package init(project: String, database: String = "(default)") {
    self.project = project
    self.database = database
  }
}

/// The full name of a document in any database: the content of a reference value.
package struct ResourceName: Hashable, Sendable {
  package let database: DatabaseName
  package let document: DocumentName

  package init(database: DatabaseName, document: DocumentName) {
    self.database = database
    self.document = document
  }

  /// Reads `projects/{p}/databases/{d}/documents/{path}`; nil where the text has another form.
  package init?(parsing text: String) {
    let parts = text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    guard parts.count > 5, parts[0].elementsEqual("projects".utf8),
      parts[2].elementsEqual("databases".utf8), parts[4].elementsEqual("documents".utf8),
      let document = try? DocumentName(
        path: String(decoding: Array(parts[5...].joined(separator: "/".utf8)), as: UTF8.self))
    else { return nil }
    self.init(
      database: DatabaseName(
        project: String(decoding: parts[1], as: UTF8.self),
        database: String(decoding: parts[3], as: UTF8.self)),
      document: document)
  }

  /// The REST form, `projects/{p}/databases/{d}/documents/{path}`.
  package var text: String {
    "projects/\(database.project)/databases/\(database.database)/documents/\(document.path)"
  }
}

/// The path of a document below the database's root: an even number of valid segments.
package struct DocumentName: Sendable {
  package let path: String
  /// Where the document's own id starts in the UTF-8 bytes of `path`.
  let idOffset: Int

  /// - Throws: `NameError` naming the broken segment or the wrong number of segments.
  package init(path: String) throws(NameError) {
    let layout = try PathLayout(validating: path)
    guard layout.segmentCount.isMultiple(of: 2) else {
      throw .notADocumentPath(path, segments: layout.segmentCount)
    }
    self.path = layout.path
    idOffset = layout.lastSegmentOffset
  }

  /// For names that were valid when they were stored.
  init(trusted path: String) {
    let cut = path.utf8.lastIndex(of: UInt8(ascii: "/"))
    let offset = cut.map { path.utf8.distance(from: path.utf8.startIndex, to: $0) + 1 }
    self.init(trusted: path, idOffset: offset ?? 0)
  }

  init(trusted path: String, idOffset: Int) {
    self.path = path
    self.idOffset = idOffset
  }

  package var id: String { String(Substring(path.utf8.dropFirst(idOffset))) }
  package var parent: CollectionName {
    CollectionName(trusted: String(Substring(path.utf8.prefix(idOffset - 1))))
  }
  package var segments: [String] { PathLayout.segments(of: path) }

  /// Whether this is a document of `collection` itself.
  func isChild(of collection: CollectionName) -> Bool {
    idOffset == collection.path.utf8.count + 1 && path.starts(withBytesOf: collection.path)
  }
}

/// The path of a collection below the database's root: an odd number of valid segments.
package struct CollectionName: Sendable {
  package let path: String

  /// - Throws: `NameError` naming the broken segment or the wrong number of segments.
  package init(path: String) throws(NameError) {
    let layout = try PathLayout(validating: path)
    guard !layout.segmentCount.isMultiple(of: 2) else {
      throw .notACollectionPath(path, segments: layout.segmentCount)
    }
    self.path = layout.path
  }

  init(trusted path: String) { self.path = path }

  package var id: String {
    let slash = UInt8(ascii: "/")
    return String(
      Substring(
        path.utf8.suffix(
          from: path.utf8.lastIndex(of: slash).map {
            path.utf8.index(after: $0)
          } ?? path.utf8.startIndex)))
  }

  /// Whether a document holds this collection; the others are at the root.
  package var isNested: Bool { path.utf8.contains(UInt8(ascii: "/")) }

  /// The document that holds this collection; nil at the root.
  package var parent: DocumentName? {
    let slash = UInt8(ascii: "/")
    guard let cut = path.utf8.lastIndex(of: slash) else { return nil }
    let parentPath = String(Substring(path.utf8[..<cut]))
    return DocumentName(trusted: parentPath)
  }

  /// The document `id` of this collection; nil where only a closer look could tell whether the id is
  /// allowed.
  package func document(plain id: String) -> DocumentName? {
    let size = id.utf8.count
    guard 1...1500 ~= size, path.utf8.count + 1 + size <= PathLayout.longest,
      let first = id.byte(at: 0), first != UInt8(ascii: "."), first != UInt8(ascii: "_"),
      !id.contains(byte: PathLayout.slash)
    else { return nil }
    var path = ""
    path.reserveCapacity(self.path.utf8.count + 1 + size)
    path += self.path
    path += "/"
    path += id
    return DocumentName(trusted: path, idOffset: self.path.utf8.count + 1)
  }

  /// The document `id` of this collection.
  package func document(_ id: String) throws(NameError) -> DocumentName {
    let layout = try PathLayout(validating: id)
    guard layout.segmentCount == 1 else { throw .notADocumentPath(id, segments: 0) }
    return DocumentName(trusted: path + "/" + layout.path, idOffset: path.utf8.count + 1)
  }
}

extension DocumentName: Hashable, CustomStringConvertible {
  package static func == (left: DocumentName, right: DocumentName) -> Bool {
    left.path.hasSameBytes(as: right.path)
  }
  package func hash(into hasher: inout Hasher) { hasher.combine(path) }
  package var description: String { path }
}

extension CollectionName: Hashable, CustomStringConvertible {
  package static func == (left: CollectionName, right: CollectionName) -> Bool {
    left.path.hasSameBytes(as: right.path)
  }
  package func hash(into hasher: inout Hasher) { hasher.combine(path) }
  package var description: String { path }
}

/// A rule of names that a path breaks.
///
/// Source: https://firebase.google.com/docs/firestore/quotas
package enum NameError: Error, Hashable, Sendable {
  case empty
  case emptySegment(path: String)
  case dotSegment(String, path: String)
  case reservedSegment(String, path: String)
  case segmentTooLong(path: String, bytes: Int)
  case pathTooLong(path: String, bytes: Int)
  case tooDeep(path: String)
  case notADocumentPath(String, segments: Int)
  case notACollectionPath(String, segments: Int)
}

/// The segments of a path, checked in one pass over its bytes.
private struct PathLayout {
  static let slash = UInt8(ascii: "/")
  static let longest = 6144
  let path: String
  let segmentCount: Int
  let lastSegmentOffset: Int

  init(validating text: String) throws(NameError) {
    let path = PathLayout.trimmed(text)
    guard !path.isEmpty else { throw .empty }
    guard path.utf8.count <= PathLayout.longest else {
      throw .pathTooLong(path: path, bytes: path.utf8.count)
    }
    var count = 0
    var offset = 0
    var start = path.utf8.startIndex
    while true {
      let end = path.utf8[start...].firstIndex(of: PathLayout.slash) ?? path.utf8.endIndex
      try PathLayout.check(path[start..<end], in: path)
      count += 1
      if end == path.utf8.endIndex { break }
      offset += path.utf8.distance(from: start, to: end) + 1
      start = path.utf8.index(after: end)
    }
    guard count <= 200 else { throw .tooDeep(path: path) }
    self.path = path
    segmentCount = count
    lastSegmentOffset = offset
  }

  static func segments(of path: String) -> [String] {
    path.utf8.split(separator: slash).map { String(Substring($0)) }
  }

  /// The client SDKs tolerate one slash at each end.
  private static func trimmed(_ text: String) -> String {
    var bytes = Substring(text).utf8
    if bytes.first == slash { bytes = bytes.dropFirst() }
    if bytes.last == slash { bytes = bytes.dropLast() }
    return String(Substring(bytes))
  }

  private static func check(_ segment: Substring, in path: String) throws(NameError) {
    let bytes = segment.utf8
    guard !bytes.isEmpty else { throw .emptySegment(path: path) }
    guard bytes.count <= 1500 else { throw .segmentTooLong(path: path, bytes: bytes.count) }
    if bytes.elementsEqual(".".utf8) || bytes.elementsEqual("..".utf8) {
      throw .dotSegment(String(segment), path: path)
    }
    if isReserved(bytes) && NumericID(segment) == nil {
      throw .reservedSegment(String(segment), path: path)
    }
  }

  /// `__.+__`: two underscores on both sides with something between; `____` is an ordinary name.
  private static func isReserved(_ bytes: Substring.UTF8View) -> Bool {
    let underscore = UInt8(ascii: "_")
    return bytes.count > 4 && bytes.prefix(2).allSatisfy { $0 == underscore }
      && bytes.suffix(2).allSatisfy { $0 == underscore }
  }
}

/// The number of a numeric document id, `__id<n>__`; nil for any other text. Such ids sort before
/// all others, by number.
package struct NumericID {
  package let number: Int64

  package init?(_ text: some StringProtocol) {
    guard text.utf8.first == UInt8(ascii: "_") else { return nil }
    let bytes = Array(text.utf8)
    guard bytes.count > 6, bytes.starts(with: "__id".utf8),
      bytes.suffix(2).elementsEqual("__".utf8),
      let digits = String(validating: bytes[4..<(bytes.count - 2)], as: UTF8.self),
      let number = Int64(digits), String(number) == digits
    else { return nil }
    self.number = number
  }
}
