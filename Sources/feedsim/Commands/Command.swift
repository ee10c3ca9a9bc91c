/// One command, as data: its words and what runs it.
struct Command: Sendable {
  let name: String
  let summary: String
  let discussion: String
  /// The names of the arguments without a dash, in order; all may be left out.
  let positionals: [String]
  let options: [CommandOption]
  let examples: [String]
  let run: @Sendable (ParsedArguments, Terminal) async throws -> Void

  static let all: [Command] = [
    compare, scroll, watch, project, report, query, indexes, generate, check, salvage, help,
  ]

  static let help = Command(
    name: "help", summary: "Explain a command.",
    discussion: "Without a command, lists all of them.",
    positionals: ["COMMAND"], options: [.help],
    examples: ["feedsim help compare"]
  ) { arguments, terminal in
    guard let name = arguments.positionals.first else {
      return try terminal.write(HelpText.overview)
    }
    guard let command = all.first(where: { $0.name == name }) else {
      throw UsageError.unknownCommand(name, known: all.map(\.name))
    }
    try terminal.write(HelpText.text(for: command))
  }
}

/// Help, made from the commands and options themselves.
enum HelpText {
  static var overview: String {
    var text = """
      feedsim shows what paging a feed costs on Cloud Firestore, in billed reads and in dollars.

      USAGE
        feedsim COMMAND [OPTIONS]

      COMMANDS

      """
    text += list(Command.all.map { ($0.name, $0.summary) })
    return text + """

      OPTIONS
        -h, --help   Show this help.
        --version    Show the version.

      EXIT CODES
        64 wrong usage   65 wrong data   66 no such input   74 input or output failed

      Start with 'feedsim compare'; 'feedsim help COMMAND' explains a command.

      """
  }

  static func text(for command: Command) -> String {
    let positionals = command.positionals.map { " [\($0)]" }.joined()
    var text = "\(command.summary)\n\n"
    for paragraph in command.discussion.split(separator: "\n") {
      text += String(paragraph).wrapped(indent: paragraph.hasPrefix("  ") ? 4 : 0) + "\n"
    }
    text += "\nUSAGE\n"
    text += "  feedsim \(command.name)\(positionals) [OPTIONS]\n\nOPTIONS\n"
    text += list(
      command.options.map { option in
        let letter = option.letter.map { "-\($0), " } ?? ""
        let value = option.value.isEmpty ? "" : " \(option.value)"
        return (
          "\(letter)--\(option.name)\(value)",
          option.help + (option.isRepeatable ? " May be repeated." : "")
        )
      })
    text += "\nEXAMPLES\n" + command.examples.map { "  \($0)\n" }.joined()
    return text
  }

  /// Terms and their explanations in two columns.
  private static func list(_ entries: [(String, String)]) -> String {
    let width = min(30, entries.map(\.0.count).max() ?? 0)
    return entries.map { term, explanation in
      let lines = explanation.wrapped(to: 96 - width).split(separator: "\n")
      let margin = "\n" + String(repeating: " ", count: width + 4)
      let gap =
        term.count > width ? margin : String(repeating: " ", count: width - term.count + 2)
      return "  " + term + gap + lines.joined(separator: margin) + "\n"
    }.joined()
  }
}
