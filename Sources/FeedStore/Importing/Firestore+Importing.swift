import DocumentDatabase

extension Firestore {
  /// Stores `documents` in `collection`, as many at a time as a request holds, at most five hundred; a
  /// document that exists is replaced.
  ///
  /// - Throws: `.invalidArgument` where a name or a document breaks Firestore's rules; the batches
  ///   before stay.
  package func add(
    _ documents: some Collection<ImportedDocument>, to collection: String
  ) throws(FirestoreErrorCode) {
    let collection = try CollectionName.checked(collection).get()
    var writes: [Write] = []
    var size = 0
    for document in documents {
      let name = try DocumentName.checked("\(collection.path)/\(document.id)").get()
      let added = DocumentLimits.size(of: document.fields, named: name)
      if writes.count == 500 || size + added > 8_000_000 {
        try database.commit(writes)
        (writes, size) = ([], 0)
      }
      writes.append(Write(.update(name, document.fields, mask: nil)))
      size += added
    }
    if !writes.isEmpty { try database.commit(writes) }
  }

  /// Deletes the document `id` of `collection`.
  ///
  /// - Throws: `.invalidArgument` where the name breaks Firestore's rules.
  package func remove(_ id: String, from collection: String) throws(FirestoreErrorCode) {
    try database.commit([Write(.delete(try DocumentName.checked("\(collection)/\(id)").get()))])
  }
}

extension ImportedDocument {
  /// A copy under another id.
  package func copied(as id: String) -> ImportedDocument {
    ImportedDocument(id: id, fields: fields, line: line)
  }

  /// A copy under the same id that holds `number` in a field of its own.
  ///
  /// - Returns: nil where `name` is no field path.
  package func copied(with number: Int, as name: String) -> ImportedDocument? {
    guard let field = try? FieldReference(parsing: name) else { return nil }
    var fields = fields
    fields[field] = .integer(Int64(number))
    return ImportedDocument(id: id, fields: fields, line: line)
  }

  /// A copy under another id whose number or timestamp at `path` is `steps` units or seconds higher.
  ///
  /// - Returns: nil where the field is of another type or the sum cannot be stored.
  package func copied(as id: String, raising path: String, by steps: Int) -> ImportedDocument? {
    guard let field = try? FieldReference(parsing: path) else { return nil }
    var fields = fields
    switch fields[field] {
    case .integer(let integer)?:
      let (sum, overflow) = integer.addingReportingOverflow(Int64(steps))
      guard !overflow else { return nil }
      fields[field] = .integer(sum)
    case .double(let double)? where double.isFinite && double + Double(steps) != double:
      fields[field] = .double(double + Double(steps))
    case .timestamp(let microseconds)?:
      let sum = microseconds.addingReportingOverflow(Int64(steps) * 1_000_000)
      guard !sum.overflow, ISO8601.storableMicroseconds.contains(sum.partialValue) else {
        return nil
      }
      fields[field] = .timestamp(microseconds: sum.partialValue)
    default: return nil
    }
    return ImportedDocument(id: id, fields: fields, line: line)
  }
}
