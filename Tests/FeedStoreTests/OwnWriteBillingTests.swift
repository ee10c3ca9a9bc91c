import FeedStore
import Testing

@Suite struct OwnWriteBillingTests {
  @Test(arguments: [false, true])
  func `the echo of an own write is billed, unless that assumption is overturned`(
    isOverturned: Bool
  ) async throws {
    let meter = ReadMeter(
      assuming: BillingAssumptions(overturning: isOverturned ? [.ownWriteIsBilled] : []))
    let db = Firestore(readMeter: meter)
    let posts = db.collection("posts")
    try await posts.document("first").setData(["score": 1])
    let listener = posts.order(by: "score").addSnapshotListener { _, _ in }
    #expect(meter.total == 1)
    try await posts.document("second").setData(["score": 2])
    try await posts.document("first").updateData(["score": 3])
    #expect(meter.total == (isOverturned ? 1 : 3))
    listener.remove()
  }
}
