import Foundation

/// Where output goes and what that place can show.
struct Terminal: Sendable {
  enum Style: String, Sendable {
    case plain = ""
    case bold = "1"
    case dim = "2"
    case red = "31"
    case green = "32"
  }

  /// Whether standard output is a terminal that may be coloured.
  let hasColours: Bool
  /// Whether a person watches standard error.
  let isErrorWatched: Bool

  init(environment: [String: String] = ProcessInfo.processInfo.environment) {
    let refusesColour = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let isDumb = environment["TERM"] == "dumb"
    hasColours = isatty(1) == 1 && !refusesColour && !isDumb
    isErrorWatched = isatty(2) == 1 && !isDumb
  }

  func styled(_ text: String, _ style: Style) -> String {
    hasColours && style != .plain ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }

  /// Writes to standard output.
  ///
  /// - Throws: `OutputError`, of which a closed pipe is not worth a word.
  func write(_ text: String) throws(OutputError) {
    try Terminal.write(text, to: .standardOutput, named: "standard output")
  }

  /// Writes to standard error; a message that nobody can receive is lost.
  func complain(_ text: String) {
    try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
  }

  static func write(
    _ text: String, to handle: FileHandle, named name: String
  ) throws(OutputError) {
    do {
      try handle.write(contentsOf: Data(text.utf8))
    } catch {
      let code = errorCode(error)
      throw code == EPIPE ? .closedPipe : .failed(name, reason: reason(error))
    }
  }

  /// Replaces the file at `path` by what `body` writes.
  ///
  /// - Throws: `OutputError` where the file cannot be written, and what `body` throws.
  static func write(
    toFile path: String, _ body: (_ write: (String) throws -> Void) throws -> Void
  ) throws {
    do {
      try Data().write(to: URL(filePath: path))
      let handle = try FileHandle(forWritingTo: URL(filePath: path))
      try body { try write($0, to: handle, named: "'\(path)'") }
      try handle.close()
    } catch let error as OutputError {
      throw error
    } catch {
      throw OutputError.failed("'\(path)'", reason: reason(error))
    }
  }

  /// The system's error number inside Foundation's errors.
  private static func errorCode(_ error: any Error) -> Int32? {
    let error = error as NSError
    if error.domain == NSPOSIXErrorDomain { return Int32(error.code) }
    return (error.userInfo[NSUnderlyingErrorKey] as? any Error).flatMap(errorCode)
  }

  /// The system's words for `error`, else Foundation's.
  static func reason(_ error: any Error) -> String {
    guard let code = errorCode(error) else { return (error as NSError).localizedDescription }
    let words = POSIXErrorCode(rawValue: code).map { POSIXError($0).localizedDescription }
    // Foundation on Linux puts a sentence before the system's words.
    return words?.split(separator: ". ").last.map(String.init) ?? "error \(code)"
  }
}

/// Output that could not be written.
enum OutputError: Error, Hashable, Sendable {
  /// The reader went away, as `head` does: no mistake.
  case closedPipe
  case failed(String, reason: String)
}

extension OutputError: CustomStringConvertible {
  var description: String {
    switch self {
    case .closedPipe: "the reader of standard output went away"
    case .failed(let name, let reason): "cannot write \(name): \(reason)"
    }
  }
}
