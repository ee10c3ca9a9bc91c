import DocumentDatabase

/// What one value encodes as. A class, because an encoding container is a reference: what is
/// written into it later still counts.
final class EncodingNode {
  typealias Member = (name: String, content: Content)

  enum Content {
    /// Nothing was encoded.
    case empty
    /// The value has no place in a document.
    case omitted
    case value(Value)
    case sentinel(FieldValue)
    case map([Member])
    case array([Content])
    /// Another node's content, once that is complete.
    case node(EncodingNode)
  }

  var content = Content.empty

  /// The node that holds the content, past those that only pass it on.
  var resolved: EncodingNode {
    if case .node(let inner) = content { inner.resolved } else { self }
  }

  func append(_ member: Content, named name: String) {
    guard case .map(var members) = content else {
      content = .map([(name, member)])
      return
    }
    content = .empty  // leaves `members` the only owner, so that it grows in place
    members.append((name, member))
    content = .map(members)
  }

  func append(_ element: Content) {
    guard case .array(var elements) = content else {
      content = .array([element])
      return
    }
    content = .empty
    elements.append(element)
    content = .array(elements)
  }
}

extension EncodedDocument {
  /// Sorts what was encoded into values and sentinels.
  ///
  /// - Throws: `EncodingError` where a sentinel is inside an array.
  init(_ members: [EncodingNode.Member]) throws {
    fields = Fields()
    sentinels = []
    fields = try fields(of: members, at: [], inArray: false)
  }

  private mutating func fields(
    of members: [EncodingNode.Member], at path: [String], inArray: Bool
  ) throws -> Fields {
    var fields: [(String, Value)] = []
    fields.reserveCapacity(members.count)
    for (name, content) in members {
      if let value = try value(of: content, at: path + [name], inArray: inArray) {
        fields.append((name, value))
      }
    }
    return Fields(fields)
  }

  private mutating func value(
    of content: EncodingNode.Content, at path: [String], inArray: Bool
  ) throws -> Value? {
    switch content {
    case .value(let value): return value
    case .empty: return .map(Fields())
    case .omitted: return nil
    case .map(let members):
      return .map(try fields(of: members, at: path, inArray: inArray))
    case .array(let elements):
      return .array(try elements.compactMap { try value(of: $0, at: path, inArray: true) })
    case .node(let node): return try value(of: node.content, at: path, inArray: inArray)
    case .sentinel(let sentinel):
      guard !inArray else {
        throw EncodingError.invalidValue(
          sentinel,
          EncodingError.Context(
            codingPath: path.map(PlainKey.init),
            debugDescription: "A FieldValue stands for a whole field; it cannot be in an array."))
      }
      sentinels.append((FieldReference(segments: path), sentinel))
      return nil
    }
  }
}

extension EncodingNode.Content {
  /// The content as `setData(_:)` takes it; nil where it has no place in a document.
  func boxed(firestore: Firestore?) -> Any? {
    switch self {
    case .value(let value): value.boxed(firestore: firestore)
    case .sentinel(let sentinel): sentinel
    case .empty: [String: Any]()
    case .omitted: nil
    case .map(let members):
      members.reduce(into: [String: Any]()) { $0[$1.name] = $1.content.boxed(firestore: firestore) }
    case .array(let elements): elements.compactMap { $0.boxed(firestore: firestore) }
    case .node(let node): node.content.boxed(firestore: firestore)
    }
  }
}
