import Foundation

/// Reads the words after a command's name by the command's own list of options.
struct ArgumentParser {
  let command: Command
  private var words: ArraySlice<String>
  private var parsed = ParsedArguments()

  private init(_ words: ArraySlice<String>, for command: Command) {
    self.command = command
    self.words = words
  }

  /// - Throws: `UsageError` at the first word that does not fit.
  static func parse(
    _ words: ArraySlice<String>, for command: Command
  ) throws(UsageError) -> ParsedArguments {
    var parser = ArgumentParser(words, for: command)
    try parser.run()
    return parser.parsed
  }

  private mutating func run() throws(UsageError) {
    while let word = words.popFirst() {
      if word == "--" {
        for word in words { try positional(word) }
        return
      }
      if word.hasPrefix("--") {
        try long(word.dropFirst(2))
      } else if word.hasPrefix("-") && word.count > 1 {
        guard let option = command.options.first(where: { $0.letter.map { "-\($0)" } == word })
        else { throw unknown(word) }
        try take(option, attached: nil, written: word)
      } else {
        try positional(word)
      }
    }
  }

  private mutating func positional(_ word: String) throws(UsageError) {
    guard parsed.positionals.count < command.positionals.count else {
      throw .unexpectedArgument(word, command: command.name)
    }
    parsed.positionals.append(word)
  }

  private mutating func long(_ word: Substring) throws(UsageError) {
    let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    let name = String(parts[0])
    guard let option = command.options.first(where: { $0.name == name }) else {
      throw unknown("--\(name)")
    }
    try take(option, attached: parts.count > 1 ? String(parts[1]) : nil, written: "--\(name)")
  }

  private func unknown(_ word: String) -> UsageError {
    .unknownOption(
      word, command: command.name, known: command.options.map { "--\($0.name)" })
  }

  private mutating func take(
    _ option: CommandOption, attached: String?, written: String
  ) throws(UsageError) {
    guard option.isRepeatable || !parsed.has(option) else { throw .givenTwice(written) }
    let value: OptionValue
    switch option.kind {
    case .flag:
      if let attached { throw .takesNoValue(written, given: attached) }
      value = .flag
    case .words(let count):
      var list = attached.map { [$0] } ?? []
      while list.count < count { list.append(try nextWord(option, written)) }
      value = .words(list)
    default:
      let word: String
      if let attached { word = attached } else { word = try nextWord(option, written) }
      value = try ArgumentParser.value(word, of: option, written)
    }
    parsed.append(value, for: option)
  }

  /// The next word as a value; another option's name means that the value was forgotten.
  private mutating func nextWord(
    _ option: CommandOption, _ written: String
  ) throws(UsageError) -> String {
    guard let word = words.first,
      !command.options.contains(where: { word == "--\($0.name)" || word.hasPrefix("--\($0.name)=") }
      )
    else { throw .missingValue(written, value: option.value) }
    words.removeFirst()
    return word
  }

  private static func value(
    _ word: String, of option: CommandOption, _ written: String
  ) throws(UsageError) -> OptionValue {
    switch option.kind {
    case .integerOrWord(let range, let other):
      if word == other { return .text(word) }
      guard let integer = Int(word), range.contains(integer) else {
        throw .notInRange(written, given: word, range: range, or: other)
      }
      return .integer(integer)
    case .integer(let range):
      guard let integer = Int(word), range.contains(integer) else {
        throw .notInRange(written, given: word, range: range, or: nil)
      }
      return .integer(integer)
    case .decimal:
      guard word.wholeMatch(of: /[0-9]{1,9}(\.[0-9]{1,9})?/) != nil else {
        throw .notADecimal(written, given: word)
      }
      return .text(word)
    case .choice(let choices):
      guard choices.contains(word) else {
        throw .unknownChoice(written, given: word, choices: choices)
      }
      return .text(word)
    case .flag, .text, .words:
      guard !word.isEmpty else { throw .missingValue(written, value: option.value) }
      return .text(word)
    }
  }
}
