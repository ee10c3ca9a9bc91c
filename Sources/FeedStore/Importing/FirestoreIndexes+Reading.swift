import DocumentDatabase

extension FirestoreIndexes {
  /// Reads the bytes of a `firestore.indexes.json`.
  ///
  /// - Throws: `InputError` with the line of a mistake in the JSON, or with the path of a member that
  ///   Firestore would not take.
  package init(_ bytes: [UInt8]) throws(InputError) {
    let root = try JSONMember(bytes)
    do throws(RESTProblem) {
      try root.allow(["indexes", "fieldOverrides"])
      configuration = IndexConfiguration()
      for entry in try root.list("indexes") {
        configuration.indexes.append(try CompositeIndex(entry))
      }
      for entry in try root.list("fieldOverrides") {
        let override = try IndexConfiguration.FieldOverride(entry)
        let isTwice = configuration.fieldOverrides.contains {
          $0.collectionID.hasSameBytes(as: override.collectionID) && $0.field == override.field
        }
        if isTwice { throw entry.problem("the only override of its field") }
        configuration.fieldOverrides.append(override)
      }
    } catch { throw .member(error) }
  }
}

extension CompositeIndex {
  fileprivate init(_ json: JSONMember) throws(RESTProblem) {
    try json.allow([
      "collectionGroup", "queryScope", "fields", "apiScope", "density", "multikey",
    ])
    try json.checkEdition()
    let fields = try json.list("fields")
    var parts: [Field] = []
    for field in fields {
      let path = try field.fieldPath("fieldPath")
      if parts.contains(where: { $0.field == path }) { throw field.problem("named once") }
      parts.append(Field(path, try Mode(field, besides: ["fieldPath"])))
    }
    guard 1...100 ~= parts.count else {
      throw json.problem("fields", "a list of 1 to 100 fields")
    }
    guard parts.count > 1 || parts[0].field.isDocumentName || parts[0].mode.isVector else {
      throw json.problem(
        "fields", "a list of two fields or more; the index of one belongs into fieldOverrides")
    }
    if parts.count(where: { $0.mode == .contains }) > 1 {
      throw json.problem("fields", "a list with one arrayConfig at most")
    }
    self.init(
      collectionID: try json.text("collectionGroup"), scope: try Scope(json), fields: parts)
  }
}

extension CompositeIndex.Scope {
  fileprivate init(_ json: JSONMember) throws(RESTProblem) {
    guard let scope = CompositeIndex.Scope(rawValue: try json.text("queryScope")) else {
      throw json.problem("queryScope", "COLLECTION or COLLECTION_GROUP")
    }
    self = scope
  }
}

extension CompositeIndex.Mode {
  fileprivate init(_ json: JSONMember, besides others: Set<String>) throws(RESTProblem) {
    try json.allow(others.union(["order", "arrayConfig", "vectorConfig"]))
    let given = ["order", "arrayConfig", "vectorConfig"].filter { json[$0] != nil }
    guard given.count == 1 else {
      throw json.problem("an entry with one of order, arrayConfig and vectorConfig")
    }
    switch given[0] {
    case "order":
      switch try json.text("order") {
      case "ASCENDING": self = .ascending
      case "DESCENDING": self = .descending
      default: throw json.problem("order", "ASCENDING or DESCENDING")
      }
    case "arrayConfig":
      guard try json.text("arrayConfig") == "CONTAINS" else {
        throw json.problem("arrayConfig", "CONTAINS")
      }
      self = .contains
    default:
      guard let config = json["vectorConfig"], let dimension = try config.integer("dimension"),
        1...2048 ~= dimension, config["flat"] != nil
      else {
        throw json.problem("vectorConfig", "an object with a dimension of 1 to 2048 and flat")
      }
      try config.allow(["dimension", "flat"])
      self = .vector(dimension: dimension)
    }
  }
}

extension IndexConfiguration.FieldOverride {
  fileprivate init(_ json: JSONMember) throws(RESTProblem) {
    try json.allow(["collectionGroup", "fieldPath", "ttl", "indexes"])
    var indexes: [IndexConfiguration.SingleFieldIndex] = []
    for entry in try json.list("indexes") {
      try entry.checkEdition()
      let mode = try CompositeIndex.Mode(
        entry, besides: ["queryScope", "apiScope", "density", "multikey"])
      let scope: CompositeIndex.Scope =
        entry["queryScope"] == nil ? .collection : try CompositeIndex.Scope(entry)
      indexes.append(.init(scope: scope, mode: mode))
    }
    let isEveryField = try json.text("fieldPath") == "*"
    self.init(
      collectionID: try json.text("collectionGroup"),
      field: isEveryField ? nil : try json.fieldPath("fieldPath"), indexes: indexes,
      isTimeToLive: try json.boolean("ttl"))
  }
}

extension JSONMember {
  /// The tools write these members for every edition; only what Standard has is understood here.
  fileprivate func checkEdition() throws(RESTProblem) {
    if self["apiScope"] != nil, try text("apiScope") != "ANY_API" {
      throw problem("apiScope", "ANY_API, the one of the Standard edition")
    }
    if self["density"] != nil, try text("density") != "SPARSE_ALL" {
      throw problem("density", "SPARSE_ALL, the one of the Standard edition")
    }
    if try boolean("multikey") == true {
      throw problem("multikey", "false; multikey indexes belong to the Enterprise edition")
    }
  }
}
