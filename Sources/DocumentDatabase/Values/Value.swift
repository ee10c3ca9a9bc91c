import StorageEngine

/// One Firestore value. The cases are those of the REST type `Value`.
///
/// `==` is value equality ("did the document change"): `1` and `1.0` differ, NaN equals NaN, and
/// `-0.0` differs from `0.0`. The order of queries, in which `1` and `1.0` tie, is `KeyEncoding`'s.
///
/// Source: https://firebase.google.com/docs/firestore/manage-data/data-types
package enum Value: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  /// Microseconds since 1970-01-01T00:00:00Z, rounded toward the past: the precision Firestore keeps.
  case timestamp(microseconds: Int64)
  case string(String)
  case bytes([UInt8])
  /// In a box: by far the largest case would make every value large.
  indirect case reference(ResourceName)
  case geoPoint(latitude: Double, longitude: Double)
  case array([Value])
  case vector([Double])
  case map(Fields)
}

extension Value: Hashable {
  package static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.boolean(let a), .boolean(let b)): a == b
    case (.integer(let a), .integer(let b)): a == b
    case (.double(let a), .double(let b)): a.isSameDouble(as: b)
    case (.timestamp(let a), .timestamp(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameBytes(as: b)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.reference(let a), .reference(let b)): a == b
    case (.geoPoint(let a, let b), .geoPoint(let c, let d)): a == c && b == d
    case (.array(let a), .array(let b)): a == b
    case (.vector(let a), .vector(let b)):
      a.count == b.count && zip(a, b).allSatisfy { $0.isSameDouble(as: $1) }
    case (.map(let a), .map(let b)): a == b
    default: false
    }
  }

  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0)
    case .boolean(let value): hasher.combine(value)
    case .integer(let value): hasher.combine(value)
    case .double(let value): hasher.combine(value.isNaN ? 0 : value.bitPattern)
    case .timestamp(let value): hasher.combine(value)
    case .string(let value): hasher.combine(value)
    case .bytes(let value): hasher.combine(value)
    case .reference(let value): hasher.combine(value)
    case .geoPoint(let latitude, let longitude):
      hasher.combine(latitude)
      hasher.combine(longitude)
    case .array(let values): hasher.combine(values)
    case .vector(let values): for value in values { hasher.combine(value.isNaN ? 0 : value) }
    case .map(let fields): hasher.combine(fields)
    }
  }
}

extension Double {
  fileprivate func isSameDouble(as other: Double) -> Bool {
    bitPattern == other.bitPattern || (isNaN && other.isNaN)
  }
}

/// The fields of a document or of a map value, sorted by the UTF-8 bytes of their names, each once.
package struct Fields: Hashable, Sendable {
  /// One named value. The name is literal: a dot in it is part of the name.
  package struct Field: Hashable, Sendable {
    package let name: String
    package var value: Value

    package init(name: String, value: Value) {
      self.name = name
      self.value = value
    }

    package static func == (left: Field, right: Field) -> Bool {
      left.name.hasSameBytes(as: right.name) && left.value == right.value
    }

    package func hash(into hasher: inout Hasher) {
      hasher.combine(name)
      hasher.combine(value)
    }
  }

  package private(set) var sorted: [Field]

  package init() { sorted = [] }

  /// Sorts `fields` by name; of several fields with the same name the last one stays.
  package init(_ fields: [(String, Value)]) {
    var all: [Field] = []
    all.reserveCapacity(fields.count)
    var isAscending = true
    var last: UInt64 = 0
    for (name, value) in fields {
      let head = name.head
      if head <= last && !all.isEmpty { isAscending = false }
      last = head
      all.append(Field(name: name, value: value))
    }
    if isAscending { self.init(ascending: all) } else { self.init(all) }
  }

  /// Sorts `fields` by name; of several fields with the same name the last one stays.
  package init(_ fields: [Field]) {
    self.init()
    if let order = Fields.order(of: fields) {
      sorted = order.map { fields[$0.index] }
    } else {
      sorted.reserveCapacity(fields.count)
      for field in fields { set(field) }
    }
  }

  /// Takes fields whose names ascend.
  package init(ascending fields: [Field]) { sorted = fields }

  /// The order of `fields` as the first bytes of their names say it, since numbers are sorted faster than
  /// names; nil where two start alike.
  private static func order(of fields: [Field]) -> [(head: UInt64, index: Int)]? {
    var order: [(head: UInt64, index: Int)] = []
    order.reserveCapacity(fields.count)
    for index in fields.indices {
      let head = fields[index].name.head
      var place = order.count
      order.append((head, index))
      while place > 0, head <= order[place - 1].head {
        if head == order[place - 1].head { return nil }
        order[place] = order[place - 1]
        place -= 1
      }
      order[place] = (head, index)
    }
    return order
  }

  package var isEmpty: Bool { sorted.isEmpty }
  package var count: Int { sorted.count }

  /// The value named `name`, nil where there is none; setting nil removes it.
  ///
  /// - Complexity: O(log n) comparisons to read; O(n) to insert or remove.
  package subscript(name: String) -> Value? {
    get {
      // How long a name is, is known at once.
      if sorted.count <= 16 {
        let count = name.utf8.count
        for index in sorted.indices
        where sorted[index].name.utf8.count == count && sorted[index].name.hasSameBytes(as: name) {
          return sorted[index].value
        }
        return nil
      }
      let (index, exists) = place(of: name)
      return exists ? sorted[index].value : nil
    }
    set {
      if let newValue { return set(Field(name: name, value: newValue)) }
      let (index, exists) = place(of: name)
      if exists { sorted.remove(at: index) }
    }
  }

  private mutating func set(_ field: Field) {
    let (index, exists) = place(of: field.name)
    if exists {
      sorted[index].value = field.value
    } else if index == sorted.count {
      sorted.append(field)
    } else {
      sorted.insert(field, at: index)
    }
  }

  /// Where the field of this name is, or would be.
  private func place(of name: String) -> (index: Int, exists: Bool) {
    // Most fields come in order.
    if let last = sorted.last {
      let order = last.name.orderInBytes(before: name)
      if order <= 0 { return order < 0 ? (sorted.count, false) : (sorted.count - 1, true) }
    }
    var low = 0
    var high = sorted.count
    while low < high {
      let middle = (low + high) / 2
      let order = sorted[middle].name.orderInBytes(before: name)
      if order == 0 { return (middle, true) }
      if order < 0 { low = middle + 1 } else { high = middle }
    }
    return (low, false)
  }
}
