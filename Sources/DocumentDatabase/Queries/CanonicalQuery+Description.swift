import StorageEngine

extension CanonicalQuery: CustomStringConvertible {
  /// The query as a person would write it down:
  /// `posts where kind == "a" order by createdAt desc, __name__ desc limit 15`.
  package var description: String {
    var text = prepared.text
    if let start {
      text += (start.before ? " start at " : " start after ") + start.cursor(in: prepared).text
    }
    if let end {
      text += (end.before ? " end before " : " end at ") + end.cursor(in: prepared).text
    }
    if offset > 0 { text += " offset \(offset)" }
    if let limit { text += " limit \(limit)" }
    if let select = prepared.source.select {
      text += " select (" + select.map(\.text).joined(separator: ", ") + ")"
    }
    return text
  }
}

extension PreparedQuery {
  /// What the query selects and in which order, as a person would write it down.
  static func text(
    of source: StructuredQuery, _ orders: [StructuredQuery.Order]
  ) -> String {
    var text: String
    switch source.from {
    case .collection(let name): text = name.path
    case .collectionGroup(let id): text = "all \(id)"
    }
    if let filter = source.where { text += " where \(filter.text(isOutermost: true))" }
    let orders = orders.map { "\($0.field) \($0.direction.rawValue)" }
    return text + " order by " + orders.joined(separator: ", ")
  }

  /// The same number in every process for all pages of a feed.
  ///
  /// - Complexity: O(size of the filters and orders).
  static func fingerprint(
    _ scope: QueryScope, _ filter: StructuredQuery.Filter?, _ orders: [StructuredQuery.Order]
  ) -> UInt64 {
    var writer = ByteWriter()
    switch scope {
    case .collection(let name):
      writer.append(UInt8(ascii: "c"))
      writer.append(name.path)
    case .collectionGroup(let id):
      writer.append(UInt8(ascii: "g"))
      writer.append(id)
    }
    if let filter { filter.append(to: &writer) }
    for order in orders {
      writer.append(order.direction == .ascending ? 1 : 2)
      order.field.append(to: &writer)
    }
    return writer.fingerprint
  }
}

extension FieldReference {
  fileprivate func append(to writer: inout ByteWriter) {
    for segment in segments {
      writer.append(0)
      writer.append(segment)
    }
  }
}

extension StructuredQuery.Cursor {
  fileprivate var text: String { "(" + values.map(\.text).joined(separator: ", ") + ")" }
}

extension StructuredQuery.Filter {
  fileprivate func text(isOutermost: Bool) -> String {
    switch self {
    case .and(let filters):
      let text = filters.map { $0.text(isOutermost: false) }.joined(separator: " and ")
      return isOutermost || filters.count == 1 ? text : "(\(text))"
    case .or(let filters):
      let text = filters.map { $0.text(isOutermost: false) }.joined(separator: " or ")
      return isOutermost || filters.count == 1 ? text : "(\(text))"
    case .field(let field, let operation, let operand):
      return "\(field) \(operation.rawValue) \(operand.text)"
    case .unary(let field, let operation): return "\(field) \(operation.rawValue)"
    }
  }

  fileprivate func append(to writer: inout ByteWriter) {
    switch self {
    case .and(let filters), .or(let filters):
      if case .and = self { writer.append(3) } else { writer.append(4) }
      for filter in filters { filter.append(to: &writer) }
      writer.append(5)
    case .field(let field, let operation, let operand):
      field.append(to: &writer)
      writer.append(operation.rawValue)
      writer.append(encoding: operand)
    case .unary(let field, let operation):
      field.append(to: &writer)
      writer.append(operation.rawValue)
    }
  }
}

extension Value {
  /// The value as a literal for people to read.
  package var text: String {
    switch self {
    case .null: return "null"
    case .boolean(let value): return "\(value)"
    case .integer(let value): return "\(value)"
    case .double(let value): return value.isNaN ? "NaN" : "\(value)"
    case .timestamp(let microseconds): return "timestamp(\(microseconds) µs)"
    case .string(let value):
      return value.utf8.count > 60 ? "\"\(value.prefix(40))…\"" : "\"\(value)\""
    case .bytes(let value): return "bytes(\(value.count))"
    case .reference(let name): return name.document.path
    case .geoPoint(let latitude, let longitude): return "(\(latitude), \(longitude))"
    case .array(let values): return "[" + values.map(\.text).joined(separator: ", ") + "]"
    case .vector(let values): return "vector(\(values.count))"
    case .map(let fields):
      return "{" + fields.sorted.map { "\($0.name): \($0.value.text)" }.joined(separator: ", ")
        + "}"
    }
  }
}
