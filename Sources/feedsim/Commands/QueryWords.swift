import FeedSimulation
import FeedStore

/// A query made of the words of the command line.
struct QueryWords: Sendable {
  enum Operator: String, CaseIterable {
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case `in`
    case notIn = "not-in"
    case contains = "array-contains"
    case containsAny = "array-contains-any"

    var takesList: Bool { self == .in || self == .notIn || self == .containsAny }
  }

  struct Condition: Sendable {
    let field: FieldPath
    let comparison: Operator
    let value: Literal
  }

  private struct Cursor: Sendable {
    let option: String
    let values: Literal
  }

  private let arguments: ParsedArguments
  private let collection: String
  private let conditions: [Condition]
  private let alternatives: [Condition]
  private let orders: [(field: FieldPath, isDescending: Bool)]
  private let cursors: [Cursor]
  private let selected: [FieldPath]
  private let aggregates: [AggregateField]

  init(_ arguments: ParsedArguments, timestampFields: [String]) throws {
    self.arguments = arguments
    collection = arguments.text(.collection) ?? InputFile(arguments.text(.input)).collection
    func conditions(_ option: CommandOption) throws -> [Condition] {
      try arguments.wordLists(option).map {
        try QueryWords.condition($0, of: option, timestampFields)
      }
    }
    self.conditions = try conditions(.condition)
    alternatives = try conditions(.alternative)
    let orders = try arguments.texts(.order).map { try ParsedArguments.order($0) }
    self.orders = try orders.map { (try QueryWords.path($0.field), $0.isDescending) }
    let isFirstTimestamp = orders.first.map { timestampFields.contains($0.field) } ?? false
    var cursors: [Cursor] = []
    for option in [CommandOption.startAt, .startAfter, .endAt, .endBefore] {
      guard let text = arguments.text(option) else { continue }
      let literal = isFirstTimestamp ? Literal(timestampFirst: text) : Literal(text)
      guard let literal else {
        throw UsageError.badTimestamp(
          field: orders[0].field, value: text, option: "--\(option.name)")
      }
      cursors.append(Cursor(option: option.name, values: literal))
    }
    self.cursors = cursors
    selected = try arguments.texts(.select).map(QueryWords.path)
    aggregates =
      (arguments.has(.countDocuments) ? [AggregateField.count()] : [])
      + (try arguments.texts(.sum).map { .sum(try QueryWords.path($0)) })
      + (try arguments.texts(.average).map { .average(try QueryWords.path($0)) })
    if arguments.has(.limit) && arguments.has(.limitToLast) {
      throw UsageError.onlyOneOf("--limit", "--limit-to-last")
    }
  }

  var query: RequestedQuery {
    RequestedQuery(
      collection: collection, aggregates: aggregates.isEmpty ? nil : aggregates, explains: nil,
      make: { try await query(in: $0) })
  }

  private func query(in firestore: Firestore) async throws -> Query {
    var query: Query =
      arguments.has(.group)
      ? firestore.collectionGroup(collection) : firestore.collection(collection)
    for condition in conditions { query = query.whereFilter(condition.filter(in: firestore)) }
    if !alternatives.isEmpty {
      query = query.whereFilter(.orFilter(alternatives.map { $0.filter(in: firestore) }))
    }
    for order in orders { query = query.order(by: order.field, descending: order.isDescending) }
    for cursor in cursors {
      let values = cursor.values.unboxedList(in: firestore)
      switch cursor.option {
      case CommandOption.startAt.name: query = query.start(at: values)
      case CommandOption.startAfter.name: query = query.start(after: values)
      case CommandOption.endAt.name: query = query.end(at: values)
      default: query = query.end(before: values)
      }
    }
    query = try await addingDocumentCursors(to: query, in: firestore)
    if let limit = arguments.integer(.limit) { query = query.limit(to: limit) }
    if let limit = arguments.integer(.limitToLast) { query = query.limit(toLast: limit) }
    if let offset = arguments.integer(.offset) { query = query.metered.offset(offset) }
    return selected.isEmpty ? query : query.metered.select(selected)
  }

  private func addingDocumentCursors(
    to query: Query, in firestore: Firestore
  ) async throws -> Query {
    var query = query
    for option in CommandOption.documentCursors {
      guard let id = arguments.text(option) else { continue }
      let document = try await firestore.document("\(collection)/\(id)").getDocument()
      switch option.name {
      case CommandOption.startAtDocument.name: query = query.start(atDocument: document)
      case CommandOption.startAfterDocument.name: query = query.start(afterDocument: document)
      case CommandOption.endAtDocument.name: query = query.end(atDocument: document)
      default: query = query.end(beforeDocument: document)
      }
    }
    return query
  }

  private static func condition(
    _ words: [String], of option: CommandOption, _ timestampFields: [String]
  ) throws -> Condition {
    let (field, symbol, text) = (words[0], words[1], words[2])
    guard let comparison = Operator(rawValue: symbol) else {
      throw UsageError.unknownOperator(symbol, known: Operator.allCases.map(\.rawValue))
    }
    let value = timestampFields.contains(field) ? Literal(timestamp: text) : Literal(text)
    guard let value else {
      throw UsageError.badTimestamp(field: field, value: text, option: "--\(option.name)")
    }
    guard value.isList || !comparison.takesList else {
      throw UsageError.notAList("--\(option.name)", comparison.rawValue, given: text)
    }
    return Condition(field: try path(field), comparison: comparison, value: value)
  }

  private static func path(_ field: String) throws -> FieldPath {
    field == "__name__" ? .documentID() : FieldPath(try DocumentImport.segments(of: field))
  }
}

extension QueryWords.Condition {
  func filter(in firestore: Firestore) -> Filter {
    let operand = value.unboxed(in: firestore)
    let list = value.unboxedList(in: firestore)
    return switch comparison {
    case .equal: .whereField(field, isEqualTo: operand)
    case .notEqual: .whereField(field, isNotEqualTo: operand)
    case .less: .whereField(field, isLessThan: operand)
    case .lessOrEqual: .whereField(field, isLessThanOrEqualTo: operand)
    case .greater: .whereField(field, isGreaterThan: operand)
    case .greaterOrEqual: .whereField(field, isGreaterThanOrEqualTo: operand)
    case .in: .whereField(field, in: list)
    case .notIn: .whereField(field, notIn: list)
    case .contains: .whereField(field, arrayContains: operand)
    case .containsAny: .whereField(field, arrayContainsAny: list)
    }
  }
}
