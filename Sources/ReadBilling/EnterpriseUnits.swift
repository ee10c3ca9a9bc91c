/// What Firestore's Enterprise edition counts in place of documents: units of bytes.
///
/// Source: <https://docs.cloud.google.com/firestore/native/docs/editions-overview>
public enum EnterpriseUnits {
  /// The bytes of one read unit.
  public static let bytesPerReadUnit = 4_096
  /// The bytes of one write unit.
  public static let bytesPerWriteUnit = 1_024

  /// The read units of a look-up of one document: its size is rounded up by itself.
  ///
  /// - Parameter bytes: the size of the document.
  /// - Returns: the units, at least one.
  public static func get(bytes: Int) -> Int {
    max(1, BillingRules.batches(bytes, of: bytesPerReadUnit))
  }

  /// The read units of a query: the sizes are added up before they are rounded up.
  ///
  /// - Parameter bytes: the sizes of all documents and index entries that the query read, together.
  /// - Returns: the units, at least one.
  public static func query(bytes: Int) -> Int {
    max(1, BillingRules.batches(bytes, of: bytesPerReadUnit))
  }

  /// The write units of one written document.
  ///
  /// - Parameter bytes: the size of the document.
  /// - Returns: the units, at least one.
  public static func write(bytes: Int) -> Int {
    max(1, BillingRules.batches(bytes, of: bytesPerWriteUnit))
  }
}
