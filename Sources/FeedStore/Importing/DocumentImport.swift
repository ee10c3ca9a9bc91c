package import DocumentDatabase

/// A document read from an input, ready to be stored.
package struct ImportedDocument: Sendable {
  /// The document's id: its `__name__` or `id` field, or one made from its position.
  package let id: String
  package let fields: Fields
  /// The line its record starts on.
  package let line: Int
}

/// The documents of one input: JSON lines, a JSON array, CSV or Firestore's REST documents.
///
/// All or nothing: a record that cannot be stored refuses the whole input, so that nothing is
/// dropped silently.
package struct DocumentImport: Sendable {
  package let format: InputFormat
  /// In the order of the input.
  package let documents: [ImportedDocument]

  /// Reads `bytes`, taking the text in `timestampFields` (field paths) as ISO 8601 timestamps.
  ///
  /// - Throws: `InputError` with the line of the first mistake.
  package init(_ bytes: [UInt8], timestampFields: [String] = []) throws(InputError) {
    var timestamps: [FieldReference] = []
    for field in timestampFields { timestamps.append(try DocumentImport.reference(field)) }
    let (format, records) = try InputText(bytes).records()
    var documents: [ImportedDocument] = []
    documents.reserveCapacity(records.count)
    var lineOfID: [[UInt8]: Int] = [:]
    var isREST = format == .restDocuments
    for record in records {
      guard case .map(let object) = record.value else {
        throw .notAnObject(line: record.line, found: record.value.kind)
      }
      var source = object
      if let wrapped = DocumentImport.queryResponse(object) {
        guard let document = wrapped.document else { continue }
        source = document
      }
      let position = documents.count + 1
      let document: ImportedDocument
      if isREST || RESTDocument.isDocument(source) {
        isREST = true
        document = try DocumentImport.restDocument(
          source, line: record.line, timestamps: timestamps)
      } else {
        document = try DocumentImport.plainDocument(
          source, position: position, line: record.line, timestamps: timestamps)
      }
      if let first = lineOfID.updateValue(record.line, forKey: Array(document.id.utf8)) {
        throw .idTwice(document.id, first: first, second: record.line)
      }
      documents.append(document)
    }
    guard !documents.isEmpty else { throw .empty }
    self.format = isREST ? .restDocuments : format
    self.documents = documents
  }

  /// An element of the answer to `runQuery`: a wrapped document, or none beside the read time.
  private static func queryResponse(_ object: Fields) -> (document: Fields?, Void)? {
    guard case .string? = object["readTime"] else { return nil }
    let names: Set = ["document", "readTime", "transaction", "skippedResults", "done"]
    guard object.sorted.allSatisfy({ names.contains($0.name) }) else { return nil }
    switch object["document"] {
    case nil: return (nil, ())
    case .map(let document) where RESTDocument.isDocument(document): return (document, ())
    default: return nil
    }
  }

  private static func restDocument(
    _ object: Fields, line: Int, timestamps: [FieldReference]
  ) throws(InputError) -> ImportedDocument {
    let document: RESTDocument
    do throws(RESTProblem) { document = try RESTDocument(object) } catch {
      throw .typedValue(line: line, error)
    }
    return ImportedDocument(
      id: document.name.document.id,
      fields: try storable(document.fields, line: line, timestamps: timestamps), line: line)
  }

  private static func plainDocument(
    _ object: Fields, position: Int, line: Int, timestamps: [FieldReference]
  ) throws(InputError) -> ImportedDocument {
    var fields = object
    let id = try id(of: object, position: position, line: line)
    fields["__name__"] = nil
    return ImportedDocument(
      id: id, fields: try storable(fields, line: line, timestamps: timestamps), line: line)
  }

  /// The fields with the text in `timestamps` as timestamps, all of it what Firestore can hold.
  private static func storable(
    _ source: Fields, line: Int, timestamps: [FieldReference]
  ) throws(InputError) -> Fields {
    var fields = source
    for field in timestamps {
      switch fields[field] {
      case nil, .null?, .timestamp?: continue
      case .string(let text)?:
        guard let microseconds = ISO8601.microseconds(of: text) else {
          throw .notATimestamp(line: line, field: field.text, found: "\"\(text)\"")
        }
        fields[field] = .timestamp(microseconds: microseconds)
      case let other?: throw .notATimestamp(line: line, field: field.text, found: other.kind)
      }
    }
    for field in fields.sorted {
      try checkStorable(field.value, named: field.name, path: field.name, depth: 1, line: line)
    }
    return fields
  }

  private static func id(
    of object: Fields, position: Int, line: Int
  ) throws(InputError) -> String {
    guard let field = ["__name__", "id"].first(where: { object[$0] != nil }),
      let value = object[field]
    else { return generatedID(position) }
    let id: String
    switch value {
    case .string(let text) where field == "__name__":
      id = text.split(separator: "/").last.map(String.init) ?? text
    case .string(let text): id = text
    case .integer(let integer): id = String(integer)
    default: throw .badID(line: line, field: field, found: value.kind)
    }
    do throws(NameError) {
      return try CollectionName(path: "imported").document(id).id
    } catch { throw .badID(line: line, field: field, found: "\"\(id)\"") }
  }

  /// Twenty letters and digits, like the ids Firestore makes, but always the same for a position.
  private static func generatedID(_ position: Int) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    var state = UInt64(position)
    var id: [UInt8] = []
    for _ in 0..<20 {
      state = (state ^ (state >> 29)) &* 0x9E37_79B9_7F4A_7C15 &+ 0x1656_67B1_9E37_79F9
      id.append(alphabet[Int((state >> 32) % UInt64(alphabet.count))])
    }
    return String(decoding: id, as: UTF8.self)
  }

  /// Firestore's own rules, checked here because here the line is known.
  ///
  /// Source: https://firebase.google.com/docs/firestore/quotas
  private static func checkStorable(
    _ value: Value, named name: String, path: String, depth: Int, line: Int
  ) throws(InputError) {
    do throws(FieldReferenceError) {
      try FieldReference(segments: [name]).validate()
    } catch { throw .badFieldName(line: line, name: name) }
    switch value {
    case .map(let fields):
      guard depth <= 20 else { throw .tooDeep(line: line, field: path) }
      for field in fields.sorted {
        try checkStorable(
          field.value, named: field.name, path: "\(path).\(field.name)", depth: depth + 1,
          line: line)
      }
    case .array(let elements):
      guard depth <= 20 else { throw .tooDeep(line: line, field: path) }
      for element in elements {
        if case .array = element { throw .nestedArray(line: line, field: path) }
        if case .map = element {
          try checkStorable(element, named: name, path: path, depth: depth + 1, line: line)
        }
      }
    default: break
    }
  }

  private static func reference(_ field: String) throws(InputError) -> FieldReference {
    do throws(FieldReferenceError) {
      return try FieldReference(parsing: field)
    } catch { throw .badFieldPath(field) }
  }
}

