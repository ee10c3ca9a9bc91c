/// The total order of Firestore's values, written as one recursive comparison.
///
/// Source: https://firebase.google.com/docs/firestore/manage-data/data-types
package enum ModelOrder {
  /// How many bytes of a string or of bytes take part in queries.
  package static let indexedBytes = 1500

  /// Negative, zero or positive, as `a` is below, level with or above `b` in queries.
  package static func compare(_ a: ModelValue, _ b: ModelValue) -> Int {
    compare(a, b, cut: indexedBytes)
  }

  /// The same order over whole strings and bytes: the equality of array transforms.
  package static func areEqualInFull(_ a: ModelValue, _ b: ModelValue) -> Bool {
    compare(a, b, cut: nil) == 0
  }

  /// The place of a value's type. Types with the same place are comparable with each other, and a
  /// range filter never leaves the place of its operand.
  package static func bracket(of value: ModelValue) -> Int {
    switch value {
    case .null: 0
    case .boolean: 1
    case .double(let number) where number.isNaN: 2
    case .integer, .double: 3
    case .timestamp: 4
    case .string: 5
    case .bytes: 6
    case .reference: 7
    case .geoPoint: 8
    case .array: 9
    case .vector: 10
    case .map: 11
    }
  }

  private static func compare(_ a: ModelValue, _ b: ModelValue, cut: Int?) -> Int {
    let places = sign(bracket(of: a), bracket(of: b))
    if places != 0 { return places }
    switch (a, b) {
    case (.boolean(let a), .boolean(let b)): return sign(a ? 1 : 0, b ? 1 : 0)
    case (.integer(let a), .integer(let b)): return sign(a, b)
    case (.double(let a), .double(let b)): return compareDoubles(a, b)
    case (.double(let a), .integer(let b)): return compare(a, b)
    case (.integer(let a), .double(let b)): return -compare(b, a)
    case (.timestamp(let a), .timestamp(let b)): return sign(a, b)
    case (.string(let a), .string(let b)), (.bytes(let a), .bytes(let b)):
      return compareBytes(a, b, cut: cut)
    case (.reference(let a), .reference(let b)): return compareReferences(a, b)
    case (.geoPoint(let a, let b), .geoPoint(let c, let d)):
      let latitudes = compareDoubles(a, c)
      return latitudes != 0 ? latitudes : compareDoubles(b, d)
    case (.array(let a), .array(let b)): return compareArrays(a, b, cut: cut)
    case (.vector(let a), .vector(let b)):
      if a.count != b.count { return sign(a.count, b.count) }
      return zip(a, b).lazy.map(compareDoubles).first { $0 != 0 } ?? 0
    case (.map(let a), .map(let b)): return compareMaps(a, b, cut: cut)
    default: return 0  // two nulls, two NaNs
    }
  }

  private static func sign<Number: Comparable>(_ a: Number, _ b: Number) -> Int {
    a < b ? -1 : (a > b ? 1 : 0)
  }

  /// NaN, whatever its bits, is below every number; `-0.0` is level with `0.0`.
  private static func compareDoubles(_ a: Double, _ b: Double) -> Int {
    if a.isNaN || b.isNaN { return sign(a.isNaN ? 0 : 1, b.isNaN ? 0 : 1) }
    return sign(a, b)
  }

  /// Exact, although most integers above 2^53 are no doubles and most doubles are no integers.
  private static func compare(_ number: Double, _ integer: Int64) -> Int {
    if number < -0x1p63 { return -1 }
    if number >= 0x1p63 { return 1 }
    let whole = Int64(number.rounded(.towardZero))
    if whole != integer { return sign(whole, integer) }
    return sign(number, number.rounded(.towardZero))
  }

  private static func compareBytes(_ a: Bytes, _ b: Bytes, cut: Int?) -> Int {
    let shorterA = cut.map { Bytes(a.prefix($0)) } ?? a
    let shorterB = cut.map { Bytes(b.prefix($0)) } ?? b
    for (x, y) in zip(shorterA, shorterB) where x != y { return sign(x, y) }
    if shorterA.count != shorterB.count { return sign(shorterA.count, shorterB.count) }
    // A value that was cut is above the whole value it now looks like.
    return sign(a.count > shorterA.count ? 1 : 0, b.count > shorterB.count ? 1 : 0)
  }

  private static func compareReferences(_ a: ModelReference, _ b: ModelReference) -> Int {
    let projects = compareBytes(a.project, b.project, cut: nil)
    if projects != 0 { return projects }
    let databases = compareBytes(a.database, b.database, cut: nil)
    return databases != 0 ? databases : comparePaths(a.path, b.path)
  }

  /// Segment by segment, a parent before what is below it.
  package static func comparePaths(_ a: ModelPath, _ b: ModelPath) -> Int {
    for (x, y) in zip(a, b) {
      let segments = compareSegments(x, y)
      if segments != 0 { return segments }
    }
    return sign(a.count, b.count)
  }

  private static func compareSegments(_ a: Bytes, _ b: Bytes) -> Int {
    switch (numericID(a), numericID(b)) {
    case (let a?, let b?): sign(a, b)
    case (_?, nil): -1
    case (nil, _?): 1
    case (nil, nil): compareBytes(a, b, cut: nil)
    }
  }

  /// The number of an id of the form `__id<number>__`.
  private static func numericID(_ segment: Bytes) -> Int64? {
    let text = String(decoding: segment, as: UTF8.self)
    guard text.hasPrefix("__id"), text.hasSuffix("__"), segment.count > 6 else { return nil }
    let digits = text.dropFirst(4).dropLast(2)
    guard let number = Int64(digits), "\(number)" == digits else { return nil }
    return number
  }

  private static func compareArrays(_ a: [ModelValue], _ b: [ModelValue], cut: Int?) -> Int {
    for (x, y) in zip(a, b) {
      let elements = compare(x, y, cut: cut)
      if elements != 0 { return elements }
    }
    return sign(a.count, b.count)
  }

  private static func compareMaps(_ a: ModelFields, _ b: ModelFields, cut: Int?) -> Int {
    let namesOfA = a.keys.sorted { compareBytes($0, $1, cut: nil) < 0 }
    let namesOfB = b.keys.sorted { compareBytes($0, $1, cut: nil) < 0 }
    for (x, y) in zip(namesOfA, namesOfB) {
      let names = compareBytes(x, y, cut: nil)
      if names != 0 { return names }
      let values = compare(a[x] ?? .null, b[y] ?? .null, cut: cut)
      if values != 0 { return values }
    }
    return sign(a.count, b.count)
  }

  /// The order in which implied orders are appended.
  package static func compareFields(_ a: ModelField, _ b: ModelField) -> Int {
    for (x, y) in zip(a, b) {
      let names = compareBytes(x, y, cut: nil)
      if names != 0 { return names }
    }
    return sign(a.count, b.count)
  }
}
