/// Text is kept as its UTF-8 bytes throughout the model, because Swift's own equality of strings is
/// not Firestore's.
package typealias Bytes = [UInt8]

/// One Firestore value, as the model sees it.
package indirect enum ModelValue: Hashable, Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case timestamp(microseconds: Int64)
  case string(Bytes)
  case bytes(Bytes)
  case reference(ModelReference)
  case geoPoint(latitude: Double, longitude: Double)
  case array([ModelValue])
  case vector([Double])
  case map(ModelFields)

  package static func string(_ text: String) -> ModelValue { .string(Bytes(text.utf8)) }
}

package typealias ModelFields = [Bytes: ModelValue]

/// The path of a field, one name per level of maps.
package typealias ModelField = [Bytes]

/// The path of a document or a collection below the root, one segment each.
package typealias ModelPath = [Bytes]

/// The full name of a document in any database.
package struct ModelReference: Hashable, Sendable {
  package var project: Bytes
  package var database: Bytes
  package var path: ModelPath

  package init(project: Bytes, database: Bytes, path: ModelPath) {
    self.project = project
    self.database = database
    self.path = path
  }
}

/// `__name__`, the field that stands for the document's own name.
package let documentNameField: ModelField = [Bytes("__name__".utf8)]

extension ModelValue {
  /// Whether nothing at all differs: `1` is not `1.0`, `-0.0` is not `0.0`, but NaN is NaN. This is
  /// the equality that decides whether a write changed a document.
  package func isIdentical(to other: ModelValue) -> Bool {
    switch (self, other) {
    case (.double(let a), .double(let b)): sameDouble(a, b)
    case (.vector(let a), .vector(let b)):
      a.count == b.count && zip(a, b).allSatisfy { sameDouble($0, $1) }
    case (.array(let a), .array(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isIdentical(to: $1) }
    case (.map(let a), .map(let b)): identical(a, b)
    default: self == other
    }
  }
}

package func identical(_ a: ModelFields, _ b: ModelFields) -> Bool {
  a.count == b.count
    && a.allSatisfy { name, value in b[name].map { value.isIdentical(to: $0) } ?? false }
}

private func sameDouble(_ a: Double, _ b: Double) -> Bool {
  a.bitPattern == b.bitPattern || (a.isNaN && b.isNaN)
}

/// The value at `path`; nil where a level is missing or is not a map.
package func value(at path: ModelField, in fields: ModelFields) -> ModelValue? {
  guard let first = path.first, let found = fields[first] else { return nil }
  if path.count == 1 { return found }
  guard case .map(let inner) = found else { return nil }
  return value(at: Array(path.dropFirst()), in: inner)
}

/// Puts `new` at `path`, making maps on the way; nil removes what is there and makes nothing.
package func setValue(_ new: ModelValue?, at path: ModelField, in fields: inout ModelFields) {
  guard let first = path.first else { return }
  if path.count == 1 {
    fields[first] = new
    return
  }
  var inner: ModelFields = [:]
  if case .map(let existing)? = fields[first] {
    inner = existing
  } else if new == nil {
    return
  }
  setValue(new, at: Array(path.dropFirst()), in: &inner)
  fields[first] = .map(inner)
}
