import DocumentDatabase

/// A JSON value together with its path in the text it comes from, so that what is wrong with it can
/// be found there.
struct JSONMember {
  let value: Value
  /// Such as `indexes[2].fields[0]`; empty for the whole text.
  let path: String

  init(_ value: Value, at path: String = "") {
    self.value = value
    self.path = path
  }

  /// - Throws: `InputError.syntax` with the line and the column.
  init(_ bytes: [UInt8]) throws(InputError) {
    let text = InputText(bytes)
    do throws(JSONSyntaxError) { self.init(try JSONReader.value(of: text.bytes)) } catch {
      throw text.error(error)
    }
  }

  func problem(_ expected: String) -> RESTProblem { RESTProblem(path: path, expected: expected) }

  func problem(_ name: String, _ expected: String) -> RESTProblem {
    RESTProblem(path: path(of: name), expected: expected)
  }

  /// The members of an object, sorted by name.
  var members: [JSONMember] {
    get throws(RESTProblem) {
      try object.sorted.map { JSONMember($0.value, at: path(of: $0.name)) }
    }
  }

  var names: [String] { get throws(RESTProblem) { try object.sorted.map(\.name) } }

  /// The member `name` of an object; nil where there is none.
  subscript(name: String) -> JSONMember? {
    guard case .map(let object) = value, let member = object[name] else { return nil }
    return JSONMember(member, at: path(of: name))
  }

  func required(_ name: String) throws(RESTProblem) -> JSONMember {
    guard let member = self[name] else { throw problem(name, "there") }
    return member
  }

  /// - Throws: `RESTProblem` at the first member of the object that has another name.
  func allow(_ known: Set<String>) throws(RESTProblem) {
    for name in try names where !known.contains(name) {
      throw problem(name, "a known one; known are \(known.sorted().joined(separator: ", "))")
    }
  }

  func text(_ name: String) throws(RESTProblem) -> String {
    guard case .string(let text) = try required(name).value, !text.isEmpty else {
      throw problem(name, "text")
    }
    return text
  }

  /// The elements of the list `name`; none where it is left out.
  func list(_ name: String) throws(RESTProblem) -> [JSONMember] {
    guard let member = self[name] else { return [] }
    guard case .array(let elements) = member.value else { throw problem(name, "a list") }
    return elements.enumerated().map { JSONMember($1, at: "\(member.path)[\($0)]") }
  }

  func boolean(_ name: String) throws(RESTProblem) -> Bool? {
    guard let member = self[name] else { return nil }
    guard case .boolean(let boolean) = member.value else { throw problem(name, "true or false") }
    return boolean
  }

  /// A whole number, which REST may write as text.
  func integer(_ name: String) throws(RESTProblem) -> Int? {
    switch self[name]?.value {
    case nil: return nil
    case .integer(let integer): return Int(integer)
    case .string(let text):
      if let integer = Int(text) { return integer }
    default: break
    }
    throw problem(name, "a whole number")
  }

  func fieldPath(_ name: String) throws(RESTProblem) -> FieldReference {
    let text = try text(name)
    do throws(FieldReferenceError) { return try FieldReference(parsing: text) } catch {
      throw problem(name, "a field path: \(error)")
    }
  }

  private var object: Fields {
    get throws(RESTProblem) {
      guard case .map(let object) = value else { throw problem("an object") }
      return object
    }
  }

  private func path(of name: String) -> String { path.isEmpty ? name : "\(path).\(name)" }
}
