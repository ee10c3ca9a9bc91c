import FeedSimulation
import FeedStore
import Foundation
import Seeds
import Testing

@Suite struct SeedTests {
  @Test(arguments: Seed.all)
  func `a shipped file is what the generator makes`(seed: Seed) throws {
    let shipped = try seed.contents()
    let generated = Data(SeedGenerator(seed).text.utf8)
    #expect(
      shipped == generated, "run: feedsim generate \(seed.name) --to Seeds/Collections/\(seed.file)"
    )
  }

  @Test(arguments: Seed.all)
  func `the index describes the file`(seed: Seed) throws {
    let source = try DocumentImport(
      [UInt8](seed.contents()), timestampFields: seed.timestampFields)
    #expect(source.documents.count == seed.count)
    #expect(try source.countOfDocuments(having: [seed.orderField]) > seed.count * 9 / 10)
  }

  @Test(arguments: Seed.all)
  func `a seed can be made at any size, and another number makes other documents`(seed: Seed) {
    for count in [0, 1, 7, 2000] {
      let text = SeedGenerator(seed, count: count).text
      #expect(text.split(separator: "\n").count == count)
    }
    #expect(
      SeedGenerator(seed, count: 50, randomSeed: 2).text
        != SeedGenerator(seed, count: 50, randomSeed: 3).text)
  }

  @Test func `the posts have ties, drafts and one null`() throws {
    let lines = try #require(String(data: Seed.posts.contents(), encoding: .utf8))
      .split(separator: "\n")
    let times = lines.compactMap { $0.firstMatch(of: /"createdAt":"([^"]+)"/)?.output.1 }
    let sizes = Dictionary(grouping: times) { $0 }.mapValues(\.count)
    #expect(lines.count { !$0.contains("createdAt") } == 12)
    #expect(lines.count { $0.contains("\"createdAt\":null") } == 1)
    #expect(sizes.values.max() == 40)
    #expect(sizes.values.count { $0 > 1 } > 50)
  }

  @Test func `random numbers stay what they were`() {
    // The first numbers that the author of SplitMix64 gives for this seed.
    var random = SeededRandom(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
    #expect((0..<1000).allSatisfy { _ in (0..<10).contains(random.below(10)) })
    #expect(random.below(0) == 0)
  }

  @Test func `money is exact`() {
    #expect(ReadPrice.nam5.dollars(reads: 98_322, times: 1000).description == "58.9932")
    #expect(ReadPrice.nam5.dollars(reads: 1707, times: 1_000_000).description == "1024.2")
    #expect(ReadPrice.usCentral1.dollars(reads: 1, times: 1).description == "0.0000003")
  }
}
