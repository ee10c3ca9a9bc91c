/// One write of a commit: the REST type `Write`.
///
/// Source: https://firebase.google.com/docs/firestore/reference/rest/v1/Write
package struct Write: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    /// Without a mask the document becomes exactly `fields`. With one, each path of the mask takes
    /// its value in `fields`, or is removed where `fields` has none, and all else stays.
    case update(DocumentName, Fields, mask: [FieldReference]?)
    case delete(DocumentName)
  }

  /// What must hold of the document before the write.
  package enum Precondition: Hashable, Sendable {
    case exists(Bool)
    case updateTime(microseconds: Int64)
  }

  package var operation: Operation
  package var transforms: [FieldTransform]
  package var precondition: Precondition?

  package init(
    _ operation: Operation, transforms: [FieldTransform] = [], precondition: Precondition? = nil
  ) {
    self.operation = operation
    self.transforms = transforms
    self.precondition = precondition
  }

  package var document: DocumentName {
    switch operation {
    case .update(let name, _, _), .delete(let name): name
    }
  }
}
