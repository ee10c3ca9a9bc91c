import DocumentDatabase
import FeedStore
import Foundation

/// Reads the texts of JSON in Google's conformance tests, in which some strings stand for sentinels.
struct ProtocolValue {
  let firestore: Firestore

  /// The value in a string that holds JSON.
  func parsed(_ json: JSON) throws -> Any { try any(try text(json)) }

  func dictionary(_ json: JSON) throws -> [String: Any] {
    guard let dictionary = try parsed(json) as? [String: Any] else {
      throw NotUnderstood("\(json) is no object")
    }
    return dictionary
  }

  private func text(_ json: JSON) throws -> JSON { try JSON(parsing: Array(try json.text().utf8)) }

  private func any(_ json: JSON) throws -> Any {
    switch json {
    case .null: return NSNull()
    case .boolean(let boolean): return boolean
    case .number(let text):
      if let integer = Int64(text) { return integer }
      return try json.double()
    case .string("NaN"): return Double.nan
    case .string("ServerTimestamp"): return FieldValue.serverTimestamp()
    case .string("Delete"): return FieldValue.delete()
    case .string(let text): return text
    case .array(let elements):
      switch elements.first {
      case .string("ArrayUnion"): return FieldValue.arrayUnion(try anys(elements.dropFirst()))
      case .string("ArrayRemove"): return FieldValue.arrayRemove(try anys(elements.dropFirst()))
      default: return try anys(elements[...])
      }
    case .object(let members):
      var dictionary: [String: Any] = [:]
      for (name, value) in members { dictionary[name] = try any(value) }
      return dictionary
    }
  }

  private func anys(_ elements: ArraySlice<JSON>) throws -> [Any] {
    try elements.map { try any($0) }
  }
}

/// An expected write, as it would be sent.
struct ProtocolWrite {
  let write: Write

  init(_ json: JSON) throws {
    try json.onlyMembers([
      "update", "updateMask", "updateTransforms", "currentDocument", "delete",
    ])
    let operation: Write.Operation
    if let deleted = json["delete"] {
      operation = .delete(
        try DocumentName(path: try ProtocolTestJudge.path(try deleted.text())))
    } else {
      let update = try json.required("update")
      let name = try DocumentName(
        path: try ProtocolTestJudge.path(try update.required("name").text()))
      operation = .update(
        name, try Fields(rest: update["fields"] ?? .object([])),
        mask: try json["updateMask"].map { mask in
          try (mask["fieldPaths"]?.elements() ?? []).map {
            try FieldReference(parsing: try $0.text())
          }
        })
    }
    write = Write(
      operation,
      transforms: try json["updateTransforms"]?.elements().map {
        try ProtocolWrite.transform($0)
      } ?? [],
      precondition: try json["currentDocument"].map { try ProtocolWrite.precondition($0) })
  }

  private static func transform(_ json: JSON) throws -> FieldTransform {
    let field = try FieldReference(parsing: try json.required("fieldPath").text())
    func elements(_ json: JSON) throws -> [Value] {
      try (json["values"]?.elements() ?? []).map { try Value(rest: $0) }
    }
    if let union = json["appendMissingElements"] {
      return FieldTransform(field, .arrayUnion(try elements(union)))
    }
    if let removal = json["removeAllFromArray"] {
      return FieldTransform(field, .arrayRemove(try elements(removal)))
    }
    guard try json.required("setToServerValue").text() == "REQUEST_TIME" else {
      throw NotUnderstood("transform \(json)")
    }
    return FieldTransform(field, .serverTimestamp)
  }

  private static func precondition(_ json: JSON) throws -> Write.Precondition {
    if let time = json["updateTime"] {
      return .updateTime(microseconds: try RESTTimestamp.microseconds(of: try time.text()))
    }
    return .exists(try json["exists"]?.boolean() ?? false)
  }
}
