import Foundation

/// The terminal as one picture with keys, for as long as a body runs.
///
/// The terminal's modes are set by `stty`, so that no memory is handed to the system here. A read
/// waits a tenth of a second for a key, which tells the escape key from a key that sends more.
struct FullScreen {
  /// What a person pressed.
  enum Key: Equatable {
    case character(Character)
    case up, down, pageUp, pageDown, home
  }

  /// Whether both ends are a terminal that can be drawn on.
  static var isPossible: Bool {
    isatty(0) == 1 && isatty(1) == 1 && ProcessInfo.processInfo.environment["TERM"] != "dumb"
  }

  /// The lines and columns of the window.
  private(set) var size = (height: 24, width: 80)
  private let modes: String

  /// Takes over the terminal; nil where its modes cannot be read or set.
  private init?() {
    // The helper runs beside this process and must be let at the terminal all the same.
    signal(SIGTTOU, SIG_IGN)
    guard let modes = FullScreen.stty(["-g"]),
      FullScreen.stty(["-icanon", "-echo", "-isig", "min", "0", "time", "1"]) != nil
    else { return nil }
    self.modes = modes
    measure()
  }

  /// Runs `body` on the whole screen and leaves the terminal as it was.
  ///
  /// - Returns: false where the terminal cannot be taken over.
  static func run(_ body: (inout FullScreen) async throws -> Void) async throws -> Bool {
    guard var screen = FullScreen() else { return false }
    defer {
      try? screen.put("\u{1B}[?25h\u{1B}[?1049l")
      _ = stty([screen.modes])
    }
    try screen.put("\u{1B}[?1049h\u{1B}[?25l")
    try await body(&screen)
    return true
  }

  /// Shows `lines` in the place of everything before.
  mutating func show(_ frame: (_ width: Int, _ height: Int) -> [String]) throws(OutputError) {
    measure()
    let lines = frame(size.width, size.height).map { $0 + "\u{1B}[K" }
    try put("\u{1B}[H" + lines.joined(separator: "\r\n") + "\u{1B}[J")
  }

  /// The next key; nil when the terminal is gone.
  func nextKey() -> Key? {
    // A closed terminal answers at once, again and again; an open one takes its tenth of a second.
    var hasty = 0
    while hasty < 50 {
      let start = ContinuousClock.now
      guard let byte = FullScreen.byte() else {
        hasty = ContinuousClock.now - start < .milliseconds(20) ? hasty + 1 : 0
        continue
      }
      if byte != 0x1B { return .character(FullScreen.character(byte)) }
      guard let second = FullScreen.byte(), second == 0x5B || second == 0x4F else {
        return .character("\u{1B}")
      }
      if let key = FullScreen.arrow() { return key }
    }
    return nil
  }

  /// The key of an escape sequence, read to its end.
  private static func arrow() -> Key? {
    var parameter: UInt8?
    while let byte = byte() {
      switch byte {
      case 0x41: return .up
      case 0x42: return .down
      case 0x48: return .home
      case 0x7E: return parameter == 0x35 ? .pageUp : parameter == 0x36 ? .pageDown : .home
      case 0x30...0x3B: parameter = parameter ?? byte
      default: return nil
      }
    }
    return nil
  }

  /// A byte of UTF-8 is a key of its own; none of ours has more than one.
  private static func character(_ byte: UInt8) -> Character { Character(Unicode.Scalar(byte)) }

  private static func byte() -> UInt8? {
    (try? FileHandle.standardInput.read(upToCount: 1))?.first
  }

  private func put(_ text: String) throws(OutputError) {
    try Terminal.write(text, to: .standardOutput, named: "the terminal")
  }

  private mutating func measure() {
    let numbers = (FullScreen.stty(["size"]) ?? "").split(separator: " ").compactMap { Int($0) }
    if numbers.count == 2, numbers[0] > 0, numbers[1] > 0 { size = (numbers[0], numbers[1]) }
  }

  /// What `stty` prints; nil where it fails.
  private static func stty(_ arguments: [String]) -> String? {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["stty"] + arguments
    process.standardInput = FileHandle.standardInput
    let output = Pipe()
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    do { try process.run() } catch { return nil }
    let data = (try? output.fileHandleForReading.readToEnd()) ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else { return nil }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
