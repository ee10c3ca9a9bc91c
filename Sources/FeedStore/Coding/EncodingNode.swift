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
  /// What surrounds a value.
  private enum Surroundings {
    case maps, array
    /// A map that an array holds.
    case mapInArray

    /// What surrounds the values of a map that is surrounded by this.
    var ofMap: Surroundings { self == .maps ? .maps : .mapInArray }
  }

  /// Sorts what was encoded into values and sentinels.
  ///
  /// - Throws: `EncodingError` where a sentinel or an array is inside an array, or a field has no
  ///   name.
  init(_ members: [EncodingNode.Member]) throws {
    fields = Fields()
    sentinels = []
    fields = try fields(of: members, at: [], in: .maps)
  }

  private mutating func fields(
    of members: [EncodingNode.Member], at path: [String], in surroundings: Surroundings
  ) throws -> Fields {
    var fields: [(String, Value)] = []
    fields.reserveCapacity(members.count)
    for (name, content) in members {
      guard !name.isEmpty else {
        throw EncodedDocument.invalid(name, at: path, "A field name is empty.")
      }
      if let value = try value(of: content, at: path + [name], in: surroundings) {
        fields.append((name, value))
      }
    }
    return Fields(fields)
  }

  private mutating func value(
    of content: EncodingNode.Content, at path: [String], in surroundings: Surroundings
  ) throws -> Value? {
    switch content {
    case .value(let value): return value
    case .empty: return .map(Fields())
    case .omitted: return nil
    case .node(let node): return try value(of: node.content, at: path, in: surroundings)
    case .map(let members):
      return .map(try fields(of: members, at: path, in: surroundings.ofMap))
    case .array(let elements):
      if case .array = surroundings {
        throw EncodedDocument.invalid(
          elements, at: path, "Nested arrays are not supported; put the inner array into a map.")
      }
      return .array(try elements.compactMap { try value(of: $0, at: path, in: .array) })
    case .sentinel(let sentinel):
      guard case .maps = surroundings else {
        throw EncodedDocument.invalid(
          sentinel, at: path, "FieldValue.\(sentinel.call) is not supported inside arrays.")
      }
      sentinels.append((FieldReference(segments: path), sentinel))
      return nil
    }
  }

  private static func invalid(_ value: Any, at path: [String], _ problem: String) -> EncodingError {
    .invalidValue(
      value,
      EncodingError.Context(codingPath: path.map(PlainKey.init), debugDescription: problem))
  }
}
