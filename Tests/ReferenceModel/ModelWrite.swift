/// One write of a commit, as it is sent to the server.
package struct ModelWrite: Hashable, Sendable {
  package var path: ModelPath
  package var operation: Operation
  package var transforms: [Transform] = []
  package var precondition: Precondition?

  package init(_ path: ModelPath, _ operation: Operation) {
    self.path = path
    self.operation = operation
  }

  package enum Operation: Hashable, Sendable {
    /// Without a mask the document becomes `fields`; with one only the paths in the mask change.
    case update(ModelFields, mask: [ModelField]?)
    case delete
  }

  package enum Precondition: Hashable, Sendable {
    case exists(Bool)
    case updateTime(Int64)
  }

  package struct Transform: Hashable, Sendable {
    package var field: ModelField
    package var kind: Kind

    package init(_ field: ModelField, _ kind: Kind) {
      self.field = field
      self.kind = kind
    }
  }

  package enum Kind: Hashable, Sendable {
    case serverTimestamp
    case increment(ModelValue)
    case maximum(ModelValue)
    case minimum(ModelValue)
    case arrayUnion([ModelValue])
    case arrayRemove([ModelValue])
  }
}

/// Why a commit was refused.
package enum ModelWriteError: Error, Hashable, Sendable {
  case notFound
  case alreadyExists
  case failedPrecondition
}

extension ModelDatabase {
  /// Applies all of `writes` in order, or none.
  package mutating func commit(_ writes: [ModelWrite], at time: Int64) throws(ModelWriteError) {
    var changed = self
    for write in writes { try changed.apply(write, at: time) }
    documents = changed.documents
  }

  private mutating func apply(_ write: ModelWrite, at time: Int64) throws(ModelWriteError) {
    let old = documents[write.path]
    switch write.precondition {
    case .exists(true)? where old == nil: throw .notFound
    case .exists(false)? where old != nil: throw .alreadyExists
    case .updateTime(let expected)? where old?.updateTime != expected: throw .failedPrecondition
    default: break
    }
    guard case .update(let fields, let mask) = write.operation else {
      documents[write.path] = nil
      return
    }
    var new = old?.fields ?? [:]
    if let mask {
      for path in mask { setValue(ReferenceModel.value(at: path, in: fields), at: path, in: &new) }
    } else {
      new = fields
    }
    for transform in write.transforms {
      let value = ReferenceModel.value(at: transform.field, in: new)
      setValue(transform.kind.applied(to: value, at: time), at: transform.field, in: &new)
    }
    if let old, identical(old.fields, new) { return }  // nothing changed: the update time stays
    documents[write.path] = Document(
      fields: new, createTime: old?.createTime ?? time, updateTime: time)
  }
}

extension ModelWrite.Kind {
  fileprivate func applied(to value: ModelValue?, at time: Int64) -> ModelValue {
    switch self {
    case .serverTimestamp: return .timestamp(microseconds: time)
    case .increment(let operand): return incremented(value, by: operand)
    case .maximum(let operand): return winner(value, operand) { $0 > 0 }
    case .minimum(let operand): return winner(value, operand) { $0 < 0 }
    case .arrayUnion(let elements):
      var result = elementsOf(value)
      for element in elements
      where !result.contains(where: { ModelOrder.areEqualInFull($0, element) }) {
        result.append(element)
      }
      return .array(result)
    case .arrayRemove(let elements):
      return .array(
        elementsOf(value).filter { old in
          !elements.contains { ModelOrder.areEqualInFull($0, old) }
        })
    }
  }

  private func elementsOf(_ value: ModelValue?) -> [ModelValue] {
    if case .array(let elements)? = value { return elements }
    return []
  }

  private func incremented(_ value: ModelValue?, by operand: ModelValue) -> ModelValue {
    switch (value, operand) {
    case (.integer(let a)?, .integer(let b)):
      let (sum, overflow) = a.addingReportingOverflow(b)
      return .integer(overflow ? (b > 0 ? .max : .min) : sum)
    case (.integer(let a)?, .double(let b)): return .double(Double(a) + b)
    case (.double(let a)?, .integer(let b)): return .double(a + Double(b))
    case (.double(let a)?, .double(let b)): return .double(a + b)
    default: return operand
    }
  }

  /// The one of the two that wins, with its type; the stored one if neither does; NaN always wins.
  private func winner(
    _ value: ModelValue?, _ operand: ModelValue, wins: (Int) -> Bool
  ) -> ModelValue {
    switch value {
    case .integer?, .double?: break
    default: return operand
    }
    guard let value else { return operand }
    if value.isNaN { return value }
    if operand.isNaN { return operand }
    return wins(ModelOrder.compare(operand, value)) ? operand : value
  }
}
