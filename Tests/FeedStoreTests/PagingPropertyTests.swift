import DocumentDatabase
import FeedStore
import ReferenceModel
import TestSupport
import Testing

@Suite struct PagingPropertyTests {
  @Test func `pages by document cursor put together are the whole result`() async throws {
    for number in Randomised.cases(1000) {
      var generator = Randomised.generator(case: number)
      var feed = try RandomFeed(case: number, using: &generator)
      let expected = feed.expected
      for direction in Direction.allCases {
        let pages = try await feed.pages(direction) { _ in }
        #expect(pages.flatMap(\.self) == expected, feed.comment(direction))
      }
    }
  }

  @Test
  func `every document that stays is shown once while others come and go`() async throws {
    for number in Randomised.cases(1000) {
      var generator = Randomised.generator(case: number)
      for direction in Direction.allCases {
        var feed = try RandomFeed(case: number, using: &generator)
        let expected = feed.expected
        let pages = try await feed.pages(direction) { feed in
          for _ in 0..<Int.random(in: 0...3, using: &generator) {
            try feed.writeAnother(using: &generator)
          }
        }
        let shown = pages.flatMap(\.self).filter { expected.contains($0) }
        #expect(shown == expected, feed.comment(direction))
      }
    }
  }

  @Test
  func `a cursor document that is deleted or changed keeps its position`() async throws {
    for number in Randomised.cases(500) {
      var generator = Randomised.generator(case: number)
      for direction in Direction.allCases {
        var feed = try RandomFeed(case: number, using: &generator)
        var expected = feed.expected
        let pages = try await feed.pages(direction) { feed in
          guard let cursor = feed.cursorID, Bool.random(using: &generator) else { return }
          expected.removeAll { $0 == cursor }
          try feed.delete(cursor)
        }
        let shown = pages.flatMap(\.self).filter { expected.contains($0) }
        #expect(shown == expected, feed.comment(direction))
      }
    }
  }

  @Test func `a page is billed its documents, and an empty one a single read`() async throws {
    for number in Randomised.cases(300) {
      var generator = Randomised.generator(case: number)
      var feed = try RandomFeed(case: number, using: &generator)
      let pages = try await feed.pages(.forwards) { _ in }
      let expected = pages.reduce(0) { $0 + max(1, $1.count) }
      #expect(feed.firestore.readMeter.total == expected, feed.comment(.forwards))
    }
  }
}

private enum Direction: CaseIterable { case forwards, backwards }

/// A collection in which documents tie and lack fields, and a feed over it.
private struct RandomFeed {
  let firestore: Firestore
  private let number: Int
  private var model = ModelDatabase(project: "feedstore")
  private var modelQuery = ModelQuery(.collection([Bytes("feed".utf8)]))
  private var query: Query
  private let pageSize: Int
  private(set) var cursorID: String?

  init(case number: Int, using generator: inout SeededGenerator) throws {
    self.number = number
    firestore = Firestore(name: DatabaseName(project: "feedstore"), nodeCapacity: 4)
    query = firestore.collection("feed")
    pageSize = Int.random(in: 1...8, using: &generator)
    for field in ["a", "b"].shuffled(using: &generator).prefix(
      Int.random(in: 0...2, using: &generator))
    {
      let descending = Bool.random(using: &generator)
      query = query.order(by: field, descending: descending)
      modelQuery.orders.append(.init([Bytes(field.utf8)], descending: descending))
    }
    if modelQuery.orders.isEmpty {
      // Going backwards needs an order.
      query = query.order(by: FieldPath.documentID())
      modelQuery.orders.append(.init(documentNameField))
    }
    for index in 0..<Int.random(in: 0...40, using: &generator) {
      try write("d\(index)", RandomFeed.fields(using: &generator))
    }
  }

  private static func fields(using generator: inout SeededGenerator) -> ModelFields {
    let values: [ModelValue] = [
      .null, .integer(1), .double(1), .double(.nan), .integer(2), .string("a"), .string("b"),
      .timestamp(microseconds: 5), .array([.integer(1)]), .boolean(true),
    ]
    var fields: ModelFields = [:]
    for name in ["a", "b"] where Int.random(in: 0..<10, using: &generator) > 0 {
      fields[Bytes(name.utf8)] = values.randomElement(using: &generator)
    }
    return fields
  }

  var expected: [String] {
    model.run(modelQuery).results.compactMap { $0.path.last }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  func comment(_ direction: Direction) -> Comment {
    """
    FEEDSTORE_SEED=\(Randomised.seed) case \(number), \(direction), pages of \(pageSize), orders \
    \(modelQuery.orders)
    """
  }

  /// Reads page after page until one is short, calling `between` after each; in the query's order.
  mutating func pages(
    _ direction: Direction, between: (inout RandomFeed) throws -> Void
  ) async throws -> [[String]] {
    var pages: [[String]] = []
    var request = query
    repeat {
      request =
        direction == .forwards
        ? request.limit(to: pageSize) : request.limit(toLast: pageSize)
      let documents = try await request.getDocuments().documents
      let ids = documents.map(\.documentID)
      if direction == .forwards { pages.append(ids) } else { pages.insert(ids, at: 0) }
      guard documents.count == pageSize,
        let cursor = direction == .forwards ? documents.last : documents.first
      else { return pages }
      cursorID = cursor.documentID
      request =
        direction == .forwards
        ? query.start(afterDocument: cursor) : query.end(beforeDocument: cursor)
      try between(&self)
    } while pages.count < 200
    return pages
  }

  /// Writes or deletes a document that was not there at the start.
  mutating func writeAnother(using generator: inout SeededGenerator) throws {
    let id = ["a", "dz", "z"].randomElement(using: &generator) ?? "a"
    let name = "\(id)\(Int.random(in: 0...5, using: &generator))"
    if Bool.random(using: &generator) {
      try write(name, RandomFeed.fields(using: &generator))
    } else {
      try delete(name)
    }
  }

  mutating func delete(_ id: String) throws {
    model.documents[path(id)] = nil
    try firestore.database.commit([Write(.delete(try DocumentName(path: "feed/\(id)")))])
  }

  private mutating func write(_ id: String, _ fields: ModelFields) throws {
    model.documents[path(id)] = .init(fields: fields)
    let values = Fields(fields.map { (String(decoding: $0.key, as: UTF8.self), plain($0.value)) })
    try firestore.database.commit([
      Write(.update(try DocumentName(path: "feed/\(id)"), values, mask: nil))
    ])
  }

  private func path(_ id: String) -> ModelPath { [Bytes("feed".utf8), Bytes(id.utf8)] }

  /// The few kinds of value that occur here.
  private func plain(_ value: ModelValue) -> Value {
    switch value {
    case .boolean(let boolean): .boolean(boolean)
    case .integer(let integer): .integer(integer)
    case .double(let double): .double(double)
    case .string(let text): .string(String(decoding: text, as: UTF8.self))
    case .timestamp(let microseconds): .timestamp(microseconds: microseconds)
    case .array(let elements): .array(elements.map { plain($0) })
    default: .null
    }
  }
}
