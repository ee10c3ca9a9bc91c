package import DocumentDatabase
import Foundation
import StorageEngine

// The only place where values change between Firebase's `Any` and the database's `Value`.

extension Value {
  /// Takes a value as Firebase code writes it, for a filter or a cursor.
  ///
  /// - Throws: `.invalidArgument` naming the type, and the field it stands in, that Firestore cannot
  ///   hold.
  package init(boxing any: Any) throws(FirestoreErrorCode) {
    var boxing = Boxing(sentinels: .refused(place: "in a query or a cursor"))
    self = try boxing.value(of: any) ?? .null
  }

  /// Takes the elements given to `call`, none of which may be an array.
  package static func elements(
    boxing elements: [Any], of call: String
  ) throws(FirestoreErrorCode) -> [Value] {
    var boxing = Boxing(sentinels: .refused(place: "as an element of \(call)"))
    return try boxing.values(of: elements)
  }

  /// The first reference into a database other than `database`, at any depth.
  func reference(outside database: DatabaseName) -> ResourceName? {
    switch self {
    case .reference(let name): return name.database == database ? nil : name
    case .array(let values):
      for value in values {
        if let name = value.reference(outside: database) { return name }
      }
    case .map(let fields):
      for field in fields.sorted {
        if let name = field.value.reference(outside: database) { return name }
      }
    default: break
    }
    return nil
  }
}

// Values as Firebase's `data()` returns them: numbers and booleans as `NSNumber`, because then
// `as? Int`, `as? Int64` and `as? Double` all work on one stored number, and null as `NSNull`.

extension EncodedValue {
  package func unboxed(in firestore: Firestore) -> Any {
    switch self {
    case .string(let value): value.decoded
    case .bytes(let value): Data(value.decoded)
    case .array(let array): (0..<array.count).map { array[$0].unboxed(in: firestore) }
    case .map(let map): map.unboxed(in: firestore)
    default: decoded.unboxed(in: firestore)
    }
  }
}

extension EncodedMap {
  package func unboxed(in firestore: Firestore) -> [String: Any] {
    var fields = [String: Any](minimumCapacity: count)
    for index in 0..<count {
      fields[name(at: index)] = value(at: index).unboxed(in: firestore)
    }
    return fields
  }
}

extension Value {
  package func unboxed(in firestore: Firestore) -> Any {
    switch self {
    case .null: NSNull()
    case .boolean(let value): NSNumber(value: value)
    case .integer(let value): NSNumber(value: value)
    case .double(let value): NSNumber(value: value)
    case .timestamp(let microseconds): Timestamp(microseconds: microseconds)
    case .string(let value): value
    case .bytes(let value): Data(value)
    case .reference(let name):
      DocumentReference(firestore: firestore, name: name.document)
    case .geoPoint(let latitude, let longitude): GeoPoint(latitude: latitude, longitude: longitude)
    case .array(let values): values.map { $0.unboxed(in: firestore) }
    case .vector(let numbers): VectorValue(numbers)
    case .map(let fields):
      [String: Any](
        fields.sorted.map { ($0.name, $0.value.unboxed(in: firestore)) },
        uniquingKeysWith: { $1 })
    }
  }
}

/// One pass over a value as Firebase code writes it. It remembers where it stands, so that a
/// mistake is named with its field, and collects the sentinels it meets.
struct Boxing {
  /// What happens to a `FieldValue`.
  enum Sentinels {
    case refused(place: String)
    case collected
    /// As `collected`, and so are the paths of all values that are not maps with content: the mask of a
    /// merge.
    case collectedWithLeaves
  }

  private let sentinels: Sentinels
  /// The maps that are open, without the field that is looked at.
  private var outer: [String]
  private var name: String?
  private var arrayDepth = 0
  private(set) var transforms: [FieldTransform] = []
  private(set) var deletions: [FieldReference] = []
  private(set) var leaves: [FieldReference] = []
  /// Whether there may be a reference, which can lead into another database.
  var mayHaveReferences = false

  init(sentinels: Sentinels, at path: [String] = []) {
    self.sentinels = sentinels
    outer = path
  }

  private var path: [String] { name.map { outer + [$0] } ?? outer }

