import FeedStore
import Testing

@Suite struct WriteTests {
  let db = Firestore.fresh()
  var document: DocumentReference { db.document("c/d") }

  private func fields() async throws -> [String: Int] {
    try await document.getDocument().data()?.compactMapValues { $0 as? Int } ?? [:]
  }

  private func mistake(_ body: () async throws -> Void) async -> String {
    do {
      try await body()
      return "no error"
    } catch let error as FirestoreErrorCode {
      return error.message
    } catch {
      return "\(error)"
    }
  }

  @Test func `setData replaces and merge keeps`() async throws {
    try await document.setData(["a": 1, "b": 2])
    try await document.setData(["c": 3])
    #expect(try await fields() == ["c": 3])
    try await document.setData(["a": 4], merge: true)
    #expect(try await fields() == ["a": 4, "c": 3])
    try await document.setData(["d": 5], merge: false)
    #expect(try await fields() == ["d": 5])
  }

  @Test func `merge goes into maps, and an empty map replaces`() async throws {
    try await document.setData(["m": ["a": 1, "b": ["x": 1]], "n": ["y": 1]])
    try await document.setData(
      ["m": ["b": ["z": 2], "gone": FieldValue.delete()], "n": [String: Any]()], merge: true)
    let snapshot = try await document.getDocument()
    #expect(snapshot["m.a"] as? Int == 1)
    #expect(snapshot["m.b.x"] as? Int == 1)
    #expect(snapshot["m.b.z"] as? Int == 2)
    #expect((snapshot["n"] as? [String: Any])?.isEmpty == true)
    try await document.setData(["m": ["b": FieldValue.delete()]], merge: true)
    #expect(try await document.getDocument()["m.b"] == nil)
    #expect(try await document.getDocument()["m.a"] as? Int == 1)
  }

  @Test func `merge with a sentinel alone in a map leaves the map`() async throws {
    try await document.setData(["m": ["a": 1]])
    try await document.setData(["m": ["n": FieldValue.increment(2)]], merge: true)
    let snapshot = try await document.getDocument()
    #expect(snapshot["m.a"] as? Int == 1)
    #expect(snapshot["m.n"] as? Int == 2)
  }

  @Test func `mergeFields writes the named fields of the data only`() async throws {
    try await document.setData(["a": 1, "b": 1, "n": 1])
    try await document.setData(
      ["a": 2, "b": 2, "n": FieldValue.increment(5), "m": ["x": 2, "y": 2]],
      mergeFields: ["a", "n", FieldPath(["m", "x"])])
    #expect(try await fields() == ["a": 2, "b": 1, "n": 6])
    #expect(try await document.getDocument()["m.y"] == nil)
    let words = await mistake { try await document.setData(["a": 1], mergeFields: ["z"]) }
    #expect(words.contains("mergeFields names z"))
    let type = await mistake { try await document.setData(["a": 1], mergeFields: [7]) }
    #expect(type.contains("not by Int"))
  }

  @Test func `updateData changes paths of an existing document`() async throws {
    try await document.setData(["m": ["a": 1, "b": 1], "gone": 1, "list": ["x"]])
    try await document.updateData([
      "m.a": 2, FieldPath(["dot.ted"]): 3, "gone": FieldValue.delete(),
      "list": FieldValue.arrayUnion(["x", "y"]), "new": ["n": FieldValue.increment(4), "o": 5],
    ])
    let snapshot = try await document.getDocument()
    #expect(snapshot["m.a"] as? Int == 2)
    #expect(snapshot["m.b"] as? Int == 1)
    #expect(snapshot[FieldPath(["dot.ted"])] as? Int == 3)
    #expect(snapshot["gone"] == nil)
    #expect(snapshot["list"] as? [String] == ["x", "y"])
    #expect(snapshot["new.n"] as? Int == 4)
    #expect(snapshot["new.o"] as? Int == 5)
  }

