import ReferenceModel

// Cases in a form short enough to be read in a report.

func describe(_ value: ModelValue) -> String {
  switch value {
  case .null: "null"
  case .boolean(let boolean): "\(boolean)"
  case .integer(let integer): "\(integer)"
  case .double(let double): double == double.rounded() ? "\(double)" : "\(double)(double)"
  case .timestamp(let microseconds): "@\(microseconds)"
  case .string(let text): describe(text: text)
  case .bytes(let bytes): "bytes\(bytes)"
  case .reference(let name): "ref(\(pathText(name.path)))"
  case .geoPoint(let latitude, let longitude): "geo(\(latitude), \(longitude))"
  case .array(let elements): "[\(elements.map { describe($0) }.joined(separator: ", "))]"
  case .vector(let numbers): "vector\(numbers)"
  case .map(let fields): describe(fields)
  }
}

private func describe(text: Bytes) -> String {
  text.count > 60
    ? "\"…\(text.count) bytes…\(String(decoding: text.suffix(10), as: UTF8.self))\""
    : String(decoding: text, as: UTF8.self).debugDescription
}

func describe(_ fields: ModelFields) -> String {
  let pairs = fields.sorted { $0.key.lexicographicallyPrecedes($1.key) }
    .map { "\(String(decoding: $0.key, as: UTF8.self)): \(describe($0.value))" }
  return "{\(pairs.joined(separator: ", "))}"
}

func describe(_ documents: [ModelPath: ModelFields]) -> String {
  documents.sorted { ModelOrder.comparePaths($0.key, $1.key) < 0 }
    .map { "\(pathText($0.key)) \(describe($0.value))\n" }.joined()
}

func describe(_ field: ModelField) -> String {
  field.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ".")
}

func describe(_ filter: ModelQuery.Filter) -> String {
  switch filter {
  case .and(let parts): "(\(parts.map { describe($0) }.joined(separator: " and ")))"
  case .or(let parts): "(\(parts.map { describe($0) }.joined(separator: " or ")))"
  case .field(let field, let comparison, let operand):
    "\(describe(field)) \(comparison.rawValue) \(describe(operand))"
  case .unary(let field, let test): "\(describe(field)) \(test.rawValue)"
  }
}

func describe(_ query: ModelQuery) -> String {
  var parts: [String] =
    switch query.source {
    case .collection(let path): ["from \(pathText(path))"]
    case .collectionGroup(let id): ["from group \(String(decoding: id, as: UTF8.self))"]
    }
  if let filter = query.filter { parts.append("where \(describe(filter))") }
  for order in query.orders {
    parts.append("order by \(describe(order.field)) \(order.descending ? "desc" : "asc")")
  }
  if let start = query.start {
    parts.append("start \(start.isBefore ? "at" : "after") \(start.values.map { describe($0) })")
  }
  if let end = query.end {
    parts.append("end \(end.isBefore ? "before" : "at") \(end.values.map { describe($0) })")
  }
  if query.offset > 0 { parts.append("offset \(query.offset)") }
  if let limit = query.limit {
    parts.append("limit \(query.isLimitToLast ? "to last " : "")\(limit)")
  }
  return parts.joined(separator: " ")
}

extension ModelQuery {
  /// The query with one of its parts left out.
  var smaller: [ModelQuery] {
    var results: [ModelQuery] = []
    func cut(_ change: (inout ModelQuery) -> Void) {
      var copy = self
      change(&copy)
      results.append(copy)
    }
    if filter != nil { cut { $0.filter = nil } }
    if start != nil { cut { $0.start = nil } }
    if end != nil { cut { $0.end = nil } }
    if offset > 0 { cut { $0.offset = 0 } }
    if isLimitToLast { cut { $0.isLimitToLast = false } }
    if limit != nil {
      cut {
        $0.limit = nil
        $0.isLimitToLast = false
      }
    }
    if start == nil && end == nil && !isLimitToLast {
      for index in orders.indices { cut { $0.orders.remove(at: index) } }
    }
    for part in filter?.smaller ?? [] { cut { $0.filter = part } }
    return results
  }
}

extension ModelQuery.Filter {
  fileprivate var smaller: [ModelQuery.Filter] {
    switch self {
    case .and(let parts):
      parts + parts.shorter.filter { !$0.isEmpty }.map { .and($0) }
        + parts.indices.flatMap { index in
          parts[index].smaller.map { part in
            var changed = parts
            changed[index] = part
            return .and(changed)
          }
        }
    case .or(let parts):
      parts + parts.shorter.filter { !$0.isEmpty }.map { .or($0) }
        + parts.indices.flatMap { index in
          parts[index].smaller.map { part in
            var changed = parts
            changed[index] = part
            return .or(changed)
          }
        }
    case .field, .unary: []
    }
  }
}
