import FeedSimulation
import FeedStore
import Foundation

extension Command {
  static let check = Command(
    name: "check",
    summary: "Verify a database in a directory: checksums, structure, orders.",
    discussion:
      "Reads every byte that is kept, changes none, and says what is wrong and where. Every index is "
      + "compared with the documents.",
    positionals: ["DIR"], options: [.help], examples: ["feedsim check ~/posts"]
  ) { arguments, terminal in
    let directory = try arguments.directory(for: "check")
    let report = try Firestore.check(directory)
    if let notice = report.notice { terminal.complain("feedsim: \(notice)\n") }
    guard report.problems.isEmpty else {
      throw DirectoryError.damaged(directory, problems: report.problems)
    }
    try terminal.write(
      "'\(directory)' is in order: \(report.documents.grouped) documents in "
        + "\(report.collections.grouped) collections.\n")
  }

  static let salvage = Command(
    name: "salvage",
    summary: "Save what can be read of a damaged database in a directory, as JSON lines.",
    discussion:
      "Each line is a document as Firestore's REST interface has it, ready for --input. The files stay "
      + "as they are. Where something is missing, a document may be an older one or one that was "
      + "deleted since.",
    positionals: ["DIR"], options: [.destination, .help],
    examples: ["feedsim salvage ~/posts --to posts.jsonl"]
  ) { arguments, terminal in
    let directory = try arguments.directory(for: "salvage")
    var text = ""
    let (documents, problems) = try Firestore.salvage(directory) { text += $0 }
    if let path = arguments.text(.destination) {
      do { try Data(text.utf8).write(to: URL(filePath: path)) } catch {
        throw OutputError.failed("'\(path)'", reason: Terminal.reason(error))
      }
    } else {
      try terminal.write(text)
    }
    for problem in problems { terminal.complain("feedsim: \(problem)\n") }
    terminal.complain("feedsim: saved \(documents.grouped) documents\n")
  }
}

extension ParsedArguments {
  fileprivate func directory(for command: String) throws(UsageError) -> String {
    guard let directory = positionals.first else {
      throw .missingArgument("DIR", command: command)
    }
    return directory
  }
}

/// A database in a directory that contradicts itself.
enum DirectoryError: Error, Hashable, Sendable {
  case damaged(String, problems: [String])
}

extension DirectoryError: CustomStringConvertible {
  var description: String {
    switch self {
    case .damaged(let directory, let problems):
      (["'\(directory)' is damaged; save what can be read with 'feedsim salvage'"] + problems)
        .joined(separator: "\n  ")
    }
  }
}
