import Foundation

/// The compiler, with the modules of the build that these tests are part of.
enum Compiler {
  /// Where SwiftPM put the modules.
  static let modules: URL? = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    while folder.path != "/" {
      let modules = folder.appendingPathComponent("Modules")
      if FileManager.default.fileExists(
        atPath: modules.appendingPathComponent("FeedStore.swiftmodule").path)
      {
        return modules
      }
      folder.deleteLastPathComponent()
    }
    return nil
  }()

  /// What the compiler says against some files; nil where it accepts them.
  static func messages(
    checking files: [URL], languageMode: String = "6", options: [String] = []
  ) throws -> String? {
    let compiler = Process()
    let output = Pipe()
    compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    compiler.arguments =
      ["swiftc", "-typecheck", "-swift-version", languageMode, "-I", modules?.path ?? ""]
      + options + files.map(\.path)
    compiler.standardOutput = output
    compiler.standardError = output
    try compiler.run()
    let messages = output.fileHandleForReading.readDataToEndOfFile()
    compiler.waitUntilExit()
    return compiler.terminationStatus == 0 ? nil : String(decoding: messages, as: UTF8.self)
  }
}