  @Test func `updateData of no document is notFound`() async throws {
    await #expect { try await document.updateData(["a": 1]) } throws: { error in
      (error as? FirestoreErrorCode)?.code == .notFound
        && "\(error)".contains("no document 'c/d'")
    }
    try await document.setData([:])
    try await document.updateData([:])
  }

  @Test func `transforms compute from what they find`() async throws {
    try await document.setData(["n": 5, "low": 5, "high": 5, "real": 1.5, "list": [1, 2, 1]])
    try await document.updateData([
      "n": FieldValue.increment(-2), "low": FieldValue.minimum(3), "high": FieldValue.maximum(9),
      "real": FieldValue.increment(0.5), "list": FieldValue.arrayRemove([1]),
      "time": FieldValue.serverTimestamp(), "least": FieldValue.minimum(0.5),
      "most": FieldValue.maximum(Int64(4)),
    ])
    let snapshot = try await document.getDocument()
    #expect(snapshot["n"] as? Int == 3)
    #expect(snapshot["low"] as? Int == 3)
    #expect(snapshot["high"] as? Int == 9)
    #expect(snapshot["real"] as? Double == 2)
    #expect(snapshot["list"] as? [Int] == [2])
    #expect(snapshot["time"] as? Timestamp == snapshot.metered.updateTime)
    #expect(snapshot["least"] as? Double == 0.5)
    #expect(snapshot["most"] as? Int == 4)
  }

  @Test func `delete removes a document and may be repeated`() async throws {
    try await document.setData(["a": 1])
    try await document.delete()
    try await document.delete()
    #expect(try await !document.getDocument().exists)
  }

  @Test func `misplaced sentinels are refused with their place`() async throws {
    try await document.setData([:])
    let table: [(String, () async throws -> Void)] = [
      ("(in field a)", { try await document.setData(["a": FieldValue.delete()]) }),
      ("a direct value", { try await document.updateData(["a": ["b": FieldValue.delete()]]) }),
      ("inside arrays (in field a)", { try await document.setData(["a": [FieldValue.delete()]]) }),
      (
        "inside arrays (in field a.n)",
        { try await document.setData(["a": [["n": FieldValue.serverTimestamp()]]]) }
      ),
      (
        "as an element of arrayUnion()",
        { try await document.updateData(["a": FieldValue.arrayUnion([FieldValue.increment(1)])]) }
      ),
      ("Nested arrays", { try await document.updateData(["a": FieldValue.arrayRemove([[1]])]) }),
      ("both a and a.b", { try await document.updateData(["a": 1, "a.b": 2]) }),
      ("both a and a", { try await document.updateData(["a": 1, FieldPath(["a"]): 2]) }),
      ("has an empty part", { try await document.updateData(["a..b": 1]) }),
      ("not by Int", { try await document.updateData([7: 1]) }),
    ]
    for (words, write) in table {
      let message = await mistake(write)
      #expect(message.contains(words), "\(message)")
    }
    #expect(try await document.getDocument().data()?.isEmpty == true)
  }

  @Test func `a document needs a document's path`() async {
    #expect(await mistake { try await db.document("c").setData([:]) }.contains("even number"))
    #expect(await mistake { try await db.document("").delete() }.contains("empty"))
    let below = db.document("c").collection("x").document("y")
    #expect(below.path == "c/x/y" && below.documentID == "y")
    #expect(await mistake { try await below.setData([:]) }.contains("it has 1 segments"))
    #expect(await mistake { try await below.getDocument() }.contains("it has 1 segments"))
    let empty = db.collection("c").document("")
    #expect(await mistake { try await empty.setData([:]) }.contains("empty id"))
    #expect(empty.parent.path == "c")
  }

  @Test func `addDocument makes an id, in each of its shapes`() async throws {
    let posts = Firestore().collection("posts")
    func plain() -> DocumentReference { posts.addDocument(data: ["n": 1]) }
    let first = plain()
    let second = try await posts.addDocument(data: ["n": 2])
    var third: DocumentReference?
    let failure = await withCheckedContinuation { done in
      third = posts.addDocument(data: ["n": 3]) { done.resume(returning: $0) }
    }
    #expect(failure == nil)
    let ids = Set([first.documentID, second.documentID, third?.documentID ?? ""])
    #expect(ids.count == 3)
    #expect(
      ids.allSatisfy {
        $0.count == 20 && $0.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber) }
      })
    #expect(try await posts.getDocuments().count == 3)
  }

  @Test func `encodable values are written in each shape`() async throws {
    struct Item: Codable, Equatable {
      var name: String
      var size: Int?
      @ServerTimestamp var time: Date?
    }
    func write() throws {
      try document.setData(from: Item(name: "a", size: 1))
      try document.setData(from: Item(name: "b"), merge: true)
      try document.setData(from: Item(name: "c", size: 9), mergeFields: ["size"])
      try db.collection("c").addDocument(from: Item(name: "e"))
    }
    try write()
    let item = try await document.getDocument(as: Item.self)
    #expect(item.name == "b" && item.size == 9 && item.time != nil)
    let batch = db.batch()
    try batch.setData(from: Item(name: "f"), forDocument: document)
    try await batch.commit()
    #expect(try await document.getDocument(as: Item.self).name == "f")
    #expect(try await db.collection("c").getDocuments().count == 2)
    #expect(try await db.document("c/none").getDocument(as: Item?.self) == nil)
    await #expect(throws: DecodingError.self) {
      try await db.document("c/none").getDocument(as: Item.self)
    }
    let decoded = await withCheckedContinuation { done in
      document.getDocument(as: Item.self) { done.resume(returning: try? $0.get().name) }
    }
    #expect(decoded == "f")
  }

  @Test func `data of an actor may be written from it`() async throws {
    try await writeFromMainActor(db)
    #expect(try await fields() == ["count": 2])
  }

  @MainActor
  private func writeFromMainActor(_ db: Firestore) async throws {
    let holder = MainActorData()
    try await db.document("c/d").setData(holder.data)
    holder.data["count"] = 2
    try await db.document("c/d").updateData(holder.data)
    let batch = db.batch().setData(holder.data, forDocument: db.document("c/d"))
    try await batch.commit()
  }
}

@MainActor
private final class MainActorData {
  var data: [String: Any] = ["count": 1]
}
