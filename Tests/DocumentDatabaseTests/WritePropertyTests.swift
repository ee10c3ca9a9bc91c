import DocumentDatabase
import ReferenceModel
import TestSupport
import Testing

@Suite struct WritePropertyTests {
  @Test func `a database does with writes what the model does, all or none`() {
    check(WriteCase.self, cases: 800)
  }
}

/// What a client can ask to be written.
enum Operation: Sendable {
  case set(ModelPath, ModelFields)
  case merge(ModelPath, ModelFields)
  case update(ModelPath, [ModelField: ModelValue?])
  case delete(ModelPath)
  case transform(ModelPath, [ModelWrite.Transform], mustExist: Bool)
  case create(ModelPath, ModelFields)
  /// An update that is refused unless the document was last changed at the time the model knows,
  /// or, when `isStale`, before it.
  case updateIfUnchanged(ModelPath, ModelFields, isStale: Bool)

  init(using generator: inout SeededGenerator) {
    let path = ModelPath(
      text: generator.pick(["c/a", "c/b", "c/é", "c/e\u{301}", "c/a/c/x", "d/a"]))
    let fields = RandomQueries.document(&generator, wild: 0.1)
    switch generator.number(0...9) {
    case 0, 1: self = .set(path, fields)
    case 2, 3: self = .merge(path, fields)
    case 4: self = .update(path, Operation.changes(&generator))
    case 5: self = .delete(path)
    case 6: self = .create(path, fields)
    case 7: self = .updateIfUnchanged(path, fields, isStale: generator.chance(0.3))
    default:
      self = .transform(
        path, (0..<generator.number(1...3)).map { _ in Operation.transform(&generator) },
        mustExist: generator.chance(0.5))
    }
  }

  /// No path of an update may lie within another.
  private static func changes(
    _ generator: inout SeededGenerator
  ) -> [ModelField: ModelValue?] {
    var changes: [ModelField: ModelValue?] = [:]
    for field in RandomQueries.fields where generator.chance(0.4) {
      changes[field] = generator.chance(0.3) ? .some(nil) : RandomValues.any(&generator)
    }
    if generator.chance(0.2) {
      let whole = [Bytes("m".utf8)]
      changes = changes.filter { $0.key.first != whole[0] }
      changes[whole] = .map(RandomValues.fields(&generator, depth: 1))
    }
    return changes
  }

  private static func transform(_ generator: inout SeededGenerator) -> ModelWrite.Transform {
    func number() -> ModelValue {
      generator.chance(0.5)
        ? .integer(RandomValues.integer(&generator)) : .double(RandomValues.double(&generator))
    }
    func elements() -> [ModelValue] { RandomValues.elements(&generator, depth: 1) }
    let field = generator.pick(RandomQueries.fields + [RandomQueries.tags])
    let kind: ModelWrite.Kind =
      switch generator.number(0...5) {
      case 0: .serverTimestamp
      case 1: .increment(number())
      case 2: .maximum(number())
      case 3: .minimum(number())
      case 4: .arrayUnion(elements() + [.integer(1), .double(1)])
      default: .arrayRemove(elements() + [.double(1)])
      }
    return .init(field, kind)
  }

  /// The write that a client sends for this.
  func write(in model: ModelDatabase) -> ModelWrite {
    switch self {
    case .set(let path, let fields): return ModelWrite(path, .update(fields, mask: nil))
    case .merge(let path, let fields):
      return ModelWrite(path, .update(fields, mask: leaves(of: fields)))
    case .update(let path, let changes):
      var fields: ModelFields = [:]
      for (field, value) in changes { setValue(value, at: field, in: &fields) }
      var write = ModelWrite(path, .update(fields, mask: Array(changes.keys)))
      write.precondition = .exists(true)
      return write
    case .delete(let path): return ModelWrite(path, .delete)
    case .transform(let path, let transforms, let mustExist):
      var write = ModelWrite(path, .update([:], mask: []))
      write.transforms = transforms
      write.precondition = mustExist ? .exists(true) : nil
      return write
    case .create(let path, let fields):
      var write = ModelWrite(path, .update(fields, mask: nil))
      write.precondition = .exists(false)
      return write
    case .updateIfUnchanged(let path, let fields, let isStale):
      var write = ModelWrite(path, .update(fields, mask: nil))
      let known = model.documents[path]?.updateTime ?? 1_600_000_000_000_000
      write.precondition = .updateTime(isStale ? known - 1 : known)
      return write
    }
  }

  /// A merge names every leaf; an empty map is one.
  private func leaves(of fields: ModelFields, below prefix: ModelField = []) -> [ModelField] {
    fields.flatMap { name, value -> [ModelField] in
      if case .map(let inner) = value, !inner.isEmpty {
        return leaves(of: inner, below: prefix + [name])
      }
      return [prefix + [name]]
    }
  }
}

/// A sequence of commits, and queries whose indexes exist from the start.
struct WriteCase: RandomCase, CustomStringConvertible {
  var commits: [[Operation]]
  var queries: [ModelQuery]

  init(using generator: inout SeededGenerator) {
    commits = (0..<generator.number(1...25)).map { _ in
      (0..<generator.pick([1, 1, 2, 4])).map { _ in Operation(using: &generator) }
    }
    queries = []
    let empty = ModelDatabase(project: "feedstore")
    for _ in 0..<3 {
      var query = RandomQueries.query(&generator, over: empty)
      query.start = nil
      query.end = nil
      queries.append(query)
    }
  }

  var description: String {
    (commits.map { "\($0)" } + queries.map { describe($0) }).joined(separator: "\n")
  }

  func disagreement() -> String? {
    describingErrors {
      var pair = Pair(nodeCapacity: 4)
      for operations in commits {
        if let problem = try pair.apply(operations.map { $0.write(in: pair.model) }) {
          return problem
        }
        if let problem = try pair.disagreementOfContents() { return problem }
        for query in queries {
          if let problem = try pair.disagreement(on: query) { return problem }
        }
      }
      return nil
    }
  }

  var smaller: [WriteCase] {
    var results: [WriteCase] = []
    for kept in commits.shorter {
      var copy = self
      copy.commits = kept
      results.append(copy)
    }
    for kept in queries.shorter {
      var copy = self
      copy.queries = kept
      results.append(copy)
    }
    for (index, operations) in commits.enumerated() where operations.count > 1 {
      for kept in operations.shorter {
        var copy = self
        copy.commits[index] = kept
        results.append(copy)
      }
    }
    return results
  }
}
