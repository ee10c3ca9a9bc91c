import Synchronization

/// A bar on standard error for work that takes more than a second, on a terminal only.
final class ProgressBar: Sendable {
  private struct State {
    var lastDrawn: ContinuousClock.Instant?
    var isVisible = false
  }

  private let terminal: Terminal
  private let isEnabled: Bool
  private let start = ContinuousClock.now
  private let state = Mutex(State())

  init(on terminal: Terminal, quiet: Bool) {
    self.terminal = terminal
    isEnabled = terminal.isErrorWatched && !quiet
  }

  /// Shows that `done` of `total` things are done, at most ten times a second.
  func update(_ label: String, done: Int, of total: Int, _ things: String = "pages") {
    guard isEnabled, total > 0 else { return }
    let now = ContinuousClock.now
    guard now - start > .seconds(1) else { return }
    let mayDraw = state.withLock { state in
      if let last = state.lastDrawn, now - last < .milliseconds(100) { return false }
      state.lastDrawn = now
      state.isVisible = true
      return true
    }
    guard mayDraw else { return }
    let width = 30
    let filled = min(width, done * width / total)
    let bar =
      String(repeating: "█", count: filled) + String(repeating: "░", count: width - filled)
    terminal.complain("\r\u{1B}[K\(bar) \(label): \(done.grouped) of \(total.grouped) \(things)")
  }

  /// Removes the bar, so that what follows starts on a clean line.
  func finish() {
    let wasVisible = state.withLock { state in
      defer { state.isVisible = false }
      return state.isVisible
    }
    if wasVisible { terminal.complain("\r\u{1B}[K") }
  }
}
