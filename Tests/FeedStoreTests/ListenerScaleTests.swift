import FeedStore
import Synchronization
import Testing

/// Many listeners and few who must hear. What is judged is who wakes; the times are only printed.
@Suite struct ListenerScaleTests {
  /// How the others differ from the one that must hear.
  enum Others: String, CaseIterable, Sendable {
    case ofOtherCollections
    case ofOtherValues
    case ofOtherDocuments
    case ofOtherPartsOfTheOrder
    case ofOtherPages

    func query(_ number: Int, in db: Firestore) -> Query {
      let posts = db.collection("posts")
      return switch self {
      case .ofOtherCollections: db.collection("c\(number)")
      case .ofOtherValues: posts.whereField("user", isEqualTo: "u\(number)")
      case .ofOtherDocuments: posts.whereField(FieldPath.documentID(), isEqualTo: "d\(number)")
      case .ofOtherPartsOfTheOrder:
        posts.order(by: "at").start(at: [1_000 + number]).limit(to: 3)
      case .ofOtherPages:
        posts.order(by: "at").start(at: [-3 * number - 3]).end(before: [-3 * number])
      }
    }
  }

  @Test(arguments: Others.allCases)
  func `of ten thousand listeners only those hear whom a write concerns`(_ others: Others) {
    var times: [String] = []
    for count in [0, 10, 10_000] {
      let db = Firestore.fresh()
      let woken = Shared(0)
      let options = SnapshotListenOptions()
      for number in 0..<count {
        _ = others.query(number, in: db).listen(options: options) { _ in woken.change { $0 += 1 } }
      }
      let heard = Shared(0)
      _ = db.collection("posts").whereField("user", isEqualTo: "me").listen(options: options) { _ in
        heard.change { $0 += 1 }
      }
      #expect(woken.value == count)
      let writes = 200
      let time = ContinuousClock().measure {
        for write in 0..<writes {
          db.document("posts/w\(write % 20)").setData(["user": "me", "at": write])
        }
      }
      #expect(woken.value == count, "the first snapshot of each, and nothing more")
      #expect(heard.value == writes + 1)
      times.append("\(count): \(time / writes)")
    }
    print("time of a write among listeners \(others.rawValue): \(times.joined(separator: ", "))")
  }
}
