/// Where Firestore's own sources disagree, we choose, and say so here.
struct ContestedDecision: Sendable {
  /// Whether the product does what the case expects.
  var followsTheCase: Bool
  var reason: String

  static func decision(for vector: ConformanceCase) -> ContestedDecision {
    if let decision = table[vector.name] { return decision }
    return follow("not decided yet")
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
      "idx-exempt-field": follow("a field without an index is a query without an index"),
      "meter-list-collections":
        follow("documented: one read per request; only the console's usage page counts ids"),
      "meter-multi-range-no-result": follow("the minimum is a floor, not a surcharge"),
    ]
    for (name, decision) in googleapis { table[name] = decision }
    for comparison in ["gt", "ge", "lt", "le"] {
      for operand in ["null", "nan"] {
        table["range-operator-\(comparison)-with-\(operand)-rejected-by-node-sdk"] = differ(
          "Apple's client sends it, and the server finds nothing in that range")
      }
    }
    return table
  }()

  /// Of Google's conformance tests, those that another official client contradicts or lacks.
  private static let googleapis: [String: ContestedDecision] = {
    let noCheck = "a check of the clients for servers, which Apple's client does not make"
    let unordered = "the keys of an update are a dictionary, in which a path cannot occur twice"
    return [
      "query-bad-NaN": differ("Apple's client sends it: the backend takes NaN for every operator"),
      "query-bad-null": differ(
        "Apple's client sends it: the backend takes null for every operator"),
      "set-del-nomerge": differ("Apple's client leaves out a delete that its mask does not name"),
      "set-del-nonleaf": differ("Apple's client takes a mask entry above a delete"),
      "set-merge-prefix": differ("Apple's client takes a mask that names a map and its field"),
      "update-no-paths": differ(noCheck),
      "update-paths-no-paths": differ(noCheck),
      "update-paths-fp-dup": differ(unordered),
      "update-paths-fp-dup-transforms": differ(unordered),
      "update-prefix-1": follow(conflict), "update-prefix-2": follow(conflict),
      "update-prefix-3": follow(conflict), "update-paths-prefix-1": follow(conflict),
      "update-paths-prefix-2": follow(conflict), "update-paths-prefix-3": follow(conflict),
    ]
  }()

  private static let conflict =
    "which of two paths would win in a dictionary, one within the other, is left to chance"
  private static let limitedAggregation =
    "a limit takes the first results of the query as it stands, not of an index that was chosen"
  private static let negativeZero =
    "-0.0 is level with 0.0, as in the SDKs' comparison and index encoding"
}
