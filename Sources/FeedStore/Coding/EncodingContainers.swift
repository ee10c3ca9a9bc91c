import DocumentDatabase

/// A map, written by the keys of a type.
struct FieldsEncodingContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
  private let encoder: ValueEncoder

  init(of encoder: ValueEncoder) { self.encoder = encoder }

  var codingPath: [any CodingKey] { encoder.codingPath }

  private func add(_ content: EncodingNode.Content, at key: some CodingKey) {
    encoder.node.append(content, named: name(of: key))
  }

  private func name(of key: some CodingKey) -> String {
    if encoder.keepsNames { return key.stringValue }
    return encoder.context.options.keyEncodingStrategy.name(for: key, in: encoder.codingPath)
  }

  private func child(at key: some CodingKey) -> ValueEncoder {
    let child = encoder.child(at: key)
    add(.node(child.node), at: key)
    return child
  }

  mutating func encodeNil(forKey key: Key) throws { add(.value(.null), at: key) }

  mutating func encode<T: Encodable>(_ value: T, forKey key: Key) throws {
    add(try encoder.content(of: value, at: key), at: key)
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type, forKey key: Key
  ) -> KeyedEncodingContainer<Nested> {
    child(at: key).container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
    child(at: key).unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { child(at: PlainKey("super")) }

  mutating func superEncoder(forKey key: Key) -> any Encoder { child(at: key) }
}

/// An array, written in order.
struct ElementsEncodingContainer: UnkeyedEncodingContainer {
  private let encoder: ValueEncoder
  private(set) var count = 0

  init(of encoder: ValueEncoder) { self.encoder = encoder }

  var codingPath: [any CodingKey] { encoder.codingPath }

  private mutating func add(_ content: EncodingNode.Content) {
    encoder.node.append(content)
    count += 1
  }

  private mutating func child() -> ValueEncoder {
    let child = encoder.child(at: PlainKey(index: count))
    add(.node(child.node))
    return child
  }

  mutating func encodeNil() throws { add(.value(.null)) }

  mutating func encode<T: Encodable>(_ value: T) throws {
    add(try encoder.content(of: value, at: PlainKey(index: count)))
  }

  mutating func nestedContainer<Nested: CodingKey>(
    keyedBy type: Nested.Type
  ) -> KeyedEncodingContainer<Nested> {
    child().container(keyedBy: type)
  }

  mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
    child().unkeyedContainer()
  }

  mutating func superEncoder() -> any Encoder { child() }
}
