import DocumentDatabase

/// Reads the writes of `ground-truth.json` and turns them into what a client sends: values become
/// fields, sentinels become transforms, and a mask says which paths change.
struct GroundTruthWrite {
  var path: String
  var json: JSON

  init(_ json: JSON) throws {
    try json.onlyMembers([
      "op", "doc", "data", "merge", "mergeFields", "fields", "precondition",
    ])
    path = try json.required("doc").text()
    self.json = json
  }

  /// `current` and `stale` are the update times that a precondition may speak of.
  func write(current: Int64?, stale: Int64?) throws -> Write {
    let name = try DocumentName(path: path)
    let operation = try json.required("op").text()
    switch operation {
    case "delete": return Write(.delete(name), precondition: try precondition(current, stale))
    case "create":
      return try set(name, parsed: Parsed(data: try json.required("data")), must: .exists(false))
    case "set":
      let parsed = try Parsed(data: try json.required("data"))
      if let mask = json["mergeFields"] {
        return try merge(name, parsed, naming: try mask.elements().map(GroundTruthQuery.field))
      }
      if try json["merge"]?.boolean() ?? false { return merge(name, parsed) }
      return try set(name, parsed: parsed, must: nil)
    case "update":
      return try update(name, must: try precondition(current, stale) ?? .exists(true))
    default: throw NotUnderstood("write \(operation)")
    }
  }

  private func precondition(_ current: Int64?, _ stale: Int64?) throws -> Write.Precondition? {
    guard let wanted = json["precondition"] else { return nil }
    let which = try wanted.required("updateTime").text()
    guard let time = which == "current" ? current : which == "stale" ? stale : nil else {
      throw NotUnderstood("precondition \(wanted)")
    }
    return .updateTime(microseconds: time)
  }

  private func set(
    _ name: DocumentName, parsed: Parsed, must precondition: Write.Precondition?
  ) throws -> Write {
    guard parsed.deletes.isEmpty else {
      throw ClientRefusal(rule: "delete belongs to update and merge")
    }
    return Write(
      .update(name, parsed.fields, mask: nil), transforms: parsed.transforms,
      precondition: precondition)
  }

  private func merge(_ name: DocumentName, _ parsed: Parsed) -> Write {
    Write(
      .update(name, parsed.fields, mask: parsed.leaves + parsed.deletes),
      transforms: parsed.transforms)
  }

  private func merge(
    _ name: DocumentName, _ parsed: Parsed, naming mask: [FieldReference]
  ) throws -> Write {
    var distinct: [FieldReference] = []
    for path in mask where !distinct.contains(path) { distinct.append(path) }
    for path in distinct where !parsed.contains(path) {
      throw ClientRefusal(rule: "mergeFields names fields of the data")
    }
    let transforms = parsed.transforms.filter { transform in
      distinct.contains { $0.isPrefix(of: transform.field) }
    }
    let transformed = Set(transforms.map(\.field))
    return Write(
      .update(name, parsed.fields, mask: distinct.filter { !transformed.contains($0) }),
      transforms: transforms)
  }

  private func update(
    _ name: DocumentName, must precondition: Write.Precondition
  ) throws -> Write {
    var parsed = Parsed()
    var mask: [FieldReference] = []
    for entry in try json.required("fields").elements() {
      let field = try GroundTruthQuery.field(try entry.required("field"))
      if try parsed.add(try entry.required("value"), at: field.segments) { mask.append(field) }
    }
    return Write(
      .update(name, parsed.fields, mask: mask), transforms: parsed.transforms,
      precondition: precondition)
  }
}

/// Data with its sentinels taken out.
private struct Parsed {
  var fields = Fields()
  var transforms: [FieldTransform] = []
  var deletes: [FieldReference] = []
  /// The paths that a merge writes: values that are not maps, and maps without anything in them.
  var leaves: [FieldReference] = []

  init() {}

  init(data: JSON) throws {
    for (name, value) in try data.members() { try add(value, at: [name]) }
  }

  /// Whether the path is written by an update: as a value or by removal, not by a transform.
  @discardableResult
  mutating func add(_ json: JSON, at segments: [String]) throws -> Bool {
    let path = FieldReference(segments: segments)
    let (kind, content) = try json.choice()
    if kind == "mapValue" {
      let members = try (content["fields"] ?? .object([])).members()
      if members.isEmpty { leaves.append(path) }
      fields[path] = .map(Fields())
      for (name, value) in members { try add(value, at: segments + [name]) }
      return true
    }
    if kind == "delete" {
      deletes.append(path)
      return true
    }
    if let operation = try transform(kind, content) {
      transforms.append(FieldTransform(path, operation))
      return false
    }
    fields[path] = try Value(rest: json)
    leaves.append(path)
    return true
  }

  private func transform(_ kind: String, _ content: JSON) throws -> FieldTransform.Operation? {
    switch kind {
    case "serverTimestamp": .serverTimestamp
    case "increment": .increment(try Value(rest: content))
    case "minimum": .minimum(try Value(rest: content))
    case "maximum": .maximum(try Value(rest: content))
    case "arrayUnion": .arrayUnion(try content.elements().map { try Value(rest: $0) })
    case "arrayRemove": .arrayRemove(try content.elements().map { try Value(rest: $0) })
    default: nil
    }
  }

  func contains(_ path: FieldReference) -> Bool {
    fields[path] != nil || deletes.contains(path) || transforms.contains { $0.field == path }
  }
}