extension DocumentImport {
  /// How many documents have a field at each of `paths`; every document has `__name__`.
  ///
  /// - Throws: `InputError.badFieldPath` where one is no field path.
  package func countOfDocuments(having paths: [String]) throws(InputError) -> Int {
    var fields: [FieldReference] = []
    for path in paths { fields.append(try DocumentImport.reference(path)) }
    fields.removeAll(where: \.isDocumentName)
    return documents.count { document in
      fields.allSatisfy { document.fields[$0] != nil }
    }
  }

  /// The names along a field path.
  ///
  /// - Throws: `InputError.badFieldPath` where `path` is none.
  package static func segments(of path: String) throws(InputError) -> [String] {
    try reference(path).segments
  }

  /// The names of all fields, those inside maps as paths, sorted.
  package var fieldNames: [String] {
    var names: Set<String> = []
    func collect(_ fields: Fields, below prefix: String) {
      for field in fields.sorted {
        let path = prefix + FieldReference(segments: [field.name]).text
        names.insert(path)
        if case .map(let inner) = field.value { collect(inner, below: path + ".") }
      }
    }
    for document in documents { collect(document.fields, below: "") }
    return names.sorted()
  }
}

extension Value {
  /// What kind of value this is, in JSON's words.
  var kind: String {
    switch self {
    case .null: "null"
    case .boolean: "a boolean"
    case .integer, .double: "a number"
    case .timestamp: "a timestamp"
    case .string: "text"
    case .bytes: "bytes"
    case .reference: "a reference"
    case .geoPoint: "a geo point"
    case .array: "an array"
    case .vector: "a vector"
    case .map: "an object"
    }
  }
}
