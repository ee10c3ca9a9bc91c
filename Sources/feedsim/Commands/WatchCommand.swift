import FeedSimulation
import FeedStore
import Foundation

extension Command {
  static let watch = Command(
    name: "watch",
    summary: "Scroll a feed by hand, with the running bill beside it.",
    discussion: """
      The feed is on the left, its bill on the right. \(WatchScreen.keys). The next page is loaded \
      when the eye comes to the last row; i adds a row at the top and d deletes the first, as \
      others would; s goes on with the next strategy from the top.
      Without a terminal, the keys are read from standard input and each prints one line.
      """,
    positionals: [],
    options: [
      .input, .orderBy, .filter, .timestamp, .pageSize, .strategy, .price, .location, .help,
    ],
    examples: [
      "feedsim watch",
      "feedsim watch --strategy offset --page-size 10",
      "printf '  i r' | feedsim watch --strategy offset",
    ]
  ) { arguments, terminal in
    let price = try arguments.readPrice()
    var reader = try await WatchedReader(
      feed: arguments.feed(), pageSize: arguments.integer(.pageSize) ?? 15,
      strategy: arguments.text(.strategy).flatMap(PagingStrategy.init) ?? .documentCursor)
    if FullScreen.isPossible, arguments.text(.input) != "-",
      try await FullScreen.run({ screen in
        try await watch(&reader, on: &screen, price: price, terminal: terminal)
      })
    {
      return
    }
    try await follow(&reader, price: price, terminal: terminal)
  }

  private static func watch(
    _ reader: inout WatchedReader, on screen: inout FullScreen, price: ReadPrice,
    terminal: Terminal
  ) async throws {
    while true {
      let view = WatchScreen(reader: reader, price: price, terminal: terminal)
      try screen.show(view.frame)
      guard let key = screen.nextKey() else { return }
      let command: WatchedReader.Command?
      switch key {
      case .character("q"), .character("\u{3}"), .character("\u{4}"): return
      case .character(let character): command = WatchedReader.Command(key: character)
      case .up: command = .up
      case .down: command = .down
      case .pageDown: command = .pageDown
      case .pageUp, .home: command = .top
      }
      if let command { try await reader.perform(command) }
    }
  }

  /// Plain lines, one for each key that standard input holds.
  private static func follow(
    _ reader: inout WatchedReader, price: ReadPrice, terminal: Terminal
  ) async throws {
    let feed = FeedText.headline(reader.feed, rows: reader.rowsInFeed)
    try terminal.write("\(feed), \(reader.strategy.rawValue)\n" + line(reader, price))
    let keys: Data
    do { keys = try FileHandle.standardInput.readToEnd() ?? Data() } catch {
      throw StandardInputError(reason: Terminal.reason(error))
    }
    for key in String(decoding: keys, as: UTF8.self) {
      if key == "q" { return }
      guard let command = WatchedReader.Command(key: key) else { continue }
      try await reader.perform(command)
      try terminal.write(line(reader, price))
    }
  }

  private static func line(_ reader: WatchedReader, _ price: ReadPrice) -> String {
    guard let step = reader.steps.last else { return "" }
    var text = "\(step.number.grouped). "
    if case .nextStrategy? = step.command { text += "\(step.strategy.rawValue): " }
    text += WatchScreen.words(step)
    text += "; row \((reader.position + 1).grouped) of \(step.rowsOnScreen.grouped) on screen"
    if step.rowsRepeated > 0 { text += ", \(step.rowsRepeated.grouped) sent again" }
    return text + "; \(reader.reads.total.grouped) reads in all\n"
  }
}
