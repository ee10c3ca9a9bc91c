import ReadBilling
import XCTest

/// The same budgets under XCTest, which they know as little as Swift Testing.
final class ReadBudgetXCTests: XCTestCase {
  func testWorkWithinItsBudgetPasses() async throws {
    let meter = ReadMeter()
    try await expectReads(15) { _ = meter.recordPage(15) }
  }

  func testWorkAboveItsBudgetThrowsItsBill() throws {
    let meter = ReadMeter()
    XCTAssertThrowsError(try ReadBudget(atMost: 1).check { _ = meter.recordPage(2) }) { error in
      XCTAssertEqual(
        "\(error)",
        """
        Expected at most 1 read, billed 2: 1 more.
             2  posts
             2 reads (2 documents returned)
        """)
    }
  }
}
