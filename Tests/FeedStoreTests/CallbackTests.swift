import Dispatch
import FeedStore
import Testing

@Suite struct CallbackTests {
  let db = Firestore.withPosts()

  @Test func `completion closures are called on the settings' queue`() async {
    let key = DispatchSpecificKey<String>()
    let queue = DispatchQueue(label: "callbacks")
    queue.setSpecific(key: key, value: "ours")
    let settings = db.settings
    settings.dispatchQueue = queue
    db.settings = settings
    let document = db.document("posts/a")
    let places = await withCheckedContinuation { (done: CheckedContinuation<[String?], Never>) in
      var places: [String?] = []
      func note() {
        places.append(DispatchQueue.getSpecific(key: key))
        if places.count == 7 { done.resume(returning: places) }
      }
      document.setData(["a": 1]) { _ in note() }
      document.setData(["a": 1], merge: true) { _ in note() }
      document.setData(["a": 1], mergeFields: ["a"]) { _ in note() }
      document.updateData(["a": 1]) { _ in note() }
      document.getDocument { _, _ in note() }
      document.parent.getDocuments(source: .server) { _, _ in note() }
      document.delete { _ in note() }
    }
    #expect(places == Array(repeating: "ours", count: 7))
  }

  @Test func `settings are a copy until they are assigned`() {
    let copy = db.settings
    copy.host = "changed"
    #expect(db.settings.host != "changed")
    db.settings = copy
    copy.host = "changed again"
    #expect(db.settings.host == "changed")
  }

  @Test func `a completion closure gets the error of a write`() async {
    let code = await withCheckedContinuation { done in
      db.document("posts/none").updateData(["a": 1]) { error in
        done.resume(returning: (error as? FirestoreErrorCode)?.code)
      }
    }
    #expect(code == .notFound)
  }

  @MainActor
  @Test func `a closure of the main actor is called on it`() async {
    let box = MainActorBox()
    await withCheckedContinuation { done in
      db.collection("posts").getDocuments { snapshot, _ in
        box.count = snapshot?.count ?? 0
        done.resume()
      }
    }
    #expect(box.count == 5)
  }
}

@MainActor
private final class MainActorBox {
  var count = 0
}
