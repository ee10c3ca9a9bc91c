/// What the product cannot be asked yet. A case named here is reported with its reason and is never
/// counted as passed.
enum NotYetCovered {
  static func reason(for vector: ConformanceCase) -> String? {
    switch vector.kind {
    case "meter": meterReason(for: vector)
    default: nil
    }
  }

  private static func meterReason(for vector: ConformanceCase) -> String? {
    guard case .string(let operation)? = vector.json["query"]?["meter"]?["op"] else { return nil }
    switch operation {
    case "findNearest": return "there is no vector search yet"
    case "listCollectionIds": return "collections cannot be listed yet"
    case "get" where vector.json["query"]?["meter"]?["rulesDependentDocs"] != nil:
      return "there are no security rules"
    default: return nil
    }
  }
}
