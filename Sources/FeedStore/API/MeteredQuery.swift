import DocumentDatabase

extension Query {
  /// What Firestore's server can do and Firebase's clients cannot. Code that uses it does not compile
  /// against Firebase, and so cannot change its meaning there without being noticed.
  public var metered: MeteredQuery { MeteredQuery(query: self) }
}

/// The server's options of a query that Firebase's clients do not offer.
public struct MeteredQuery: Sendable {
  let query: Query

  /// Skips the first `offset` documents.
  ///
  /// - Parameter offset: How many; not negative.
  /// - Returns: The query that skips them.
  /// - Cost: One read per skipped document, on each run.
  ///
  /// Source: https://firebase.google.com/docs/firestore/best-practices
  public func offset(_ offset: Int) -> Query {
    query.windowed { request throws(FirestoreErrorCode) in
      guard offset >= 0 else {
        throw .invalid("An offset must not be negative, and \(offset) is.")
      }
      request.structured.offset = offset
    }
  }

  /// Returns only the named fields, each a dotted `String` or a `FieldPath`; none for ids alone.
  ///
  /// - Parameter fields: The fields.
  /// - Returns: The query that returns these fields. Its documents can be cursors only of queries that
  ///   order by these fields.
  /// - Cost: As for whole documents.
  public func select(_ fields: [Any]) -> Query {
    query.changing { request throws(FirestoreErrorCode) in
      var references: [FieldReference] = []
      for field in fields { references.append(try FieldPath(any: field).reference.get()) }
      request.structured.select = references
    }
  }
}
