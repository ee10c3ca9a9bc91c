import DocumentDatabase
import Foundation

/// What happened to a document of a result.
@frozen public enum DocumentChangeType: Int, Sendable {
  /// It came into the result.
  case added
  /// It changed in the result, and may have moved.
  case modified
  /// It left the result.
  case removed
}

/// A change of one document between two snapshots of a query.
///
/// The changes of a snapshot come in an order, removals first, then additions, then modifications, and
/// the indices of each are those after the changes before it: applied one by one to a copy of the list,
/// they make the new list.
///
/// Source: https://firebase.google.com/docs/firestore/query-data/listen#view_changes_between_snapshots
public final class DocumentChange: Sendable {
  /// What happened.
  public let type: DocumentChangeType
  /// The document as it is now; of one that was removed, as it last was in the result.
  public let document: QueryDocumentSnapshot
  /// Where the document was; `NSNotFound` for one that was added.
  public let oldIndex: UInt
  /// Where the document is now; `NSNotFound` for one that was removed.
  public let newIndex: UInt
  /// Whether the document's fields are the same as before.
  let isMetadataOnly: Bool

  init(
    _ kind: ResultChange.Kind, _ document: QueryDocumentSnapshot, from oldIndex: Int?,
    to newIndex: Int?
  ) {
    self.document = document
    self.oldIndex = UInt(oldIndex ?? NSNotFound)
    self.newIndex = UInt(newIndex ?? NSNotFound)
    isMetadataOnly = kind == .metadata
    type =
      switch kind {
      case .added: .added
      case .modified, .metadata: .modified
      case .removed: .removed
      }
  }
}

extension DocumentChange: Hashable {
  /// Whether both say the same of the same document.
  public static func == (left: DocumentChange, right: DocumentChange) -> Bool {
    left.type == right.type && left.document == right.document && left.oldIndex == right.oldIndex
      && left.newIndex == right.newIndex
  }

  /// Feeds the change to `hasher`.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(type)
    hasher.combine(document)
    hasher.combine(newIndex)
  }
}
