import StorageEngine

/// Firestore compares strings by their UTF-8 bytes. Swift's `==`, `<` and `hash(into:)` compare by
/// canonical equivalence instead ("é" typed as one scalar or as two is the same Swift string), so
/// every name and every string value in this module is compared through these members.
///
/// Source: https://firebase.google.com/docs/firestore/manage-data/data-types
extension String {
  /// Whether both strings consist of the same UTF-8 bytes.
  package func hasSameBytes(as other: String) -> Bool {
    utf8.count == other.utf8.count && starts(withBytesOf: other)
  }

  /// Whether this string sorts strictly before `other`, byte by byte, a proper prefix first.
  package func precedesInBytes(_ other: String) -> Bool {
    orderInBytes(before: other) < 0
  }
}
