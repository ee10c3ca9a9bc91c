import ReferenceModel
import TestSupport

/// Makes values of every type, mostly at the places where an encoding can go wrong.
struct RandomValues {
  /// Few different values, so that documents tie and filters match.
  static let common: [ModelValue] = [
    .null, .boolean(false), .boolean(true), .double(.nan), .integer(-1), .double(-0.5),
    .integer(0), .double(0), .integer(1), .double(1), .integer(2), .double(2.5),
    .timestamp(microseconds: 0), .timestamp(microseconds: 1), .string(""), .string("a"),
    .string("b"), .bytes([]), .bytes([0]), .array([]), .array([.integer(1)]),
    .array([.integer(1), .string("a")]), .array([.null, .double(.nan)]), .vector([1]), .map([:]),
    .map([Bytes("x".utf8): .integer(1)]), .geoPoint(latitude: 1, longitude: 2),
    .reference(reference("c/a")),
  ]

  /// Those that may stand in an array.
  static let scalars = common.filter {
    if case .array = $0 { return false }
    return true
  }

  static func reference(_ path: String) -> ModelReference {
    ModelReference(
      project: Bytes("feedstore".utf8), database: Bytes("(default)".utf8),
      path: ModelPath(text: path))
  }

  /// A value of any type, nested at most `depth` levels.
  static func any(_ generator: inout SeededGenerator, depth: Int = 3) -> ModelValue {
    switch generator.number(0...(depth > 0 ? 13 : 10)) {
    case 0: return generator.pick([.null, .boolean(false), .boolean(true)])
    case 1, 2: return .integer(integer(&generator))
    case 3, 4: return .double(double(&generator))
    case 5: return .timestamp(microseconds: timestamp(&generator))
    case 6, 7: return .string(text(&generator))
    case 8: return .bytes(bytes(&generator))
    case 9: return .reference(reference(&generator))
    case 10: return geoPoint(&generator)
    case 11: return .array(elements(&generator, depth: depth - 1))
    case 12: return .vector((0..<generator.number(0...3)).map { _ in double(&generator) })
    default: return .map(fields(&generator, depth: depth - 1))
    }
  }

  static func integer(_ generator: inout SeededGenerator) -> Int64 {
    let anchors: [Int64] = [
      0, 1, -1, 1 << 52, 1 << 53, -(1 << 53), 1 << 54, 1 << 62, .max, .min, 255, 256, 1 << 32,
    ]
    if generator.chance(0.2) { return Int64.random(in: .min ... .max, using: &generator) }
    return generator.pick(anchors) &+ Int64(generator.number(-3...3))
  }

  static func double(_ generator: inout SeededGenerator) -> Double {
    let anchors: [Double] = [
      0, -0.0, 1, -1, 0x1p52, 0x1p53, -0x1p53, 0x1p54, 0x1p62, 0x1p63, -0x1p63, 0x1p64, .infinity,
      -.infinity, .nan, -.nan, .signalingNaN, Double(nan: 42, signaling: false),
      .leastNonzeroMagnitude, -.leastNonzeroMagnitude, .leastNormalMagnitude,
      .greatestFiniteMagnitude, -.greatestFiniteMagnitude, 0.1, 1.5,
    ]
    switch generator.number(0...5) {
    case 0: return Double(bitPattern: generator.next())
    case 1: return Double(integer(&generator))
    case 2: return Double(integer(&generator)).nextUp
    case 3: return Double(integer(&generator)).nextDown
    default: return generator.pick(anchors)
    }
  }

  /// Within the years 1 to 9999.
  static func timestamp(_ generator: inout SeededGenerator) -> Int64 {
    let anchors: [Int64] = [
      0, 1, -1, 999_999, 1_000_000, -999_999, -1_000_000, -62_135_596_800_000_000,
      253_402_300_799_999_999, 1_700_000_000_000_000,
    ]
    return generator.chance(0.7)
      ? generator.pick(anchors)
      : Int64.random(
        in: -62_135_596_800_000_000...253_402_300_799_999_999, using: &generator)
  }

  static func text(_ generator: inout SeededGenerator) -> Bytes {
    let pieces = [
      "", "a", "b", "A", "é", "e\u{301}", "\0", "\0\u{1}", "\u{1}", "\u{7f}", "\u{d7ff}",
      "\u{e000}", "\u{fe12}", "\u{ff30}", "\u{ffff}", "\u{10000}", "🄟", "🐵", "\u{10ffff}", "\u{ff}",
    ]
    var result = ""
    for _ in 0..<generator.number(0...3) { result += generator.pick(pieces) }
    if generator.chance(0.06) {
      let length = generator.pick([1490, 1498, 1499, 1500, 1501, 1502, 1600])
      result = String(repeating: "p", count: max(0, length - result.utf8.count)) + result
    }
    return Bytes(result.utf8)
  }

  static func bytes(_ generator: inout SeededGenerator) -> Bytes {
    let prefix = generator.chance(0.05) ? generator.pick([1498, 1499, 1500, 1501]) : 0
    return Bytes(repeating: 7, count: prefix)
      + (0..<generator.number(0...4)).map { _ in generator.pick([0, 1, 2, 127, 128, 254, 255]) }
  }

  static func reference(_ generator: inout SeededGenerator) -> ModelReference {
    let segments = [
      "a", "b", "a\0", "_", "a b", "__id1__", "__id-5__", "__id9223372036854775807__",
      "__id-9223372036854775808__", "__id", "12", "7", "é", "e\u{301}", "🐵", "\u{ff30}",
    ]
    let length = 2 * generator.number(1...3)
    let path = (0..<length).map { _ in Bytes(generator.pick(segments).utf8) }
    return ModelReference(
      project: Bytes(generator.pick(["feedstore", "feedstore", "feed", "other"]).utf8),
      database: Bytes(generator.pick(["(default)", "(default)", "second"]).utf8), path: path)
  }

  static func geoPoint(_ generator: inout SeededGenerator) -> ModelValue {
    let latitudes = [-90, -1.5, -0.0, 0, 0.5, 90]
    let longitudes = [-180, -0.5, -0.0, 0, 1, 180]
    return .geoPoint(
      latitude: generator.pick(latitudes), longitude: generator.pick(longitudes))
  }

  /// No array directly in an array: Firestore refuses that.
  static func elements(_ generator: inout SeededGenerator, depth: Int) -> [ModelValue] {
    (0..<generator.number(0...3)).map { _ in
      let element = any(&generator, depth: depth)
      if case .array(let inner) = element { return .map([Bytes("in".utf8): .array(inner)]) }
      return element
    }
  }

  static func fields(_ generator: inout SeededGenerator, depth: Int) -> ModelFields {
    let names = ["a", "b", "ab", "a.b", "a\0", "é", "e\u{301}", "🐵", "\u{ff30}", "`"]
    var result: ModelFields = [:]
    for _ in 0..<generator.number(0...3) {
      result[Bytes(generator.pick(names).utf8)] = any(&generator, depth: depth)
    }
    return result
  }
}
