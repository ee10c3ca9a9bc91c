import StorageEngine

/// What one write makes of the document it finds.
extension Write {
  /// The time that server timestamps become.
  enum Time {
    case commit(Int64)
    /// The server has not set it yet; this is the time here.
    case pending(Int64)
  }

  func check(_ stored: StoredDocument?) throws(DatabaseError) {
    switch precondition {
    case nil: break
    case .exists(true) where stored == nil: throw .notFound(document)
    case .exists(false) where stored != nil: throw .alreadyExists(document)
    case .updateTime(let expected) where stored?.updateTime != expected:
      throw .failedPrecondition(document, expected: expected, found: stored?.updateTime)
    default: break
    }
  }

  /// What a write makes of a document's fields.
  struct Outcome {
    var fields: Fields
    /// The paths beside which all is as before; nil where the whole document is another one.
    var touched: [FieldReference]?
    /// Whether the document is as before.
    var isSame: Bool
  }

  func outcome(
    _ fields: Fields, _ mask: [FieldReference]?, on stored: StoredDocument?, time: Time
  ) throws(DatabaseError) -> Outcome {
    guard let stored, let mask else {
      let changed = try self.fields(fields, mask, on: Fields(), time: time)
      return Outcome(fields: changed, isSame: stored?.map.isEqual(to: changed) ?? false)
    }
    let old = stored.fields
    let changed = try self.fields(fields, mask, on: old, time: time)
    let touched = mask + transforms.map(\.field)
    return Outcome(
      fields: changed, touched: touched, isSame: touched.allSatisfy { old[$0] == changed[$0] })
  }

  private func fields(
    _ fields: Fields, _ mask: [FieldReference]?, on old: Fields, time: Time
  ) throws(DatabaseError) -> Fields {
    var changed = fields
    if let mask {
      changed = old
      for path in mask { changed[path] = fields[path] }
    }
    for transform in transforms {
      let current = changed[transform.field]
      do throws(WriteError) {
        changed[transform.field] =
          switch (transform.operation, time) {
          case (.serverTimestamp, .pending(let time)):
            PendingTimestamp(localWriteTime: time, replacing: current).value
          case (_, .commit(let time)), (_, .pending(let time)):
            try transform.apply(to: current, commitTime: time)
          }
      } catch { throw .write(error, document) }
    }
    return changed
  }

  /// The document as this write, which the server has not seen, makes it look at `time`. A write that
  /// the server would refuse changes nothing.
  package func preview(on stored: StoredDocument?, time: Int64) -> StoredDocument? {
    guard (try? check(stored)) != nil else { return stored }
    switch operation {
    case .delete: return nil
    case .update(let name, let fields, let mask):
      let old = mask == nil ? nil : stored?.fields
      guard
        let changed = try? self.fields(fields, mask, on: old ?? Fields(), time: .pending(time))
      else { return stored }
      return StoredDocument(
        name: name, createTime: stored?.createTime ?? time, updateTime: stored?.updateTime ?? 0,
        fields: changed)
    }
  }
}

/// A document as it was read: its update time, nil where there was none.
package struct DocumentVersion: Hashable, Sendable {
  package let name: DocumentName
  package let updateTime: Int64?

  package init(name: DocumentName, updateTime: Int64?) {
    self.name = name
    self.updateTime = updateTime
  }
}
