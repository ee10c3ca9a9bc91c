import FeedSimulation
import FeedStore
import Foundation

/// The command line: words in, tables out.
@main
struct FeedSim {
  static let version = "0.1.0"

  static func main() async {
    let terminal = Terminal()
    let words = CommandLine.arguments.dropFirst()
    do {
      try await run(words, on: terminal)
    } catch {
      let exit = ExitCode(error)
      if exit != .success { terminal.complain(message(for: error, after: words.first)) }
      Foundation.exit(exit.rawValue)
    }
  }

  private static func run(_ words: ArraySlice<String>, on terminal: Terminal) async throws {
    guard let first = words.first else {
      return try terminal.write(HelpText.overview)
    }
    switch first {
    case "--version": return try terminal.write("feedsim \(version)\n")
    case "--help", "-h": return try terminal.write(HelpText.overview)
    default: break
    }
    guard let command = Command.all.first(where: { $0.name == first }) else {
      throw first.hasPrefix("-")
        ? UsageError.unknownOption(first, command: "feedsim", known: ["--help", "--version"])
        : UsageError.unknownCommand(first, known: Command.all.map(\.name))
    }
    let arguments = try ArgumentParser.parse(words.dropFirst(), for: command)
    if arguments.has(.help) { return try terminal.write(HelpText.text(for: command)) }
    try await command.run(arguments, terminal)
  }

  private static func message(for error: any Error, after command: String?) -> String {
    let words = (error as? FirestoreErrorCode)?.message ?? "\(error)"
    var text = "feedsim: \(words)\n"
    if error is UsageError {
      let known = Command.all.contains { $0.name == command }
      text += "Try 'feedsim help\(known ? " \(command ?? "")" : "")'.\n"
    }
    return text
  }
}

/// The exit codes of `sysexits`, each for one kind of error.
enum ExitCode: Int32 {
  case success = 0
  case usage = 64
  case data = 65
  case noInput = 66
  case software = 70
  case inputOutput = 74

  init(_ error: any Error) {
    self =
      switch error {
      case is UsageError: .usage
      case PriceListError.unreadable: .noInput
      case is FeedError, FileError.refused, is PriceListError: .data
      case is FileError: .noInput
      case InputError.badFieldPath: .usage
      case OutputError.closedPipe: .success
      case is OutputError, is StandardInputError: .inputOutput
      case is DirectoryError: .data
      case let error as FirestoreErrorCode where error.code == .invalidArgument: .usage
      case let error as FirestoreErrorCode
      where [.failedPrecondition, .dataLoss].contains(error.code):
        .data
      case let error as FirestoreErrorCode
      where [.unavailable, .resourceExhausted].contains(error.code):
        .inputOutput
      default: .software
      }
  }
}

extension FeedError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .notStored(let reason): return reason
    case .noDocumentHas(let field, let documents, let known):
      let hint =
        NearestName.of(field, in: known).map { "did you mean '\($0)'?" }
        ?? "fields: \(known.prefix(12).joined(separator: ", "))\(known.count > 12 ? ", …" : "")"
      return "none of the \(documents.grouped) documents has a field '\(field)'; \(hint)"
    }
  }
}
