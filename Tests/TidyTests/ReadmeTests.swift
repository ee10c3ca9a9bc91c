import Foundation
import Testing

@Suite struct ReadmeTests {
  private static let readme = SourceTree.text("README.md")

  /// The blocks marked as Swift, in their order.
  private static let blocks: [String] = {
    var blocks: [String] = []
    var current: [Substring]?
    for line in (readme ?? "").split(separator: "\n", omittingEmptySubsequences: false) {
      if let lines = current {
        if line.hasPrefix("```") {
          blocks.append(lines.joined(separator: "\n"))
          current = nil
        } else {
          current = lines + [line]
        }
      } else if line.hasPrefix("```swift") {
        current = []
      }
    }
    return blocks.filter { !$0.contains(".package(") && !$0.contains(".product(") }
  }()

  @Test(
    .enabled(if: Compiler.modules != nil, "the built modules were not found beside the tests"),
    .enabled(if: !blocks.isEmpty, "README.md has no Swift block"), arguments: blocks.indices)
  func `a Swift block of the README compiles, alone or after those before it`(
    _ index: Int
  ) throws {
    let alone = try messages(compiling: ReadmeTests.blocks[index])
    if alone == nil { return }
    let together = try messages(compiling: ReadmeTests.blocks[...index].joined(separator: "\n"))
    #expect(together == nil, "alone: \(alone ?? "")")
  }

  /// What the compiler says against `text`; nil where it accepts it.
  private func messages(compiling text: String) throws -> String? {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("feedstore-readme-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let source = folder.appendingPathComponent("main.swift")
    try text.write(to: source, atomically: true, encoding: .utf8)
    return try Compiler.messages(checking: [source])
  }
}
