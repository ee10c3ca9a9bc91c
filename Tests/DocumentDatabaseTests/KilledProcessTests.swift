import DocumentDatabase
import Foundation
import StorageEngine
import TestSupport
import Testing

/// A process that writes is killed at random moments, again and again, over one directory.
@Suite struct KilledProcessTests {
  /// Where the build put the executables of which this bundle is one.
  private static let writer: URL? = {
    var folder = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath()
    while folder.path != "/" {
      folder.deleteLastPathComponent()
      let writer = folder.appending(path: "CrashWriter")
      if FileManager.default.isExecutableFile(atPath: writer.path) { return writer }
    }
    return nil
  }()

  /// Runs the writer for a while, kills it, and answers what it said was acknowledged.
  private func acknowledged(
    in directory: URL, killedAfter delay: Duration
  ) async throws -> [Int: Int64] {
    let process = Process()
    let output = Pipe()
    let writer: URL = try #require(KilledProcessTests.writer)
    process.executableURL = writer
    process.arguments = [directory.path]
    process.standardOutput = output
    try process.run()
    let reader = Task.detached { output.fileHandleForReading.readDataToEndOfFile() }
    try await Task.sleep(for: delay)
    kill(process.processIdentifier, SIGKILL)
    let text = String(decoding: await reader.value, as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .uncaughtSignal, "it was killed and did not fail")
    var newest: [Int: Int64] = [:]
    // What stands behind the last line break was not printed whole.
    for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
      let words = line.split(separator: " ")
      let (writer, number): (Int, Int64) = (
        try #require(Int(words[0])), try #require(Int64(words[1]))
      )
      newest[writer] = number
    }
    return newest
  }

  @Test(.enabled(if: writer != nil, "the writer was not found beside the tests"))
  func `a killed process loses nothing that it acknowledged`() async throws {
    let directory = URL.temporaryDirectory.appending(path: "feedstore-\(UUID())")
    defer { try? FileManager.default.removeItem(at: directory) }
    var random = Randomised.generator(case: 0)
    var commits: Int64 = 0
    let rounds = Randomised.cases(20)
    for round in rounds {
      let delay = Duration.milliseconds(Int.random(in: 1...150, using: &random))
      let acknowledged = try await acknowledged(in: directory, killedAfter: delay)
      let (database, _) = try Database.open(directory.path, now: { 0 })
      commits = 0
      for writer in 0..<CrashHistory.writers {
        let last = try CrashHistory.last(of: writer, in: database)
        commits += last
        // One commit more may have been in flight, or acknowledged and not yet printed.
        if let newest = acknowledged[writer] {
          #expect(newest...(newest + 1) ~= last, "round \(round), writer \(writer)")
        }
        #expect(try CrashHistory.problems(of: writer, last: last, in: database) == [])
      }
      #expect(database.check().problems == [])
    }
    print("survived \(rounds.count) kills of a process that made \(commits) commits")
  }
}