  /// The fields of `data` without its sentinels.
  mutating func fields(of data: [String: Any]) throws(FirestoreErrorCode) -> Fields {
    var fields: [Fields.Field] = []
    fields.reserveCapacity(data.count)
    let map = name
    if let map { outer.append(map) }
    for (_, index) in Boxing.order(of: data) {
      let (name, any) = data[index]
      guard !name.isEmpty else {
        self.name = nil
        throw .invalid("A field name is empty\(place); Firestore has no field without a name.")
      }
      self.name = name
      if let value = try value(of: any) { fields.append(.init(name: name, value: value)) }
    }
    name = map
    if map != nil { outer.removeLast() }
    return Fields(ascending: fields)
  }

  /// The fields of `data` by name, beside the first bytes of their names, which sort faster.
  private static func order(
    of data: [String: Any]
  ) -> [(head: UInt64, index: Dictionary<String, Any>.Index)] {
    var order: [(head: UInt64, index: Dictionary<String, Any>.Index)] = []
    order.reserveCapacity(data.count)
    for index in data.indices { order.append((data.keys[index].head, index)) }
    func precedes(
      _ left: (head: UInt64, index: Dictionary<String, Any>.Index),
      _ right: (head: UInt64, index: Dictionary<String, Any>.Index)
    ) -> Bool {
      if left.head != right.head { return left.head < right.head }
      return data.keys[left.index].precedesInBytes(data.keys[right.index])
    }
    if data.count > 32 {
      order.sort(by: precedes)
      return order
    }
    for index in order.indices.dropFirst() {
      let field = order[index]
      var place = index
      while place > 0, precedes(field, order[place - 1]) {
        order[place] = order[place - 1]
        place -= 1
      }
      order[place] = field
    }
    return order
  }

  /// The value of `any`; nil where it was a sentinel.
  mutating func value(
    of any: Any, directlyInArray: Bool = false
  ) throws(FirestoreErrorCode) -> Value? {
    if let native = try native(any) {
      addLeaf()
      return native
    }
    if let strings = exactly([String].self, any), !directlyInArray {
      addLeaf()
      return .array(strings.map { .string($0) })
    }
    // Containers before the other scalars: to ask whether an array is a class instance bridges it.
    switch any {
    case let data as [String: Any]:
      if data.isEmpty { addLeaf() }
      return .map(try fields(of: data))
    case let elements as [Any]:
      guard !directlyInArray else {
        throw .invalid("Nested arrays are not supported\(place); put the inner array into a map.")
      }
      addLeaf()
      return .array(try values(of: elements))
    case let sentinel as FieldValue:
      try add(sentinel)
      return nil
    default:
      guard let scalar = try scalar(any) else { throw unsupported(any) }
      if case .reference = scalar { mayHaveReferences = true }
      addLeaf()
      return scalar
    }
  }

  /// The values of the elements of one array.
  mutating func values(of elements: [Any]) throws(FirestoreErrorCode) -> [Value] {
    arrayDepth += 1
    defer { arrayDepth -= 1 }
    var values: [Value] = []
    values.reserveCapacity(elements.count)
    for element in elements {
      if let value = try value(of: element, directlyInArray: true) { values.append(value) }
    }
    return values
  }

  private mutating func addLeaf() {
    if case .collectedWithLeaves = sentinels, arrayDepth == 0 {
      leaves.append(FieldReference(segments: path))
    }
  }

  private mutating func add(_ sentinel: FieldValue) throws(FirestoreErrorCode) {
    if case .refused(let place) = sentinels {
      throw .invalid("FieldValue.\(sentinel.call) cannot be used \(place).")
    }
    guard arrayDepth == 0 else {
      throw .invalid("FieldValue.\(sentinel.call) is not supported inside arrays\(place).")
    }
    try add(sentinel, at: FieldReference(segments: path))
  }

  /// Takes note of a sentinel at a known field.
  mutating func add(
    _ sentinel: FieldValue, at field: FieldReference
  ) throws(FirestoreErrorCode) {
    switch try sentinel.sentinel.get() {
    case .delete: deletions.append(field)
    case .transform(let operation): transforms.append(FieldTransform(field, operation))
    }
  }

  /// ` (in field a.b)`, or nothing outside of any field.
  private var place: String {
    path.isEmpty ? "" : " (in field \(FieldReference(segments: path)))"
  }
}

