package import DocumentDatabase
public import Foundation

/// The indexes that a database has beside the automatic ones: the content of a
/// `firestore.indexes.json`.
///
/// ```swift
/// let indexes = try FirestoreIndexes(contentsOf: URL(filePath: "firestore.indexes.json"))
/// let db = Firestore(indexes: .strict(indexes))
/// ```
///
/// Source: https://firebase.google.com/docs/reference/firestore/indexes
public struct FirestoreIndexes: Hashable, Sendable {
  package var configuration: IndexConfiguration

  /// The automatic indexes alone.
  public init() { configuration = IndexConfiguration() }

  package init(_ configuration: IndexConfiguration) { self.configuration = configuration }

  /// Reads the text of a `firestore.indexes.json`.
  ///
  /// - Parameter text: The file's content.
  /// - Throws: `FirestoreErrorCode` with `.invalidArgument` that names the place of the first mistake.
  public init(json text: String) throws {
    do throws(InputError) { self = try FirestoreIndexes(Array(text.utf8)) } catch {
      throw FirestoreErrorCode(.invalidArgument, message: "\(error)")
    }
  }

  /// Reads a `firestore.indexes.json`.
  ///
  /// - Parameter url: Where the file is.
  /// - Throws: The system's error where it cannot be read, else as `init(json:)`.
  public init(contentsOf url: URL) throws {
    try self.init(json: String(decoding: try Data(contentsOf: url), as: UTF8.self))
  }

  /// Whether there is no index but the automatic ones.
  public var isEmpty: Bool {
    configuration.indexes.isEmpty && configuration.fieldOverrides.isEmpty
  }

  /// The text of a `firestore.indexes.json` with these indexes.
  public var json: String { jsonText.pretty + "\n" }

  /// What `indexes` add, as entries to paste: a field's override is complete, as the file wants it.
  func entries(adding indexes: [CompositeIndex]) -> FirestoreIndexes {
    var all = configuration
    for index in indexes { all.add(index) }
    return FirestoreIndexes(
      IndexConfiguration(
        indexes: all.indexes.filter { !configuration.indexes.contains($0) },
        fieldOverrides: all.fieldOverrides.filter { !configuration.fieldOverrides.contains($0) }))
  }

  package var jsonText: JSONText {
    .object([
      ("indexes", .array(configuration.indexes.map(\.jsonText))),
      ("fieldOverrides", .array(configuration.fieldOverrides.map(\.jsonText))),
    ])
  }
}

extension CompositeIndex {
  package var jsonText: JSONText {
    .object([
      ("collectionGroup", .text(collectionID)), ("queryScope", .text(scope.rawValue)),
      (
        "fields",
        .array(fields.map { .object([("fieldPath", .text($0.field.text)), $0.mode.member]) })
      ),
    ])
  }
}

extension CompositeIndex.Mode {
  fileprivate var member: (String, JSONText) {
    switch self {
    case .ascending: ("order", .text("ASCENDING"))
    case .descending: ("order", .text("DESCENDING"))
    case .contains: ("arrayConfig", .text("CONTAINS"))
    case .vector(let dimension):
      ("vectorConfig", .object([("dimension", .integer(dimension)), ("flat", .object([]))]))
    }
  }
}

extension IndexConfiguration.FieldOverride {
  fileprivate var jsonText: JSONText {
    var members: [(String, JSONText)] = [
      ("collectionGroup", .text(collectionID)), ("fieldPath", .text(field?.text ?? "*")),
    ]
    if let isTimeToLive { members.append(("ttl", .boolean(isTimeToLive))) }
    let indexes = indexes.map { index in
      JSONText.object([("queryScope", .text(index.scope.rawValue)), index.mode.member])
    }
    return .object(members + [("indexes", .array(indexes))])
  }
}
