package import DocumentDatabase

/// What the writers of `CrashWriter` do, so that what they left behind can be verified.
package enum CrashHistory {
  package static let writers = 3
  package static let slots: Int64 = 20

  /// The writes of commit `number` of one writer.
  package static func commit(_ number: Int64, of writer: Int) throws -> [Write] {
    let padding = String(repeating: "x", count: Int(number * 37 % 500))
    let fields = Fields([("n", .integer(number)), ("padding", .string(padding))])
    return try ["slot\(number % slots)", "last"].map { id in
      Write(.update(try DocumentName(path: "writer\(writer)/\(id)"), fields, mask: nil))
    }
  }

  /// The newest commit of a writer that is there; 0 where there is none.
  package static func last(of writer: Int, in database: Database) throws -> Int64 {
    try number(in: "last", of: writer, in: database) ?? 0
  }

  /// What is wrong with the documents of a writer whose newest commit that is there is `last`.
  package static func problems(
    of writer: Int, last: Int64, in database: Database
  ) throws -> [String] {
    try (0..<slots).compactMap { slot in
      let newest = last - (last - slot + slots) % slots
      let expected = newest > 0 ? newest : nil
      let found = try number(in: "slot\(slot)", of: writer, in: database)
      return found == expected
        ? nil : "writer\(writer)/slot\(slot): \(found ?? 0) instead of \(expected ?? 0)"
    }
  }

  private static func number(
    in id: String, of writer: Int, in database: Database
  ) throws -> Int64? {
    let document = try database.get(try DocumentName(path: "writer\(writer)/\(id)"))
    guard case .integer(let number)? = document?.fields["n"] else { return nil }
    return number
  }
}