extension Boxing {
  /// The value of the commonest types where `any` is exactly of one: a look at its type costs a small
  /// part of the casts that follow.
  private func native(_ any: Any) throws(FirestoreErrorCode) -> Value? {
    let type = type(of: any)
    if type == String.self { return exactly(String.self, any).map { .string($0) } }
    if type == Int.self { return exactly(Int.self, any).map { .integer(Int64($0)) } }
    if type == Int64.self { return exactly(Int64.self, any).map { .integer($0) } }
    if type == Double.self { return exactly(Double.self, any).map { .double($0) } }
    if type == Bool.self { return exactly(Bool.self, any).map { .boolean($0) } }
    if type == Timestamp.self, let time = exactly(Timestamp.self, any) {
      return try timestamp(time)
    }
    if type == Date.self, let date = exactly(Date.self, any) {
      return try timestamp(Timestamp(date: date))
    }
    return nil
  }

  /// The value of everything but maps, arrays and sentinels.
  private func scalar(_ any: Any) throws(FirestoreErrorCode) -> Value? {
    switch any {
    case let value as String: return .string(value)
    // Before the numbers: an optional `NSNumber` would pass for any of them.
    case let optional as any AnyOptional: return try optional.wrapped.map(scalar) ?? .null
    // Before the numbers as well, and only if it is one: a native number can pass for `NSNumber`.
    case let number as NSNumber where type(of: any) is NSNumber.Type: return try value(of: number)
    case let value as Int: return .integer(Int64(value))
    case let value as Double: return .double(value)
    case let value as Bool: return .boolean(value)
    case let value as Date: return try timestamp(Timestamp(date: value))
    case let value as Timestamp: return try timestamp(value)
    case is NSNull: return .null
    case let value as any BinaryInteger:
      guard let integer = Int64(exactly: value) else { throw overflow(value) }
      return .integer(integer)
    case let value as any BinaryFloatingPoint: return .double(Double(value))
    case let value as Decimal: return .double(NSDecimalNumber(decimal: value).doubleValue)
    case let value as Data: return .bytes([UInt8](value))
    case let value as GeoPoint: return try geoPoint(value)
    case let value as VectorValue: return .vector(value.array)
    case let value as DocumentReference: return .reference(try value.resourceName)
    default: return nil
    }
  }

  private func value(of number: NSNumber) throws(FirestoreErrorCode) -> Value {
    if type(of: number) == Boxing.booleanClass { return .boolean(number.boolValue) }
    if number.isFloatingPoint { return .double(number.doubleValue) }
    guard number.compare(NSNumber(value: Int64.max)) != .orderedDescending else {
      throw overflow(number)
    }
    return .integer(number.int64Value)
  }

  /// Foundation makes booleans of a class of their own; nothing else tells them from 0 and 1.
  private static let booleanClass: AnyClass = type(of: NSNumber(value: true))

  private func timestamp(_ timestamp: Timestamp) throws(FirestoreErrorCode) -> Value {
    guard let microseconds = timestamp.microseconds else {
      throw .invalid(
        "Timestamp(seconds: \(timestamp.seconds), nanoseconds: \(timestamp.nanoseconds))\(place) "
          + "lies outside the years 1 to 9999 or has nanoseconds outside 0..<1000000000.")
    }
    return .timestamp(microseconds: microseconds)
  }

  private func geoPoint(_ point: GeoPoint) throws(FirestoreErrorCode) -> Value {
    guard point.isValid else {
      throw .invalid(
        "GeoPoint(latitude: \(point.latitude), longitude: \(point.longitude))\(place) lies "
          + "outside latitudes -90...90 and longitudes -180...180.")
    }
    return .geoPoint(latitude: point.latitude, longitude: point.longitude)
  }

  private func overflow(_ number: Any) -> FirestoreErrorCode {
    .invalid("\(number)\(place) is too large; Firestore's integers have 64 bits and a sign.")
  }

  private func unsupported(_ any: Any) -> FirestoreErrorCode {
    .invalid(
      "Firestore has no type for \(type(of: any))\(place). Use numbers, booleans, strings, Date, "
        + "Timestamp, Data, GeoPoint, DocumentReference, VectorValue, arrays, dictionaries with "
        + "String keys, or an Encodable value with setData(from:).")
  }
}

extension NSNumber {
  fileprivate var isFloatingPoint: Bool {
    #if canImport(ObjectiveC)
      CFNumberIsFloatType(self)
    #else
      // Here Foundation writes a floating-point number with a point, an exponent, or as inf or nan.
      self is NSDecimalNumber || stringValue.utf8.contains { !"-0123456789".utf8.contains($0) }
    #endif
  }
}

/// An optional of any type inside an `Any`, where nil is not nil.
private protocol AnyOptional {
  var wrapped: Any? { get }
}

extension Optional: AnyOptional {
  fileprivate var wrapped: Any? { self }
}
