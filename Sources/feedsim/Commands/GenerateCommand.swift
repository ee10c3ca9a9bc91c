import FeedSimulation
import FeedStore
import Foundation

extension CommandOption {
  static let count = CommandOption(
    name: "count", kind: .integer(0...100_000_000), value: "N",
    help: "How many documents to make (as many as are shipped).")
  static let generatorSeed = CommandOption(
    name: "seed", kind: .integer(0...Int.max), value: "N",
    help: "Decides every document; the same number, the same bytes (1, as shipped).")
  static let destination = CommandOption(
    name: "to", kind: .text, value: "FILE", help: "Write to a file instead of standard output.")
}

extension CommandOption {
  static let store = CommandOption(
    name: "store", kind: .text, value: "DIR",
    help: "Put the documents into the database in a directory, under the seed's name.")
}

extension Command {
  static let generate = Command(
    name: "generate",
    summary: "Make the documents of a shipped seed, at any size, as JSON lines.",
    discussion: "Everything in them is invented. SEED is one of\n"
      + Seed.all.map { seed in
        "  \(seed.name) (\(seed.count.grouped)): \(seed.summary)\n"
      }.joined() + "Without SEED, posts.",
    positionals: ["SEED"], options: [.count, .generatorSeed, .destination, .store, .help],
    examples: [
      "feedsim generate anime --count 3",
      "feedsim generate posts --count 100000 --seed 7 --to posts.jsonl",
      "feedsim generate anime --store ~/anime",
    ]
  ) { arguments, terminal in
    let name = arguments.positionals.first ?? Seed.posts.name
    guard let seed = Seed.all.first(where: { $0.name == name }) else {
      throw UsageError.unknownChoice(
        "generate", given: name, choices: Seed.all.map(\.name))
    }
    let generator = SeedGenerator(
      seed, count: arguments.integer(.count),
      randomSeed: arguments.integer(.generatorSeed).map(UInt64.init)
        ?? SeedGenerator.shippedSeed)
    if let directory = arguments.text(.store) {
      guard arguments.text(.destination) == nil else {
        throw UsageError.onlyOneOf("--to", "--store")
      }
      return try generator.store(seed, in: directory, terminal)
    }
    guard let path = arguments.text(.destination) else {
      return try generator.writeInBlocks { try terminal.write($0) }
    }
    try Terminal.write(toFile: path) { write in try generator.writeInBlocks(write) }
  }
}

extension SeedGenerator {
  fileprivate func store(_ seed: Seed, in directory: String, _ terminal: Terminal) throws {
    let firestore = try Firestore(directory: directory)
    if let notice = firestore.recoveryNotice { terminal.complain("feedsim: \(notice)\n") }
    let documents = try DocumentImport(Array(text.utf8), timestampFields: seed.timestampFields)
      .documents
    try firestore.add(documents, to: seed.name)
    try firestore.close()
    try terminal.write("stored \(documents.count.grouped) documents in '\(directory)'\n")
  }

  /// Hands over about 64 KiB at a time: a system call for each line would take most of the time.
  fileprivate func writeInBlocks(_ write: (String) throws -> Void) throws {
    var block = ""
    try writeLines { line in
      block += line
      if block.utf8.count > 65_536 {
        try write(block)
        block = ""
      }
    }
    if !block.isEmpty { try write(block) }
  }
}
