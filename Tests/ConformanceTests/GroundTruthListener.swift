import DocumentDatabase
import FeedStore

/// Judges a `listen` case of `ground-truth.json`: what a listener hears at first and after each step.
extension GroundTruthJudge {
  func listen() async throws -> Comparison {
    var expected: [String] = []
    var got: [String] = []
    let events = try await events()
    try note(try json.required("initial"), events(), &expected, &got)
    for step in try json.required("steps").elements() {
      try step.onlyMembers(["writes", "event", "batch"])
      let writes = try step.required("writes").elements().map {
        try GroundTruthWrite($0, in: client.firestore)
      }
      if try step["batch"]?.boolean() ?? false {
        try await commit(try step.required("writes").elements())
      } else {
        for write in writes { try await write.perform(stale: nil) }
      }
      try note(try step.required("event"), events(), &expected, &got)
    }
    return Comparison(expected.joined(separator: "; "), got.joined(separator: "; "))
  }

  private enum Heard {
    case query(QuerySnapshot)
    case document(DocumentSnapshot)
  }

  /// Begins to listen; answers what gives the events since the last call.
  private func events() async throws -> () -> [Heard] {
    if let path = try json["document"]?.text() {
      let log = ListenerLog<DocumentSnapshot>(client.firestore)
      client.firestore.document(path).addSnapshotListener { snapshot, _ in log.hear(snapshot) }
      return { log.take().map { .document($0) } }
    }
    let query = try await GroundTruthQuery(firestore: client.firestore)
      .query(try json.required("query"))
    let log = ListenerLog<QuerySnapshot>(client.firestore)
    query.addSnapshotListener { snapshot, _ in log.hear(snapshot) }
    return { log.take().map { .query($0) } }
  }

  /// The API has no batch with `create`; all of its writes at once are what it stands for.
  private func commit(_ writes: [JSON]) async throws {
    let batch = client.firestore.batch()
    for write in writes {
      let isCreation = try write.required("op").text() == "create"
      let members = try write.members().map {
        ($0.name, isCreation && $0.name == "op" ? JSON.string("set") : $0.value)
      }
      try GroundTruthWrite(.object(members), in: client.firestore).add(to: batch)
    }
    try await batch.commit()
  }

  private func note(
    _ event: JSON, _ heard: [Heard], _ expected: inout [String], _ got: inout [String]
  ) throws {
    if case .null = event {
      expected.append("nothing")
      got.append(heard.isEmpty ? "nothing" : "\(heard.count) events")
      return
    }
    try event.onlyMembers(["ids", "changes", "documents", "exists", "data"])
    guard heard.count == 1, let only = heard.first else {
      expected.append("one event")
      got.append("\(heard.count) events")
      return
    }
    var wanted: [String] = []
    var found: [String] = []
    switch only {
    case .query(let snapshot):
      wanted.append(Client.list(try event.required("ids").elements().map { try $0.text() }))
      found.append(Client.list(snapshot.documents.map(\.documentID)))
      for (index, change) in try (event["changes"]?.elements() ?? []).enumerated() {
        let mine = index < snapshot.documentChanges.count ? snapshot.documentChanges[index] : nil
        wanted.append(try text(of: change))
        found.append(mine.map { text(of: $0, like: change) } ?? "no change")
      }
      if let changes = try event["changes"]?.elements() {
        wanted.append("\(changes.count) changes")
        found.append("\(snapshot.documentChanges.count) changes")
      }
      for (id, fields) in try event["documents"]?.members() ?? [] {
        let document = snapshot.documents.first { $0.documentID == id }
        wanted.append("\(id) \(try Fields(rest: fields))")
        found.append("\(id) \(document?.stored?.fields ?? Fields())")
      }
    case .document(let snapshot):
      wanted.append("\(try event.required("exists").boolean())")
      found.append("\(snapshot.exists)")
      if let data = event["data"] {
        wanted.append("\(try Fields(rest: data))")
        found.append("\(snapshot.stored?.fields ?? Fields())")
      }
    }
    expected.append(wanted.joined(separator: ", "))
    got.append(found.joined(separator: ", "))
  }

  private func text(of change: JSON) throws -> String {
    try change.onlyMembers(["type", "id", "oldIndex", "newIndex"])
    let start = "\(try change.required("type").text()) \(try change.required("id").text())"
    guard let old = change["oldIndex"], let new = change["newIndex"] else { return start }
    return "\(start) \(try old.integer())>\(try new.integer())"
  }

  /// As much as the case says of a change.
  private func text(of change: DocumentChange, like json: JSON) -> String {
    json["oldIndex"] == nil ? "\(change.type) \(change.document.documentID)" : change.text
  }
}
