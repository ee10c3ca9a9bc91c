import Foundation
import Testing

/// Client code written for Firebase, of which only the import is another.
@Suite struct ClientCodeTests {
  private static let files = [
    "FirebaseClientCode.swift", "FirebaseLiveClientCode.swift", "ArticleFeed.swift",
  ].map { SourceTree.root.appendingPathComponent("Tests/FeedStoreTests/\($0)") }

  @Test(
    .enabled(if: Compiler.modules != nil, "the built modules were not found beside the tests"),
    arguments: ["5", "6"])
  func `client code compiles without a warning in each language mode`(_ mode: String) throws {
    let messages = try Compiler.messages(
      checking: ClientCodeTests.files, languageMode: mode,
      options: ["-parse-as-library", "-warnings-as-errors"])
    #expect(messages == nil)
  }
}
