import DocumentDatabase
import FeedStore

/// Judges the listener scripts of `vectors.json`: what is heard, and what it is billed, step by step.
extension ReferenceVectorJudge {
  func listen() async throws -> Comparison {
    let firestore = client.firestore
    let log = ListenerLog<QuerySnapshot>(firestore)
    if let keeps = try json["persistence"]?.boolean() {
      let settings = firestore.settings
      settings.isPersistenceEnabled = keeps
      firestore.settings = settings
    }
    let query = try VectorQuery(try json.required("query"), client: client, documents: [])
    var expected: [String] = []
    var got: [String] = []
    for step in try json.required("steps").elements() {
      try step.onlyMembers([
        "do", "id", "fields", "ops", "minutes", "snapshot", "changes", "reads",
      ])
      firestore.readMeter.reset()
      try await perform(step, query, log)
      let heard = log.take()
      if let reads = step["reads"] {
        expected.append("\(try reads.integer()) reads")
        got.append("\(firestore.readMeter.total) reads")
      }
      if let changes = try step["changes"]?.elements() {
        expected.append(Client.list(try changes.map { try $0.text() }))
        got.append(Client.list(heard.flatMap(\.documentChanges).map(\.text)))
      }
      if let snapshot = try step["snapshot"]?.elements(), let last = heard.last {
        expected.append(Client.list(try snapshot.map { try $0.text() }))
        got.append(Client.list(last.documents.map(\.documentID)))
      }
    }
    return Comparison(expected.joined(separator: "; "), got.joined(separator: "; "))
  }

  private func perform(
    _ step: JSON, _ query: VectorQuery, _ log: ListenerLog<QuerySnapshot>
  ) async throws {
    let firestore = client.firestore
    switch try step.required("do").text() {
    case "listen":
      try await query.query().addSnapshotListener { snapshot, _ in log.hear(snapshot) }
    case "set", "update", "delete":
      let batch = firestore.batch()
      try add(
        try step.required("do").text(), try step.required("id").text(), step["fields"], to: batch)
      try await batch.commit()
    case "batch":
      let batch = firestore.batch()
      for operation in try step.required("ops").elements() {
        for (name, id) in try operation.members() where name != "fields" {
          try add(name, try id.text(), operation["fields"], to: batch)
        }
      }
      try await batch.commit()
    case "disconnect":
      try await firestore.disableNetwork()
      client.clock.advance(minutes: try step.required("minutes").integer())
    case "remoteUpdate":
      let path = VectorQuery.path(of: try step.required("id").text())
      let other = Firestore(firestore.database.database)
      try await other.document(path).updateData(try changes(step["fields"]))
    case "reconnect": try await firestore.enableNetwork()
    case let other: throw NotUnderstood("step \(other)")
    }
  }

  private func add(_ kind: String, _ id: String, _ fields: JSON?, to batch: WriteBatch) throws {
    let document = client.firestore.document(VectorQuery.path(of: id))
    switch kind {
    case "delete": batch.deleteDocument(document)
    case "update": batch.updateData(try changes(fields), forDocument: document)
    case "set":
      let fields = try Fields(rest: fields ?? .object([]))
      let data = Value.map(fields).unboxed(in: client.firestore) as? [String: Any]
      batch.setData(data ?? [:], forDocument: document)
    default: throw NotUnderstood("write \(kind)")
    }
  }

  private func changes(_ fields: JSON?) throws -> [AnyHashable: Any] {
    var changes: [AnyHashable: Any] = [:]
    for field in try Fields(rest: fields ?? .object([])).sorted {
      changes[field.name] = field.value.unboxed(in: client.firestore)
    }
    return changes
  }

  /// A transaction that reads so many documents and writes some of them.
  func transaction(_ meter: JSON) async throws -> Int {
    try meter.onlyMembers(["op", "reads", "writtenOfThose", "sdk", "attempts"])
    let firestore = client.firestore
    let reads = try meter.required("reads").integer()
    let written = try meter.required("writtenOfThose").integer()
    guard try meter.required("attempts").integer() == 1 else { throw NotUnderstood("attempts") }
    try await firestore.runTransaction { transaction, _ in
      let documents = (0..<reads).map { firestore.document("c/\($0)") }
      for document in documents { _ = try? transaction.getDocument(document) }
      for document in documents.prefix(written) {
        transaction.setData(["a": 1], forDocument: document)
      }
      return nil
    }
    return firestore.readMeter.total
  }
}
