import DocumentDatabase
import FeedStore

/// Makes the calls of the client API that a write of `ground-truth.json` stands for.
struct GroundTruthWrite {
  let document: DocumentReference
  private let json: JSON

  init(_ json: JSON, in firestore: Firestore) throws {
    try json.onlyMembers(["op", "doc", "data", "merge", "mergeFields", "fields", "precondition"])
    document = firestore.document(try json.required("doc").text())
    self.json = json
  }

  /// The document's update time; nil where there is none, or where its path is refused.
  var updateTime: Timestamp? {
    get async { try? await document.getDocument().metered.updateTime }
  }

  /// Writes at once. `stale` is the update time that a precondition may speak of beside the current.
  func perform(stale: Timestamp?) async throws {
    switch try json.required("op").text() {
    case "create": try await document.metered.create(try data())
    case "set":
      if let mask = try mask() {
        try await document.setData(try data(), mergeFields: mask)
      } else {
        try await document.setData(try data(), merge: try isMerge())
      }
    case "update":
      if let precondition = try await precondition(stale: stale) {
        try await document.metered.update(try changes(), precondition)
      } else {
        try await document.updateData(try changes())
      }
    case "delete": try await document.delete()
    case let other: throw NotUnderstood("write \(other)")
    }
  }

  func add(to batch: WriteBatch) throws {
    if json["precondition"] != nil { throw NotUnderstood("a precondition in a batch") }
    switch try json.required("op").text() {
    case "create": batch.metered.create(try data(), forDocument: document)
    case "set":
      if let mask = try mask() {
        batch.setData(try data(), forDocument: document, mergeFields: mask)
      } else {
        batch.setData(try data(), forDocument: document, merge: try isMerge())
      }
    case "update": batch.updateData(try changes(), forDocument: document)
    case "delete": batch.deleteDocument(document)
    case let other: throw NotUnderstood("write \(other)")
    }
  }

  private func isMerge() throws -> Bool { try json["merge"]?.boolean() ?? false }

  private func mask() throws -> [Any]? {
    try json["mergeFields"]?.elements().map { try fieldKey($0) }
  }

  private func precondition(stale: Timestamp?) async throws -> WritePrecondition? {
    guard let wanted = json["precondition"] else { return nil }
    let which = try wanted.required("updateTime").text()
    let time = which == "stale" ? stale : await updateTime
    guard let time, ["stale", "current"].contains(which) else {
      throw NotUnderstood("precondition \(wanted)")
    }
    return .lastUpdate(time)
  }

  private func data() throws -> [String: Any] { try dictionary(try json.required("data")) }

  private func changes() throws -> [AnyHashable: Any] {
    var changes: [AnyHashable: Any] = [:]
    for entry in try json.required("fields").elements() {
      changes[try fieldKey(try entry.required("field"))] = try any(try entry.required("value"))
    }
    return changes
  }

  /// Texts stay texts here, so that the API is the one to read them.
  private func fieldKey(_ json: JSON) throws -> AnyHashable {
    if case .string(let text) = json { return text }
    return try GroundTruthQuery.field(json)
  }

  private func dictionary(_ json: JSON) throws -> [String: Any] {
    var dictionary: [String: Any] = [:]
    for (name, value) in try json.members() { dictionary[name] = try any(value) }
    return dictionary
  }

  private func any(_ json: JSON) throws -> Any {
    let (kind, content) = try json.choice()
    switch kind {
    case "serverTimestamp": return FieldValue.serverTimestamp()
    case "delete": return FieldValue.delete()
    case "increment": return try number(content, FieldValue.increment, FieldValue.increment)
    case "minimum": return try number(content, FieldValue.minimum, FieldValue.minimum)
    case "maximum": return try number(content, FieldValue.maximum, FieldValue.maximum)
    case "arrayUnion": return FieldValue.arrayUnion(try elements(content))
    case "arrayRemove": return FieldValue.arrayRemove(try elements(content))
    case "arrayValue": return try elements(content["values"] ?? .array([]))
    case "mapValue":
      let fields = content["fields"] ?? .object([])
      if fields["__type__"] == nil { return try dictionary(fields) }
    default: break
    }
    return try Value(rest: json).unboxed(in: document.firestore)
  }

  private func elements(_ json: JSON) throws -> [Any] {
    try json.elements().map { try any($0) }
  }

  private func number(
    _ json: JSON, _ ofInteger: (Int64) -> FieldValue, _ ofDouble: (Double) -> FieldValue
  ) throws -> FieldValue {
    switch try Value(rest: json) {
    case .integer(let integer): return ofInteger(integer)
    case .double(let double): return ofDouble(double)
    default: throw NotUnderstood("number \(json)")
    }
  }
}
