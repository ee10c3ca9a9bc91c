import FeedStore
import Foundation
import Testing

/// One property for every type that a document can hold.
struct Everything: Codable, Equatable {
  enum Color: String, Codable { case red, green }

  var flag: Bool
  var small: Int8
  var large: Int64
  var unsigned: UInt
  var real: Double
  var float: Float
  var text: String
  var date: Date
  var timestamp: Timestamp
  var data: Data
  var url: URL
  var decimal: Decimal
  var point: GeoPoint
  var vector: VectorValue
  var link: DocumentReference
  var numbers: [Int]
  var color: Color
  var present: String?
  var absent: String?
  var inner: Inner
  var byName: [String: Inner]
  var dates: [Date]

  static func sample() throws -> Everything {
    Everything(
      flag: true, small: -8, large: .max, unsigned: 7, real: 0.1, float: 0.5,
      text: "Łukasiewicz 🐵", date: Timestamp(microseconds: 1_700_000_000_123_457).dateValue(),
      timestamp: Timestamp(microseconds: -1), data: Data([0, 255]),
      url: try #require(URL(string: "https://example.org/a?b=c")), decimal: Decimal(1) / 10,
      point: GeoPoint(latitude: 1.5, longitude: -2), vector: VectorValue([1, 2]),
      link: Firestore().document("users/u1"), numbers: [1, 2], color: .red, present: "here",
      inner: Inner(name: "in", tags: []), byName: ["a.b": Inner(name: "x", tags: ["t"])],
      dates: [Date(timeIntervalSince1970: 0)])
  }
}

struct Inner: Codable, Equatable {
  var name: String
  var tags: [String]
}

enum Shape: Codable, Equatable {
  case circle(radius: Int)
  case square(side: Int, name: String?)
  case none
}

class Base: Codable {
  var base: Int
  init(base: Int) { self.base = base }
}

final class Derived: Base {
  var own: Int
  private enum CodingKeys: String, CodingKey { case own }

  init(base: Int, own: Int) {
    self.own = own
    super.init(base: base)
  }

  required init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    own = try container.decode(Int.self, forKey: .own)
    try super.init(from: container.superDecoder())
  }

  override func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try super.encode(to: container.superEncoder())
    try container.encode(own, forKey: .own)
  }
}

/// Two levels of maps and a list of maps, with containers opened by hand.
struct Nested: Codable, Equatable {
  struct Row: Equatable { var cells: [Int] }

  var x: Int
  var y: Int
  var list: [Row]

  private enum Keys: String, CodingKey { case position, list }
  private enum Position: String, CodingKey { case x, y }
  private enum RowKeys: String, CodingKey { case cells }

  init(x: Int, y: Int, list: [Row]) {
    self.x = x
    self.y = y
    self.list = list
  }

  init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: Keys.self)
    let position = try container.nestedContainer(keyedBy: Position.self, forKey: .position)
    x = try position.decode(Int.self, forKey: .x)
    y = try position.decode(Int.self, forKey: .y)
    var rows = try container.nestedUnkeyedContainer(forKey: .list)
    list = []
    while !rows.isAtEnd {
      let row = try rows.nestedContainer(keyedBy: RowKeys.self)
      var cells = try row.nestedUnkeyedContainer(forKey: .cells)
      var numbers: [Int] = []
      while !cells.isAtEnd {
        if try !cells.decodeNil() { numbers.append(try cells.decode(Int.self)) }
      }
      list.append(Row(cells: numbers))
    }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: Keys.self)
    var rows = container.nestedUnkeyedContainer(forKey: .list)
    // The map is opened after the list and written in turns with it.
    var position = container.nestedContainer(keyedBy: Position.self, forKey: .position)
    try position.encode(x, forKey: .x)
    for row in list {
      var map = rows.nestedContainer(keyedBy: RowKeys.self)
      var cells = map.nestedUnkeyedContainer(forKey: .cells)
      for cell in row.cells {
        try cells.encode(cell)
        try cells.encodeNil()
      }
    }
    try position.encode(y, forKey: .y)
  }
}
