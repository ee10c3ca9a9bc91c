import FeedStore
import Foundation
import Testing

/// `Firestore(directory:)`.
@Suite struct FirestoreDirectoryTests {
  private let directory = URL.temporaryDirectory.appending(path: "feedstore-\(UUID())")

  private func withDirectory(_ body: (URL) async throws -> Void) async throws {
    defer { try? FileManager.default.removeItem(at: directory) }
    try await body(directory)
  }

  @Test(arguments: [Durability.perCommit, .grouped(within: .milliseconds(10)), .none])
  func `what was written is there when the directory is opened again`(
    durability: Durability
  ) async throws {
    try await withDirectory { directory in
      let values: [String: Any] = [
        "text": "grüße", "number": 7, "at": Timestamp(seconds: 5, nanoseconds: 123_456_000),
        "list": [1, "two", ["three": 3.5]] as [Any], "bytes": Data([0, 255]),
        "place": GeoPoint(latitude: 1.5, longitude: -2),
        "vector": FieldValue.vector([1.0, 2.0] as [Double]),
      ]
      let first = try Firestore(directory: directory, durability: durability)
      try await first.collection("posts").document("a").setData(values)
      try await first.document("posts/a/comments/b").setData(["n": 1])
      try first.synchronize()
      let before = try await first.document("posts/a").getDocument()
      try first.compact()
      try first.close()
      let second = try Firestore(directory: directory.path, durability: durability)
      #expect(second.recoveryNotice == nil)
      let after = try await second.document("posts/a").getDocument()
      #expect("\(before.data() ?? [:])".count == "\(after.data() ?? [:])".count)
      #expect(after.get("at") as? Timestamp == values["at"] as? Timestamp)
      #expect(after.get("text") as? String == "grüße")
      let posts = second.collectionGroup("comments").whereField("n", isEqualTo: 1)
      #expect(try await posts.getDocuments().count == 1)
    }
  }

  @Test func `a directory in use is refused, and a closed one takes no writes`() async throws {
    try await withDirectory { directory in
      let first = try Firestore(directory: directory)
      try await first.document("posts/a").setData(["n": 1])
      let refusal = #expect(throws: FirestoreErrorCode.self) {
        try Firestore(directory: directory)
      }
      #expect(refusal?.code == .unavailable)
      #expect(refusal?.message.contains("in use by process") == true)
      try first.close()
      let closed = await #expect(throws: FirestoreErrorCode.self) {
        try await first.document("posts/b").setData(["n": 1])
      }
      #expect(closed?.code == .failedPrecondition)
      #expect(try await first.document("posts/a").getDocument().exists)
      #expect(try await Firestore(directory: directory).document("posts/a").getDocument().exists)
    }
  }

  @Test func `damage is an error that names the file, and salvage reads the rest`() async throws {
    try await withDirectory { directory in
      let first = try Firestore(directory: directory)
      for id in ["a", "b", "c"] {
        try await first.document("posts/\(id)").setData(["id": id, "nan": Double.nan])
      }
      try first.close()
      #expect(try Firestore.check(directory.path).documents == 3)
      let log = directory.appending(path: "log-00000000000000000001")
      var bytes = try Data(contentsOf: log)
      bytes[bytes.count - 3] ^= 1
      try bytes.write(to: log)
      let error = #expect(throws: FirestoreErrorCode.self) {
        try Firestore(directory: directory)
      }
      #expect(error?.code == .dataLoss)
      #expect(error?.message.contains("log-00000000000000000001' is damaged at byte") == true)
      var lines: [String] = []
      let (count, problems) = try Firestore.salvage(directory.path) { lines.append($0) }
      #expect((count, problems.count) == (2, 1))
      #expect(
        lines.first == """
          {"name":"projects/feedstore/databases/(default)/documents/posts/a","fields":\
          {"id":{"stringValue":"a"},"nan":{"doubleValue":"NaN"}}}

          """)
    }
  }
}
