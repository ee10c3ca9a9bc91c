import FeedPaging
import Foundation
import TestSupport
import Testing

@Suite struct PageTokenTests {
  @Test func `a token survives its text and its JSON`() throws {
    for number in Randomised.cases(300) {
      var generator = Randomised.generator(case: number)
      let length = Int.random(in: 0...40, using: &generator)
      let token = PageToken(
        version: .random(in: 0 ... .max, using: &generator),
        payload: (0..<length).map { _ in .random(in: 0 ... .max, using: &generator) })
      #expect(PageToken(token.description) == token)
      let json = try JSONEncoder().encode([token])
      #expect(try JSONDecoder().decode([PageToken].self, from: json) == [token])
    }
  }

  @Test func `a token's text is that of base 64 for URLs`() {
    for number in Randomised.cases(100) {
      var generator = Randomised.generator(case: number)
      let payload = (0..<number % 40).map { _ in UInt8.random(in: 0 ... .max, using: &generator) }
      let expected = Data([1] + payload).base64EncodedString()
        .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
      #expect(PageToken(version: 1, payload: payload).description == expected)
    }
  }

  @Test(arguments: ["", "A", "AB", "AQ==", "A Q", "AQé", "+_", "AAAAA"])
  func `a text that no token has is refused`(text: String) {
    #expect(PageToken(text) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([PageToken].self, from: JSONEncoder().encode([text]))
    }
  }
}
