import FeedStore
import Testing

/// Reading and writing `firestore.indexes.json`.
@Suite struct FirestoreIndexesTests {
  private static let recipes = """
    {
      "indexes": [
        {
          "collectionGroup": "recipes",
          "queryScope": "COLLECTION",
          "fields": [
            {"fieldPath": "cuisine", "order": "ASCENDING"},
            {"fieldPath": "createdAt", "order": "DESCENDING"}
          ]
        },
        {
          "collectionGroup": "recipes",
          "queryScope": "COLLECTION_GROUP",
          "fields": [
            {"fieldPath": "tags", "arrayConfig": "CONTAINS"},
            {"fieldPath": "stars", "order": "DESCENDING"}
          ]
        },
        {
          "collectionGroup": "recipes",
          "queryScope": "COLLECTION",
          "fields": [
            {"fieldPath": "`a.b`", "order": "ASCENDING"},
            {
              "fieldPath": "embedding",
              "vectorConfig": {
                "dimension": 768,
                "flat": {}
              }
            }
          ]
        }
      ],
      "fieldOverrides": [
        {
          "collectionGroup": "recipes",
          "fieldPath": "author",
          "indexes": [
            {"queryScope": "COLLECTION", "order": "ASCENDING"},
            {"queryScope": "COLLECTION_GROUP", "order": "ASCENDING"},
            {"queryScope": "COLLECTION", "arrayConfig": "CONTAINS"}
          ]
        },
        {
          "collectionGroup": "recipes",
          "fieldPath": "expires",
          "ttl": true,
          "indexes": []
        },
        {
          "collectionGroup": "logs",
          "fieldPath": "*",
          "indexes": []
        }
      ]
    }

    """

  @Test func `what was read is written again, byte for byte`() throws {
    #expect(
      try FirestoreIndexes(json: FirestoreIndexesTests.recipes).json
        == FirestoreIndexesTests.recipes)
  }

  @Test func `an empty file declares nothing`() throws {
    #expect(try FirestoreIndexes(json: "{}").isEmpty)
    #expect(try FirestoreIndexes(json: "{}") == FirestoreIndexes())
  }

  @Test func `the name at the end is implied, and so are the members of the standard edition`()
    throws
  {
    let long = try FirestoreIndexes(
      json: """
        {"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "apiScope": "ANY_API",
          "density": "SPARSE_ALL", "multikey": false, "fields": [
          {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "DESCENDING"},
          {"fieldPath": "__name__", "order": "DESCENDING"}]}]}
        """)
    let short = try FirestoreIndexes(
      json: """
        {"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION", "fields": [
          {"fieldPath": "a", "order": "ASCENDING"}, {"fieldPath": "b", "order": "DESCENDING"}]}]}
        """)
    #expect(long == short)
  }

  private static func index(_ fields: String, _ more: String = "") -> String {
    """
    {"indexes": [{"collectionGroup": "c", "queryScope": "COLLECTION"\(more), "fields": [\(fields)]}]}
    """
  }

  private static let a = #"{"fieldPath": "a", "order": "ASCENDING"}"#

  @Test(arguments: [
    ("[", "line 1"),
    ("[]", "it is not an object"),
    (#"{"index": []}"#, "member `index` is not a known one; known are fieldOverrides, indexes"),
    (#"{"indexes": {}}"#, "member `indexes` is not a list"),
    (#"{"indexes": [1]}"#, "member `indexes[0]` is not an object"),
    (index(""), "member `indexes[0].fields` is not a list of 1 to 100 fields"),
    (index(a), "one belongs into fieldOverrides"),
    (index("\(a), \(a)"), "member `indexes[0].fields[1]` is not named once"),
    (
      index(#"\#(a), {"fieldPath": "b", "order": "UP"}"#),
      "member `indexes[0].fields[1].order` is not ASCENDING or DESCENDING"
    ),
    (
      index(#"\#(a), {"fieldPath": "b"}"#),
      "member `indexes[0].fields[1]` is not an entry with one of order, arrayConfig"
    ),
    (
      index(#"\#(a), {"fieldPath": "b", "arrayConfig": "ANY"}"#),
      "member `indexes[0].fields[1].arrayConfig` is not CONTAINS"
    ),
    (
      index(#"\#(a), {"fieldPath": "b..c", "order": "ASCENDING"}"#),
      "member `indexes[0].fields[1].fieldPath` is not a field path"
    ),
    (
      index(
        #"{"fieldPath": "a", "arrayConfig": "CONTAINS"}, {"fieldPath": "b", "arrayConfig": "CONTAINS"}"#
      ), "with one arrayConfig at most"
    ),
    (
      index(#"\#(a), {"fieldPath": "v", "vectorConfig": {"dimension": 0, "flat": {}}}"#),
      "member `indexes[0].fields[1].vectorConfig` is not an object with a dimension"
    ),
    (index("\(a)", #", "density": "DENSE""#), "member `indexes[0].density` is not SPARSE_ALL"),
    (
      #"{"indexes": [{"collectionGroup": "c", "queryScope": "ALL", "fields": [\#(a), {"fieldPath": "b", "order": "ASCENDING"}]}]}"#,
      "member `indexes[0].queryScope` is not COLLECTION or COLLECTION_GROUP"
    ),
    (
      #"{"indexes": [{"queryScope": "COLLECTION", "fields": [\#(a), {"fieldPath": "b", "order": "ASCENDING"}]}]}"#,
      "member `indexes[0].collectionGroup` is not there"
    ),
    (
      #"{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "indexes": []}, {"collectionGroup": "c", "fieldPath": "a", "indexes": []}]}"#,
      "member `fieldOverrides[1]` is not the only override of its field"
    ),
    (
      #"{"fieldOverrides": [{"collectionGroup": "c", "fieldPath": "a", "ttl": 1, "indexes": []}]}"#,
      "member `fieldOverrides[0].ttl` is not true or false"
    ),
  ])
  func `a mistake is named with its place`(text: String, message: String) {
    let error = #expect(throws: FirestoreErrorCode.self) { try FirestoreIndexes(json: text) }
    #expect(error?.code == .invalidArgument)
    #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
  }
}
