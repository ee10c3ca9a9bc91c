/// How rules are taken on which Firestore's pages are silent or contradict each other.
///
/// What is assumed about bills belongs to the meter. That -0.0 is level with 0.0, that a map within a
/// document counts its names and values only, and that a document without a parent counts none, is
/// assumed too and cannot be changed.
public struct QueryAssumptions: Hashable, Sendable {
  /// Whether a request for 0 documents, which Apple's clients refuse, returns none; otherwise it has
  /// no limit, as in the clients for servers.
  ///
  /// Source: https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredQuery
  public var zeroLimitIsEmpty = true
  /// Whether a request for fields equal to null or NaN finds nothing; otherwise it finds what the tests
  /// for null and NaN find, which clients send in its place.
  ///
  /// Source: https://firebase.google.com/docs/firestore/reference/rest/v1/StructuredQuery
  public var equalToNullIsEmpty = true
  /// Whether a range that is bounded by null or NaN finds nothing, as in Apple's clients; otherwise it
  /// is refused, as in the clients for servers.
  ///
  /// Source: https://firebase.google.com/docs/firestore/query-data/queries
  public var rangeOfNullIsEmpty = true
  /// Whether only the first value of a cursor must lie within the range of its field; otherwise all.
  ///
  /// Source: https://firebase.google.com/docs/firestore/query-data/query-cursors
  public var onlyFirstCursorValueIsChecked = true
  /// Whether indexes hold the first 1,500 bytes of a longer value; otherwise it is refused.
  ///
  /// Source: https://firebase.google.com/docs/firestore/query-data/index-overview and
  /// https://firebase.google.com/docs/firestore/understand-error-codes
  public var longIndexedValuesAreCut = true

  /// What the better documented of two ways is.
  public init() {}
}
