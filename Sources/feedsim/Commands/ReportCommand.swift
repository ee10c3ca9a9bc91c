import FeedSimulation
import Foundation

extension CommandOption {
  static let page = CommandOption(
    name: "to", kind: .text, value: "FILE.html",
    help: "Write the page to a file instead of standard output.")
  static let pictures = CommandOption(
    name: "svg", kind: .text, value: "DIR",
    help: "Also write each chart as a file of its own into this folder, made if it is not there.")
}

extension Command {
  static let report = Command(
    name: "report",
    summary: "Compare the ways of paging and write a page to send to the team.",
    discussion: "The page is one file without scripts that loads nothing: the bill by cause, its "
      + "growth with the depth scrolled, the rows lost and repeated, the findings in words, every "
      + "figure and every assumption. It follows the reader's choice of light or dark, fits a phone "
      + "and paper, and puts the numbers of each chart in a table. The same command makes the same "
      + "page, byte for byte.",
    positionals: [],
    options: CommandOption.feed + [.strategies] + CommandOption.writesOfOthers
      + CommandOption.prices + [.page, .pictures, .quiet, .help],
    examples: [
      "feedsim report --to report.html",
      "feedsim report --inserts-per-page 2 --deletes-per-page 1 --to report.html --svg charts",
      "feedsim report --input quakes.ndjson --order-by significance:desc --to quakes.html",
    ]
  ) { arguments, terminal in
    let price = try arguments.readPrice()
    let comparison = try await arguments.comparison(
      by: arguments.namedStrategies(), on: terminal)
    let report = HTMLReport(
      report: ComparisonReport(
        comparison, price: price, input: InputFile(arguments.text(.input))),
      command: CommandLine.repeatable)
    if let folder = arguments.text(.pictures) {
      try write(report.charts, to: folder)
      if !arguments.has(.quiet) {
        let names = report.charts.map { "\($0.id).svg" }.joined(separator: ", ")
        terminal.complain("Wrote \(names) to '\(folder)'.\n")
      }
    }
    guard let path = arguments.text(.page) else { return try terminal.write(report.text) }
    try Terminal.write(toFile: path) { write in try write(report.text) }
    if !arguments.has(.quiet) {
      terminal.complain("Wrote '\(path)', \(report.text.utf8.count.grouped) bytes.\n")
    }
  }

  private static func write(_ charts: [Chart], to folder: String) throws {
    do {
      try FileManager.default.createDirectory(
        atPath: folder, withIntermediateDirectories: true)
    } catch { throw OutputError.failed("'\(folder)'", reason: Terminal.reason(error)) }
    for chart in charts {
      let path = URL(filePath: folder).appending(path: "\(chart.id).svg").path()
      try Terminal.write(toFile: path) { write in try write(chart.file) }
    }
  }
}

extension CommandLine {
  /// The words this process was started with, quoted for a shell where need be.
  fileprivate static var repeatable: String {
    let words = arguments.dropFirst().map { word in
      word.wholeMatch(of: /[A-Za-z0-9_.,:=@%+\/-]+/) != nil
        ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }
    return (["feedsim"] + words).joined(separator: " ")
  }
}
