package import DocumentDatabase

/// What Firebase's write methods mean as writes of the database.
extension DocumentReference {
  /// A write that makes the document exactly `data`.
  package func replacing(with data: [String: Any]) -> Result<Write, FirestoreErrorCode> {
    write { name, boxing throws(FirestoreErrorCode) in
      let fields = try boxing.fields(of: data)
      try DocumentReference.refuseDeletions(boxing.deletions)
      return Write(.update(name, fields, mask: nil), transforms: boxing.transforms)
    }
  }

  /// A write that makes the document exactly what was encoded.
  func replacing(with document: EncodedDocument) -> Result<Write, FirestoreErrorCode> {
    write { name, boxing throws(FirestoreErrorCode) in
      boxing.mayHaveReferences = true
      for (field, sentinel) in document.sentinels { try boxing.add(sentinel, at: field) }
      try DocumentReference.refuseDeletions(boxing.deletions)
      return Write(.update(name, document.fields, mask: nil), transforms: boxing.transforms)
    }
  }

  /// A write that replaces the document or, with `merge`, what `data` holds.
  package func setting(
    _ data: [String: Any], merge: Bool
  ) -> Result<Write, FirestoreErrorCode> {
    guard merge else { return replacing(with: data) }
    return write(sentinels: .collectedWithLeaves) { name, boxing throws(FirestoreErrorCode) in
      let fields = try boxing.fields(of: data)
      return Write(
        .update(name, fields, mask: boxing.leaves + boxing.deletions),
        transforms: boxing.transforms)
    }
  }

  /// A write that replaces the named fields with what `data` has for them.
  package func merging(
    _ data: [String: Any], fields names: [Any]
  ) -> Result<Write, FirestoreErrorCode> {
    write { name, boxing throws(FirestoreErrorCode) in
      let fields = try boxing.fields(of: data)
      let transformed = boxing.transforms.map(\.field)
      var named: [FieldReference] = []
      var mask: [FieldReference] = []
      for field in names {
        let path = try FieldPath(any: field).reference.get()
        let isComputed = (transformed + boxing.deletions).contains { path.isPrefix(of: $0) }
        guard fields[path] != nil || isComputed else {
          throw .invalid("mergeFields names \(path), which is not in the data.")
        }
        // A transform finds the stored value, which a mask without a value would remove first.
        if !transformed.contains(path) { mask.append(path) }
        named.append(path)
      }
      return Write(
        .update(name, fields, mask: mask),
        transforms: boxing.transforms.filter { transform in
          named.contains { $0.isPrefix(of: transform.field) }
        })
    }
  }

  /// A write that changes some fields of a document that must exist.
  package func updating(_ data: [AnyHashable: Any]) -> Result<Write, FirestoreErrorCode> {
    write(.exists(true)) { name, all throws(FirestoreErrorCode) in
      var fields = Fields()
      var mask: [FieldReference] = []
      var paths: [FieldReference] = []
      var transforms: [FieldTransform] = []
      for (key, any) in data {
        let path = try FieldPath(any: key.base).reference.get()
        var boxing = Boxing(sentinels: .collected, at: path.segments)
        let value = try boxing.value(of: any)
        if boxing.mayHaveReferences { all.mayHaveReferences = true }
        if let nested = boxing.deletions.first(where: { $0 != path }) {
          throw .invalid(
            "FieldValue.delete() (in field \(nested)) can only be a direct value of updateData; "
              + "use the key \"\(nested)\".")
        }
        if let value { fields[path] = value }
        if value != nil || !boxing.deletions.isEmpty { mask.append(path) }
        transforms += boxing.transforms
        paths.append(path)
      }
      try DocumentReference.refuseOverlap(of: paths)
      return Write(.update(name, fields, mask: mask), transforms: transforms)
    }
  }

  /// A write that deletes the document.
  package func deleting() -> Result<Write, FirestoreErrorCode> {
    name.map { Write(.delete($0)) }
  }

  /// Runs `make` over one boxing pass and checks what comes out.
  private func write(
    _ precondition: Write.Precondition? = nil, sentinels: Boxing.Sentinels = .collected,
    _ make: (DocumentName, inout Boxing) throws(FirestoreErrorCode) -> Write
  ) -> Result<Write, FirestoreErrorCode> {
    do throws(FirestoreErrorCode) {
      var boxing = Boxing(sentinels: sentinels)
      var write = try make(try name.get(), &boxing)
      write.precondition = precondition
      try refuseForeignReferences(in: write, alsoFields: boxing.mayHaveReferences)
      return .success(write)
    } catch {
      return .failure(error)
    }
  }

  private static func refuseDeletions(
    _ deletions: [FieldReference]
  ) throws(FirestoreErrorCode) {
    guard let field = deletions.first else { return }
    throw .invalid(
      "FieldValue.delete() (in field \(field)) can only be used with updateData and with "
        + "setData(merge: true): setData removes all other fields anyway.")
  }

  /// Two keys of one update of which one holds the other would depend on their order.
  private static func refuseOverlap(of paths: [FieldReference]) throws(FirestoreErrorCode) {
    if paths.count < 2 { return }
    let sorted = paths.sorted { $0.precedes($1) }
    for (path, next) in zip(sorted, sorted.dropFirst()) where path.isPrefix(of: next) {
      throw .invalid("updateData names both \(path) and \(next); name only one of them.")
    }
  }

  private func refuseForeignReferences(
    in write: Write, alsoFields: Bool
  ) throws(FirestoreErrorCode) {
    if alsoFields, case .update(_, let fields, _) = write.operation {
      try firestore.refuseForeignReferences(in: .map(fields))
    }
    for transform in write.transforms {
      switch transform.operation {
      case .arrayUnion(let values), .arrayRemove(let values):
        try firestore.refuseForeignReferences(in: .array(values))
      case .serverTimestamp, .increment, .maximum, .minimum: break
      }
    }
  }
}

extension Firestore {
  /// A reference value names its database; one of another database would lead nowhere.
  func refuseForeignReferences(in value: Value) throws(FirestoreErrorCode) {
    guard let name = value.reference(outside: database.name) else { return }
    throw .invalid(
      "The reference \(name.document) is in the database \(name.database.text), "
        + "but this Firestore is \(database.name.text).")
  }
}

extension DatabaseName {
  /// The REST form.
  var text: String { "projects/\(project)/databases/\(database)" }
}
