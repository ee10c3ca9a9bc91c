import FeedStore
import Foundation

/// What the command line asks for.
struct BenchOptions {
  struct Mistake: Error, CustomStringConvertible {
    let description: String
  }

  var mode = ""
  var directory = ""
  var documents = 10_000
  var isDurable = false
  var budget = 2.0
  var evicts = false
  var decoding = Decoding.lazy
  var isQuick = false

  static let usage = """
    feedbench measures a feed of posts in a FeedStore, and checks every answer.

      feedbench --quick                 one minute, a table, nothing else needed
      feedbench --mode loads --n COUNT  a million simulated page loads against bare queries
      feedbench --mode listeners        writes beside 0, 10 and 10,000 listeners
      feedbench --mode MODE --dir DIR --n COUNT [--sync fsync|none] [--budget SECONDS]
                [--evict] [--decode lazy|struct|codable]
                                        one step of the workload, as JSON lines

    MODE is load, read, open, rss, write or mt; load makes the store in DIR, the others use it.
    """

  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let option = rest.popFirst() {
      switch option {
      case "--quick": isQuick = true
      case "--evict": evicts = true
      default:
        guard let value = rest.popFirst() else {
          throw Mistake(description: "'\(option)' is unknown or lacks its value")
        }
        try set(option, to: value)
      }
    }
    let isAlone = isQuick || ["loads", "listeners"].contains(mode)
    if !isAlone && (mode.isEmpty || directory.isEmpty) {
      throw Mistake(description: "--mode and --dir are needed, or --quick")
    }
  }

  private mutating func set(_ option: String, to value: String) throws {
    switch option {
    case "--mode": mode = value
    case "--dir": directory = value
    case "--n":
      guard let count = Int(value), count >= 100 else {
        throw Mistake(description: "--n takes a whole number of at least 100, not '\(value)'")
      }
      documents = count
    case "--budget":
      guard let seconds = Double(value), seconds > 0 else {
        throw Mistake(description: "--budget takes seconds, not '\(value)'")
      }
      budget = seconds
    case "--sync":
      guard ["fsync", "none"].contains(value) else {
        throw Mistake(description: "--sync takes fsync or none, not '\(value)'")
      }
      isDurable = value == "fsync"
    case "--decode":
      guard let decoding = Decoding(rawValue: value) else {
        throw Mistake(description: "--decode takes lazy, struct or codable, not '\(value)'")
      }
      self.decoding = decoding
    default: throw Mistake(description: "there is no option '\(option)'")
    }
  }
}

@main
struct FeedBench {
  static func main() async {
    do {
      let options = try BenchOptions(Array(CommandLine.arguments.dropFirst()))
      if options.isQuick {
        try await QuickBenchmark().run()
      } else if options.mode == "loads" {
        try await PageLoadBenchmark(documents: options.documents, loads: 1_000_000).run()
      } else if options.mode == "listeners" {
        try await ListenerBenchmark().run()
      } else {
        try await PeerProtocol(options).run()
      }
    } catch let mistake as BenchOptions.Mistake {
      fail("\(mistake.description)\n\(BenchOptions.usage)", code: 64)
    } catch {
      fail("\(error)", code: 1)
    }
  }

  private static func fail(_ text: String, code: Int32) -> Never {
    FileHandle.standardError.write(Data("feedbench: \(text)\n".utf8))
    exit(code)
  }
}
