import DocumentDatabase
import StorageEngine

/// Looking at a database's files without owning or changing them.
extension Firestore {
  /// What a check of a directory found.
  package struct CheckReport: Sendable {
    package let collections: Int
    package let documents: Int
    /// A sentence each; none where all is well.
    package let problems: [String]
    /// What the next opening will cut off; nil where it is nothing.
    package let notice: String?
  }

  /// Reads all of the files in `directory`, verifies every checksum, and compares the orders of the
  /// documents with the documents.
  ///
  /// - Throws: the first damage found, or why it could not be read.
  package static func check(_ directory: String) throws(FirestoreErrorCode) -> CheckReport {
    do throws(DatabaseError) {
      let (database, notice) = try Database.read(directory)
      let (census, problems) = database.check()
      return CheckReport(
        collections: census.collections, documents: census.documents, problems: problems,
        notice: notice?.description)
    } catch { throw FirestoreErrorCode(error) }
  }

  /// Hands every document that can be read to `write`, each a line of JSON as Firestore's REST interface
  /// has it.
  ///
  /// - Returns: the number of documents, and every place that could not be read.
  /// - Throws: where nothing can be tried, or what `write` throws.
  package static func salvage(
    _ directory: String, write: (String) throws -> Void
  ) throws -> (documents: Int, problems: [String]) {
    var count = 0
    do {
      let problems = try Database.salvage(directory) { document in
        count += 1
        let name = ResourceName(
          database: DatabaseName(project: "feedstore"), document: document.name)
        try write(RESTDocument.line(of: name, document.fields))
      }
      return (count, problems.map(\.description))
    } catch let error as DatabaseError { throw FirestoreErrorCode(error) }
  }
}
