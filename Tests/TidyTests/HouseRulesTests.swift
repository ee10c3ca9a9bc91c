import Testing

/// The rules of the house, applied to every source file.
@Suite struct HouseRulesTests {
  private static let sources = SourceTree.swiftFiles(in: "Sources")
  private static let everything = sources + SourceTree.swiftFiles(in: "Tests")

  /// Where a rule is broken, as `path:line`.
  private func places(
    of pattern: some RegexComponent, in files: [SourceTree.File] = sources
  ) -> [String] {
    files.flatMap { file in
      file.code.filter { $0.line.contains(pattern) }.map { "\(file.path):\($0.number)" }
    }
  }

  @Test func `there are sources to look at`() {
    #expect(!HouseRulesTests.sources.isEmpty)
  }

  @Test func `a file has one purpose and at most 400 lines`() {
    let long = HouseRulesTests.everything.filter { $0.lines.count > 401 }
    #expect(long.map { "\($0.path): \($0.lines.count)" } == [])
  }

  /// Where there is Objective-C, a transaction's block puts its error behind a raw pointer.
  private static let errorPointers = "Sources/FeedStore/Client/ErrorPointer.swift"

  @Test func `unsafe code stays in the storage engine`() {
    let outside = HouseRulesTests.sources.filter {
      $0.room != "StorageEngine" && $0.path != HouseRulesTests.errorPointers
    }
    #expect(places(of: /\bunsafe\b|\bUnsafe[A-Z]|@unsafe|withUnsafe/, in: outside) == [])
  }

  /// What the compiler cannot see, beside the file in which an exception may stand.
  private static let uncheckedSendable: [String: String] = {
    let subclassed = "a class with subclasses has no checked Sendable; it holds only constants"
    return [
      "Sources/FeedStore/API/CollectionReference.swift": subclassed,
      "Sources/FeedStore/API/DocumentSnapshot.swift": subclassed,
      "Sources/FeedStore/API/Query.swift": subclassed,
      "Sources/FeedStore/Client/QueuedCallback.swift":
        "Firebase's closures are not Sendable; it calls its one on the settings' queue alone",
    ]
  }()

  @Test func `no conformance to Sendable is taken on trust`() {
    let files = HouseRulesTests.sources.filter {
      HouseRulesTests.uncheckedSendable[$0.path] == nil && $0.room != "StorageEngine"
    }
    #expect(places(of: /@unchecked|nonisolated\(unsafe\)|@preconcurrency/, in: files) == [])
  }

  @Test func `every exception for Sendable is still needed`() {
    for path in HouseRulesTests.uncheckedSendable.keys {
      let file = HouseRulesTests.sources.filter { $0.path == path }
      #expect(places(of: /@unchecked|nonisolated\(unsafe\)|@preconcurrency/, in: file) != [])
    }
  }

  @Test func `nothing in the sources can crash on input`() {
    #expect(places(of: /\btry!|\bas!|\bfatalError\(|\bassertionFailure\(/) == [])
  }

  @Test func `the lower rooms do without Foundation`() {
    let lower: Set = ["StorageEngine", "DocumentDatabase", "ReadBilling"]
    let files = HouseRulesTests.sources.filter { lower.contains($0.room) }
    #expect(places(of: /\bimport Foundation\b/, in: files) == [])
  }

  @Test func `no sentence is left for later`() {
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]
    let found = HouseRulesTests.everything.flatMap { file in
      marks.filter { file.text.contains($0) }.map { "\(file.path): \($0)" }
    }
    #expect(found == [])
  }

  /// What each room may import of ours.
  private static let allowedImports: [String: Set<String>] = [
    "StorageEngine": [],
    "ReadBilling": [],
    "DocumentDatabase": ["StorageEngine"],
    "FeedPaging": ["ReadBilling"],
    "FeedStore": ["DocumentDatabase", "FeedPaging", "ReadBilling", "StorageEngine"],
    "FeedSimulation": ["FeedStore", "Seeds"],
    "feedsim": ["FeedSimulation", "FeedStore"],
    "feedbench": ["FeedStore"],
  ]

  @Test func `rooms import only what is below them`() {
    let ours = Set(HouseRulesTests.allowedImports.keys).union(["Seeds"])
    for file in HouseRulesTests.sources {
      let imports = file.lines.compactMap { line in
        line.firstMatch(of: /^(?:@\w+\s+)*(?:\w+\s+)?import\s+(?:\w+\s+)?(\w+)/).map {
          String($0.1)
        }
      }
      let allowed = HouseRulesTests.allowedImports[file.room]
      #expect(allowed != nil, "\(file.path) is in no room of the house")
      #expect(Set(imports).intersection(ours).subtracting(allowed ?? []) == [], "\(file.path)")
    }
  }

  @Test func `the reference model shares nothing with what it judges`() {
    #expect(places(of: /\bimport\b/, in: SourceTree.swiftFiles(in: "Tests/ReferenceModel")) == [])
  }
}
