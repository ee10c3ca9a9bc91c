import FeedSimulation

/// A command line that cannot be followed.
enum UsageError: Error, Hashable, Sendable {
  case unknownCommand(String, known: [String])
  case unknownOption(String, command: String, known: [String])
  case unexpectedArgument(String, command: String)
  case missingArgument(String, command: String)
  case missingValue(String, value: String)
  case takesNoValue(String, given: String)
  case givenTwice(String)
  case notInRange(String, given: String, range: ClosedRange<Int>, or: String?)
  case notADecimal(String, given: String)
  case unknownChoice(String, given: String, choices: [String])
  case unknownDirection(String, field: String)
  case badTimestamp(field: String, value: String, option: String = "--where")
  case unknownOperator(String, known: [String])
  case onlyOneOf(String, String)
  case needs(String, String)
  case notAList(String, String, given: String)
  case severalQueries(String, count: Int)
  case nothingAsked(command: String)
  case neverEnds(inserts: Int, pageSize: Int)
}

/// What is wrong and what to write instead.
extension UsageError: CustomStringConvertible {
  var description: String {
    switch self {
    case .unknownCommand(let word, let known):
      "there is no command '\(word)'\(suggestion(word, known, else: list(known)))"
    case .unknownOption(let word, let command, let known):
      "'\(command)' has no option '\(word)'\(suggestion(word, known))"
    case .unexpectedArgument(let word, let command):
      "'\(command)' does not know what to do with '\(word)'"
    case .missingArgument(let name, let command): "'\(command)' needs \(name)"
    case .missingValue(let option, let value): "\(option) needs a value: \(option) \(value)"
    case .takesNoValue(let option, let given): "\(option) takes no value, not even '\(given)'"
    case .givenTwice(let option): "\(option) is given twice; it can be given once"
    case .notInRange(let option, let given, let range, let other):
      "\(option) takes a whole number \(range.words)\(other.map { ", or '\($0)'" } ?? ""), "
        + "not '\(given)'"
    case .notADecimal(let option, let given):
      "\(option) takes an amount such as 0.06, not '\(given)'"
    case .unknownChoice(let option, let given, let choices):
      "\(option) has no '\(given)'\(suggestion(given, choices, else: list(choices)))"
    case .unknownDirection(let direction, let field):
      "--order-by knows no direction '\(direction)'\(suggestion(direction, ["asc", "desc"])); "
        + "write \(field):asc or \(field):desc"
    case .badTimestamp(let field, let value, let option):
      "\(option) compares the timestamp `\(field)` with an ISO 8601 text such as "
        + "2026-01-31T09:30:00Z, not '\(value)'"
    case .unknownOperator(let word, let known):
      "--where knows no operator '\(word)'; known: \(list(known))"
    case .onlyOneOf(let first, let second): "\(first) and \(second) exclude each other"
    case .needs(let option, let other): "\(option) means something only with \(other)"
    case .notAList(let option, let comparison, let given):
      "\(option) with '\(comparison)' takes a JSON list such as [1, 2], not '\(given)'"
    case .severalQueries(let path, let count):
      "'\(path)' has \(count) queries; 'query' runs one"
    case .nothingAsked(let command):
      "'\(command)' needs a query: --query FILE, or --collection, --where, --order-by and so on"
    case .neverEnds(let inserts, let pageSize):
      "\(inserts.grouped) inserts a page outrun a page of \(pageSize.grouped) rows, so that an offset "
        + "never comes to the end; give --pages N"
    }
  }

  private func suggestion(_ word: String, _ known: [String], else list: String? = nil) -> String {
    NearestName.of(word, in: known).map { "; did you mean '\($0)'?" }
      ?? list.map { "; known: \($0)" } ?? ""
  }

  private func list(_ names: [String]) -> String { names.joined(separator: ", ") }
}

extension ClosedRange<Int> {
  fileprivate var words: String {
    upperBound == .max
      ? "from \(lowerBound.grouped)" : "from \(lowerBound.grouped) to \(upperBound.grouped)"
  }
}
