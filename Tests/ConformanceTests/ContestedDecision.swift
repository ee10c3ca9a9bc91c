/// Where Firestore's own sources disagree, we choose, and say so here.
struct ContestedDecision: Sendable {
  /// Whether the product does what the case expects.
  var followsTheCase: Bool
  var reason: String

  static func decision(for vector: ConformanceCase) -> ContestedDecision {
    if let decision = table[vector.name] { return decision }
    return vector.isOutvoted
      ? follow("a rule of Google's clients for servers, which others contradict or lack")
      : follow("not decided yet")
  }

  static func isDecided(_ vector: ConformanceCase) -> Bool { table[vector.name] != nil }

  private static func follow(_ reason: String) -> ContestedDecision {
    ContestedDecision(followsTheCase: true, reason: reason)
  }

  private static func differ(_ reason: String) -> ContestedDecision {
    ContestedDecision(followsTheCase: false, reason: reason)
  }

  private static let table: [String: ContestedDecision] = {
    var table = [
      "multi-field-aggregate-drops-documents-missing-any-field":
        follow("documented: every aggregated field must be present, for the count too"),
      "grid-sum-limit-scans-in-order-of-summed-field": differ(limitedAggregation),
      "grid-average-limit-scans-in-order-of-averaged-field": differ(limitedAggregation),
      "err-not-in-with-or": differ(
        "the pages refuse NOT IN beside OR, but Google's own tests run such a query"),
      "limit-zero": follow("Apple's client refuses a limit that is not positive"),
      "limit-to-last-zero": follow("Apple's client refuses a limit that is not positive"),
      "number-negative-zero": follow(negativeZero),
      "number-negative-zero-equal": follow(negativeZero),
      "in-duplicates": follow("an index holds 1 and 1.0 under one key"),
      "eq-null-raw-fieldfilter": follow("clients send IS NULL; EQUAL null matches nothing"),
      "array-contains": follow("an index holds 42 and 42.0 under one key"),
      "name-in": follow("only documents that exist are returned, so only they are billed"),
      "order-two-fields-no-range-billing":
        follow("an order is a range field only beside another one"),
      "cursor-timestamp-truncated": follow("a cursor is a value like any other"),
      "select-fields": follow("no discount on a projection is documented"),
      "select-name-only": follow("no discount on names alone is documented"),
      "listen-limit-refill": follow(
        "the document that comes up from behind is sent, so it is billed"),
      "listen-empty": follow("a listener starts as a query, with its minimum"),
      "meter-txn-verify-only": follow("documented: what is read and not written is verified"),
      "meter-multi-range-no-result": follow("the minimum is a floor, not a surcharge"),
    ]
    for comparison in ["gt", "ge", "lt", "le"] {
      for operand in ["null", "nan"] {
        table["range-operator-\(comparison)-with-\(operand)-rejected-by-node-sdk"] = differ(
          "Apple's client sends it, and the server finds nothing in that range")
      }
    }
    return table
  }()

  private static let limitedAggregation =
    "a limit takes the first results of the query as it stands, not of an index that was chosen"
  private static let negativeZero =
    "-0.0 is level with 0.0, as in the SDKs' comparison and index encoding"
}
