import DocumentDatabase
import FeedStore

/// Judges a `listen` test of Google's. Its messages of the Watch protocol become what a store is told: a
/// changed document is written, a removed one deleted, and a read time, once the target is current,
/// commits what came since the last one.
extension ProtocolTestJudge {
  func listen() async throws -> Comparison {
    guard !ProtocolTestJudge.aboutTheProtocol.contains(vector.name) else {
      throw NotExpressible(reason: "only a message of the Watch protocol decides it")
    }
    var script = WatchScript(firestore: Firestore(name: DatabaseName(project: "projectID")))
    for message in try json.required("responses").elements() { try script.receive(message) }
    let expected = try (json["snapshots"]?.elements() ?? []).map { try text(of: $0) }
    return Comparison(expected.joined(separator: "; "), script.heard.joined(separator: "; "))
  }

  private static let aboutTheProtocol: Set = [
    "listen-nomod", "listen-target-add-wrong-id", "listen-target-remove",
  ]

  private func text(of snapshot: JSON) throws -> String {
    let documents = try (snapshot["docs"]?.elements() ?? []).map { document in
      let path = try ProtocolTestJudge.path(try document.required("name").text())
      return "\(path) \(try fields(of: document))"
    }
    let changes = try (snapshot["changes"]?.elements() ?? []).map { change in
      let name = try change.required("doc").required("name").text()
      let old = try change["oldIndex"]?.integer() ?? 0
      let new = try change["newIndex"]?.integer() ?? 0
      let id = try ProtocolTestJudge.path(name).split(separator: "/").last ?? ""
      return "\(try change.required("kind").text().lowercased()) \(id) \(old)>\(new)"
    }
    return (documents + changes).joined(separator: ", ")
  }

  private func fields(of document: JSON) throws -> Fields {
    try document["fields"].map { try Fields(rest: $0) } ?? Fields()
  }
}

/// What the messages so far came to.
private struct WatchScript {
  let firestore: Firestore
  private(set) var heard: [String] = []
  private var pending: [Write] = []
  private var known: Set<String> = []
  private var isCurrent = false
  private var log: ListenerLog<QuerySnapshot>?

  init(firestore: Firestore) { self.firestore = firestore }

  mutating func receive(_ message: JSON) throws {
    let (kind, content) = try message.choice()
    switch kind {
    case "documentChange":
      let document = try content.required("document")
      let path = try ProtocolTestJudge.path(try document.required("name").text())
      if content["removedTargetIds"] != nil {
        try remove(path)
      } else {
        known.insert(path)
        let fields = try document["fields"].map { try Fields(rest: $0) } ?? Fields()
        pending.append(Write(.update(try DocumentName(path: path), fields, mask: nil)))
      }
    case "documentDelete", "documentRemove":
      try remove(try ProtocolTestJudge.path(try content.required("document").text()))
    case "targetChange": try receive(targetChange: content)
    case "filter": break
    default: throw NotUnderstood("message \(kind)")
    }
  }

  private mutating func remove(_ path: String) throws {
    pending.append(Write(.delete(try DocumentName(path: path))))
  }

  private mutating func receive(targetChange: JSON) throws {
    switch try targetChange["targetChangeType"]?.text() {
    case "CURRENT": isCurrent = true
    case "RESET":
      isCurrent = false
      for path in known.sorted() { try remove(path) }
    default: break
    }
    if isCurrent && targetChange["readTime"] != nil { try commit() }
  }

  private mutating func commit() throws {
    try firestore.database.commit(pending)
    pending = []
    if log == nil {
      let log = ListenerLog<QuerySnapshot>(firestore)
      firestore.collection("C").order(by: "a").addSnapshotListener { snapshot, _ in
        log.hear(snapshot)
      }
      self.log = log
    }
    heard += (log?.take() ?? []).map { snapshot in
      let documents = snapshot.documents.map {
        "\($0.reference.path) \($0.stored?.fields ?? Fields())"
      }
      return (documents + snapshot.documentChanges.map(\.text)).joined(separator: ", ")
    }
  }
}
