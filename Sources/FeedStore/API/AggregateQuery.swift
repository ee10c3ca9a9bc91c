package import DocumentDatabase
public import Foundation
public import ReadBilling

/// Something to compute over the documents of a query.
public final class AggregateField: Sendable {
  package enum Kind: Hashable, Sendable {
    case count
    case sum(FieldPath)
    case average(FieldPath)
    /// As a REST request has it, with an alias of its own.
    case requested(Aggregation)
  }

  package let kind: Kind

  package init(_ kind: Kind) { self.kind = kind }

  /// How many documents there are.
  public static func count() -> AggregateField { counting }

  private static let counting = AggregateField(.count)
  fileprivate static let countAlias = "count()"

  /// The sum of a field, given as a dotted name, over the documents in which it is a number.
  public static func sum(_ field: String) -> AggregateField { sum(FieldPath(dotted: field)) }

  /// The sum of a field over the documents in which it is a number.
  public static func sum(_ path: FieldPath) -> AggregateField { AggregateField(.sum(path)) }

  /// The average of a field, given as a dotted name, over the documents in which it is a number.
  public static func average(_ field: String) -> AggregateField {
    average(FieldPath(dotted: field))
  }

  /// The average of a field over the documents in which it is a number.
  public static func average(_ path: FieldPath) -> AggregateField { AggregateField(.average(path)) }

  /// The computation for the database; its readable alias is also the key of its value.
  package var aggregation: Aggregation {
    get throws(FirestoreErrorCode) {
      switch kind {
      case .count: return Aggregation(alias: AggregateField.countAlias, .count())
      case .sum(let path):
        let field = try path.reference.get()
        return Aggregation(alias: "sum(\(field))", .sum(field))
      case .average(let path):
        let field = try path.reference.get()
        return Aggregation(alias: "average(\(field))", .average(field))
      case .requested(let aggregation): return aggregation
      }
    }
  }
}

extension AggregateField {
  /// What the value is called; nil for a field that cannot be.
  package var name: String? { try? aggregation.alias }
}

extension AggregateField: Hashable {
  /// Whether both compute the same.
  public static func == (left: AggregateField, right: AggregateField) -> Bool {
    left.kind == right.kind
  }

  /// Feeds what is computed to `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(kind) }
}

extension Query {
  /// Counts the documents of this query without reading them.
  public var count: AggregateQuery { aggregate([AggregateField.count()]) }

  /// Computes sums, averages and counts over the documents of this query without reading them.
  public func aggregate(_ aggregateFields: [AggregateField]) -> AggregateQuery {
    AggregateQuery(query: self, fields: aggregateFields)
  }
}

/// Computations over the documents of a query.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/aggregation-queries
public final class AggregateQuery: Sendable {
  /// The query whose documents are counted.
  public let query: Query
  package let fields: [AggregateField]

  init(query: Query, fields: [AggregateField]) {
    self.query = query
    self.fields = fields
  }

  /// Computes the aggregates.
  ///
  /// - Parameter source: The server; there is no other.
  /// - Returns: The values.
  /// - Throws: `FirestoreErrorCode` with `.invalidArgument` for the first mistake in the query,
  ///   `.unavailable` while the network is disabled.
  /// - Cost: One read per 1,000 index entries, begun thousands included; at least one.
  @discardableResult
  public func getAggregation(source: AggregateSource) async throws -> AggregateQuerySnapshot {
    try snapshot().get()
  }

  /// Computes the aggregates before it returns, and calls `completion` with them on the settings'
  /// queue.
  ///
  /// - Parameters:
  ///   - source: The server; there is no other.
  ///   - completion: Receives the values or the error.
  public func getAggregation(
    source: AggregateSource,
    completion: @escaping (AggregateQuerySnapshot?, (any Error)?) -> Void
  ) {
    query.firestore.call(completion, with: snapshot())
  }

  /// The computations for the database, each once.
  func aggregations() throws(FirestoreErrorCode) -> [Aggregation] {
    guard !fields.isEmpty else {
      throw .invalid("aggregate(_:) needs at least one AggregateField.")
    }
    var aggregations: [Aggregation] = []
    for field in fields {
      let aggregation = try field.aggregation
      if !aggregations.contains(where: { $0.alias == aggregation.alias }) {
        aggregations.append(aggregation)
      }
    }
    return aggregations
  }

  private func snapshot() -> Result<AggregateQuerySnapshot, FirestoreErrorCode> {
    do throws(FirestoreErrorCode) {
      let canonical = try query.canonical(forAggregation: true)
      guard try query.firestore.engine.begin() else {
        throw .offline("Failed to aggregate on the server")
      }
      let (result, billed) = try query.firestore.database.aggregate(canonical, aggregations())
      return .success(
        AggregateQuerySnapshot(query: self, values: result.values, billedReads: billed))
    } catch {
      return .failure(error)
    }
  }
}

extension AggregateQuery: Hashable {
  /// Whether both compute the same over the same query.
  public static func == (left: AggregateQuery, right: AggregateQuery) -> Bool {
    left.query == right.query && left.fields == right.fields
  }

  /// Feeds the query and what is computed to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(query)
    hasher.combine(fields)
  }
}

/// What an aggregate query computed.
public final class AggregateQuerySnapshot: Sendable {
  /// The query that was run.
  public let query: AggregateQuery
  /// What this result was billed, and why.
  public let billedReads: BilledReads
  private let values: AggregateValues

  init(query: AggregateQuery, values: AggregateValues, billedReads: BilledReads) {
    self.query = query
    self.values = values
    self.billedReads = billedReads
  }

  /// The number of documents; -1 if `AggregateField.count()` was not among the fields asked for,
  /// which raises in Firebase.
  public var count: NSNumber {
    guard case .integer(let count)? = values[AggregateField.countAlias] else { return -1 }
    return NSNumber(value: count)
  }

  func value(named alias: String) -> Value? { values[alias] }

  /// The value of one of the fields asked for: an `NSNumber`, or `NSNull` for the average of nothing.
  ///
  /// - Parameter aggregateField: One of the fields given to `aggregate(_:)`.
  /// - Returns: The value; `NSNull` also for a field that was not asked for, which raises in Firebase.
  public func get(_ aggregateField: AggregateField) -> Any {
    guard let alias = try? aggregateField.aggregation.alias, let value = values[alias] else {
      return NSNull()
    }
    return value.unboxed(in: query.query.firestore)
  }
}

extension AggregateQuerySnapshot: Hashable {
  /// Whether both have the same values for the same query.
  public static func == (left: AggregateQuerySnapshot, right: AggregateQuerySnapshot) -> Bool {
    left.query == right.query && left.values == right.values
  }

  /// Feeds the values to `hasher`.
  public func hash(into hasher: inout Hasher) { hasher.combine(values) }
}
