/// A change of one field that depends on the value it finds: the REST type `FieldTransform`.
///
/// Source: https://firebase.google.com/docs/firestore/reference/rest/v1/Write#FieldTransform
package struct FieldTransform: Hashable, Sendable {
  package enum Operation: Hashable, Sendable {
    /// The commit's time.
    case serverTimestamp
    /// Adds a number; integers saturate instead of wrapping.
    case increment(Value)
    case maximum(Value)
    case minimum(Value)
    /// Appends what is not there yet, in order.
    case arrayUnion([Value])
    /// Removes every element equal to one of these.
    case arrayRemove([Value])
  }

  package let field: FieldReference
  package let operation: Operation

  package init(_ field: FieldReference, _ operation: Operation) {
    self.field = field
    self.operation = operation
  }
}
