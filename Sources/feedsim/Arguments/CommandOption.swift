/// One option of the command line, as data: what it is called, what it takes, what it means.
struct CommandOption: Sendable {
  enum Kind: Sendable {
    case flag
    case text
    case integer(ClosedRange<Int>)
    /// An integer or one word.
    case integerOrWord(ClosedRange<Int>, String)
    case decimal
    case choice([String])
    /// Several values in a row, such as field, operator and value.
    case words(Int)
  }

  let name: String
  var letter: Character?
  let kind: Kind
  /// How help names the value.
  var value: String = ""
  var isRepeatable = false
  let help: String
}

extension CommandOption {
  static let help = CommandOption(
    name: "help", letter: "h", kind: .flag, help: "Show the help of the command.")
}

/// One option's value, already of the kind the option takes.
enum OptionValue: Hashable, Sendable {
  case flag
  case text(String)
  case integer(Int)
  case words([String])
}

/// What the arguments of one command say.
struct ParsedArguments: Sendable {
  var positionals: [String] = []
  private var values: [String: [OptionValue]] = [:]

  mutating func append(_ value: OptionValue, for option: CommandOption) {
    values[option.name, default: []].append(value)
  }

  /// The names of the options that are given, sorted.
  var namesOfOptions: [String] { values.keys.sorted() }

  func has(_ option: CommandOption) -> Bool { values[option.name] != nil }

  func text(_ option: CommandOption) -> String? { texts(option).last }

  func texts(_ option: CommandOption) -> [String] {
    values[option.name, default: []].compactMap {
      if case .text(let text) = $0 { text } else { nil }
    }
  }

  func integer(_ option: CommandOption) -> Int? {
    if case .integer(let integer)? = values[option.name]?.last { integer } else { nil }
  }

  func wordLists(_ option: CommandOption) -> [[String]] {
    values[option.name, default: []].compactMap {
      if case .words(let words) = $0 { words } else { nil }
    }
  }
}
