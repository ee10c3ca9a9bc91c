import DocumentDatabase
import ReferenceModel

// The model's language put into the engine's, and answers back. Texts cross as UTF-8 bytes.

extension Value {
  init(_ model: ModelValue) throws {
    self =
      switch model {
      case .null: .null
      case .boolean(let boolean): .boolean(boolean)
      case .integer(let integer): .integer(integer)
      case .double(let double): .double(double)
      case .timestamp(let microseconds): .timestamp(microseconds: microseconds)
      case .string(let text): .string(String(decoding: text, as: UTF8.self))
      case .bytes(let bytes): .bytes(bytes)
      case .reference(let name): .reference(try ResourceName(name))
      case .geoPoint(let latitude, let longitude):
        .geoPoint(latitude: latitude, longitude: longitude)
      case .array(let elements): .array(try elements.map { try Value($0) })
      case .vector(let numbers): .vector(numbers)
      case .map(let fields): .map(try Fields(fields))
      }
  }
}

extension ModelValue {
  init(_ value: Value) {
    self =
      switch value {
      case .null: .null
      case .boolean(let boolean): .boolean(boolean)
      case .integer(let integer): .integer(integer)
      case .double(let double): .double(double)
      case .timestamp(let microseconds): .timestamp(microseconds: microseconds)
      case .string(let text): .string(text)
      case .bytes(let bytes): .bytes(bytes)
      case .reference(let name):
        .reference(
          ModelReference(
            project: Bytes(name.database.project.utf8),
            database: Bytes(name.database.database.utf8), path: ModelPath(name.document)))
      case .geoPoint(let latitude, let longitude):
        .geoPoint(latitude: latitude, longitude: longitude)
      case .array(let elements): .array(elements.map { ModelValue($0) })
      case .vector(let numbers): .vector(numbers)
      case .map(let fields): .map(modelFields(fields))
      }
  }
}

func modelFields(_ fields: Fields) -> ModelFields {
  ModelFields(
    uniqueKeysWithValues: fields.sorted.map { (Bytes($0.name.utf8), ModelValue($0.value)) })
}

extension Fields {
  init(_ model: ModelFields) throws {
    self.init(
      try model.map { (String(decoding: $0.key, as: UTF8.self), try Value($0.value)) })
  }
}

func pathText(_ path: ModelPath) -> String {
  path.map { String(decoding: $0, as: UTF8.self) }.joined(separator: "/")
}

extension ModelPath {
  init(_ name: DocumentName) { self = name.segments.map { Bytes($0.utf8) } }

  /// The path that reads `text`, split at slashes.
  init(text: String) {
    self = text.utf8.split(separator: UInt8(ascii: "/")).map { Bytes($0) }
  }
}

extension DocumentName {
  init(_ path: ModelPath) throws { try self.init(path: pathText(path)) }
}

extension ResourceName {
  init(_ model: ModelReference) throws {
    self.init(
      database: DatabaseName(
        project: String(decoding: model.project, as: UTF8.self),
        database: String(decoding: model.database, as: UTF8.self)),
      document: try DocumentName(model.path))
  }
}

extension FieldReference {
  init(_ model: ModelField) {
    self.init(segments: model.map { String(decoding: $0, as: UTF8.self) })
  }
}

extension StructuredQuery {
  /// As a client would send it: `limitToLast` is the reversed query with its cursors swapped.
  init(_ model: ModelQuery) throws {
    let source: CollectionSelector =
      switch model.source {
      case .collection(let path): .collection(try CollectionName(path: pathText(path)))
      case .collectionGroup(let id): .collectionGroup(id: String(decoding: id, as: UTF8.self))
      }
    self.init(from: source)
    self.where = try model.filter.map { try Filter($0) }
    orderBy = model.orders.map {
      Order(FieldReference($0.field), $0.descending ? .descending : .ascending)
    }
    startAt = try model.start.map { try Cursor($0) }
    endAt = try model.end.map { try Cursor($0) }
    offset = model.offset
    limit = model.limit
    if model.isLimitToLast {
      for index in orderBy.indices { orderBy[index].direction = orderBy[index].direction.reversed }
      (startAt, endAt) = (endAt?.swapped, startAt?.swapped)
    }
  }
}

extension StructuredQuery.Cursor {
  init(_ model: ModelQuery.Cursor) throws {
    self.init(values: try model.values.map { try Value($0) }, before: model.isBefore)
  }

  var swapped: StructuredQuery.Cursor { .init(values: values, before: !before) }
}

extension StructuredQuery.Filter {
  init(_ model: ModelQuery.Filter) throws {
    switch model {
    case .and(let parts): self = .and(try parts.map { try Self($0) })
    case .or(let parts): self = .or(try parts.map { try Self($0) })
    case .field(let field, let comparison, let operand):
      guard let comparison = StructuredQuery.FieldOperator(rawValue: comparison.rawValue) else {
        throw UnknownOperator(name: comparison.rawValue)
      }
      self = .field(FieldReference(field), comparison, try Value(operand))
    case .unary(let field, let test):
      guard let test = StructuredQuery.UnaryOperator(rawValue: test.rawValue) else {
        throw UnknownOperator(name: test.rawValue)
      }
      self = .unary(FieldReference(field), test)
    }
  }
}

struct UnknownOperator: Error { var name: String }

extension Write {
  init(_ model: ModelWrite) throws {
    let name = try DocumentName(model.path)
    let operation: Write.Operation =
      switch model.operation {
      case .delete: .delete(name)
      case .update(let fields, let mask):
        .update(name, try Fields(fields), mask: mask?.map { FieldReference($0) })
      }
    self.init(
      operation,
      transforms: try model.transforms.map { transform in
        FieldTransform(FieldReference(transform.field), try .init(transform.kind))
      },
      precondition: model.precondition.map {
        switch $0 {
        case .exists(let exists): .exists(exists)
        case .updateTime(let microseconds): .updateTime(microseconds: microseconds)
        }
      })
  }
}

extension FieldTransform.Operation {
  init(_ model: ModelWrite.Kind) throws {
    self =
      switch model {
      case .serverTimestamp: .serverTimestamp
      case .increment(let operand): .increment(try Value(operand))
      case .maximum(let operand): .maximum(try Value(operand))
      case .minimum(let operand): .minimum(try Value(operand))
      case .arrayUnion(let elements): .arrayUnion(try elements.map { try Value($0) })
      case .arrayRemove(let elements): .arrayRemove(try elements.map { try Value($0) })
      }
  }
}

extension Aggregation {
  init(alias: String, _ model: ModelAggregation) {
    let operation: Aggregation.Operation =
      switch model {
      case .count(let upTo): .count(upTo: upTo)
      case .sum(let field): .sum(FieldReference(field))
      case .average(let field): .average(FieldReference(field))
      }
    self.init(alias: alias, operation)
  }
}
