import DocumentDatabase
import FeedStore
import TestSupport
import Testing

/// A client that goes offline and comes back while it and another write, beside a model of dictionaries.
@Suite struct NetworkPropertyTests {
  private enum Operation: CaseIterable {
    case set, merge, update, delete
  }

  private struct Edit {
    var operation: Operation
    var id: String
    var n: Int
    var isRefused: Bool

    /// What the edit makes of a document; nil where the server would not take it.
    func applied(to documents: [String: [String: Int]]) -> [String: [String: Int]]? {
      var result = documents
      switch operation {
      case .set: result[id] = ["n": n, "refused": isRefused ? 1 : 0]
      case .merge: result[id, default: [:]]["n", default: 0] += n
      case .update:
        guard result[id] != nil else { return nil }
        result[id]?["n"] = n
      case .delete: result[id] = nil
      }
      return result
    }
  }

  private struct Model {
    var server: [String: [String: Int]] = [:]
    /// What the client sees; the server's while the network is enabled.
    var seen: [String: [String: Int]]?
    var pending: [Edit] = []
    var outcomes: [Bool] = []

    var visible: [String: [String: Int]] { seen ?? server }

    mutating func write(_ edit: Edit) {
      if let seen {
        self.seen = edit.applied(to: seen) ?? seen
        pending.append(edit)
      } else {
        send(edit)
      }
    }

    mutating func send(_ edit: Edit) {
      let isWanted = !(edit.isRefused && edit.operation == .set)
      let applied = isWanted ? edit.applied(to: server) : nil
      server = applied ?? server
      outcomes.append(applied != nil)
    }

    mutating func reconnect() {
      guard seen != nil else { return }
      seen = nil
      for edit in pending { send(edit) }
      pending = []
    }

    /// `n` of every document by its id, in the order of `n` and the id.
    func ordered() -> [(id: String, n: Int)] {
      visible.compactMap { id, fields in fields["n"].map { (id, $0) } }
        .sorted { ($0.n, $0.id) < ($1.n, $1.id) }
    }
  }

  private static let ids = "abcdefgh".map(String.init)

  @Test(arguments: Randomised.cases(40))
  func `offline and back, listeners, cache and server agree with the model`(
    _ number: Int
  ) async throws {
    var random = Randomised.generator(case: number)
    let data = Database(now: { 1_700_000_000_000_000 })
    let db = Firestore(data)
    let other = Firestore(data)
    _ = Recorder<QuerySnapshot>(other)
    db.refuseWrites = { writes in
      writes.contains { $0.isRefused } ? FirestoreErrorCode(.permissionDenied) : nil
    }
    let outcomes = Shared<[Bool]>([])
    let things = db.collection("c")
    let recorders = [
      Recorder(listeningTo: things.order(by: "n")),
      Recorder(listeningTo: things.order(by: "n").limit(to: 3)),
      Recorder(listeningTo: things.order(by: "n").limit(toLast: 2)),
      Recorder(listeningTo: things.whereField("n", isGreaterThan: 2)),
    ]
    var lists = recorders.map { _ in [String]() }
    var model = Model()
    for step in 0..<250 {
      switch Int.random(in: 0..<20, using: &random) {
      case 0:
        try await db.disableNetwork()
        model.seen = model.seen ?? model.server
      case 1:
        try await db.enableNetwork()
        model.reconnect()
      case 2..<5:
        var edit = edit(&random)
        edit.isRefused = false
        let applied = edit.applied(to: model.server)
        model.server = applied ?? model.server
        plainly { perform(edit, on: other.collection("c")) { #expect($0 == (applied != nil)) } }
        db.deliverChanges()
      default:
        let edit = edit(&random)
        model.write(edit)
        plainly { perform(edit, on: things) { taken in outcomes.change { $0.append(taken) } } }
      }
      let ordered = model.ordered()
      let expected = [
        ordered, Array(ordered.prefix(3)), ordered.suffix(2), ordered.filter { $0.n > 2 },
      ]
      for (index, recorder) in recorders.enumerated() {
        for snapshot in recorder.take() {
          lists[index] = snapshot.documentChanges.reduce(into: lists[index]) { $1.apply(to: &$0) }
          #expect(lists[index] == snapshot.documents.map(\.text))
        }
        #expect(
          lists[index] == expected[index].map { "\($0.id)\($0.n)" }, "case \(number) step \(step)")
      }
      let cached = try await things.order(by: "n").limit(to: 3).getDocuments(source: .cache)
      #expect(cached.documents.map(\.text) == expected[1].map { "\($0.id)\($0.n)" })
      #expect(outcomes.value == model.outcomes, "case \(number) step \(step)")
    }
    try await db.enableNetwork()
    model.reconnect()
    let final = try await other.collection("c").order(by: "n").getDocuments()
    #expect(final.documents.map(\.text) == model.ordered().map { "\($0.id)\($0.n)" })
  }

  private func edit(_ random: inout SeededGenerator) -> Edit {
    Edit(
      operation: Operation.allCases.randomElement(using: &random) ?? .set,
      id: NetworkPropertyTests.ids.randomElement(using: &random) ?? "a",
      n: Int.random(in: 0..<6, using: &random), isRefused: random.chance(1, of: 6))
  }

  private func perform(
    _ edit: Edit, on collection: CollectionReference, then: @escaping @Sendable (Bool) -> Void
  ) {
    let document = collection.document(edit.id)
    let completion: ((any Error)?) -> Void = { then($0 == nil) }
    switch edit.operation {
    case .set:
      document.setData(["n": edit.n, "refused": edit.isRefused ? 1 : 0], completion: completion)
    case .merge:
      document.setData(
        ["n": FieldValue.increment(edit.n)], merge: true, completion: completion)
    case .update: document.updateData(["n": edit.n], completion: completion)
    case .delete: document.delete(completion: completion)
    }
  }
}

extension Write {
  fileprivate var isRefused: Bool {
    if case .update(_, let fields, _) = operation {
      fields["refused"] == .integer(1)
    } else {
      false
    }
  }
}

extension QueryDocumentSnapshot {
  fileprivate var text: String { "\(documentID)\(self["n"] as? Int ?? -1)" }
}

extension DocumentChange {
  fileprivate func apply(to list: inout [String]) {
    if type != .added { list.remove(at: Int(oldIndex)) }
    if type != .removed { list.insert(document.text, at: Int(newIndex)) }
  }
}
