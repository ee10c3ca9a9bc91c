/// The posts of the benchmark: post `i` is a pure function of `i`, so that every store in any language
/// can be loaded with the same documents and checked against the same order.
struct FeedPost: Codable, Equatable, Sendable {
  var id: String
  var createdAt: Int64
  var author: String
  var title: String
  var body: String
  var likes: Int64
  var score: Double
  var tags: [String]
  var published: Bool
}

/// SplitMix64.
struct BenchRandom {
  private var state: UInt64

  init(_ state: UInt64) { self.state = state }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return z ^ (z >> 31)
  }

  /// A number below `bound`, which is less than 2^32.
  mutating func below(_ bound: Int) -> Int {
    Int(((next() >> 32) &* UInt64(bound)) >> 32)
  }
}

enum FeedWorkload {
  static let pageSize = 15
  static let batchSize = 500
  static let authors = 1000
  private static let documentSeed: UInt64 = 0x5EED_0F12_E570_4E01
  static let querySeed: UInt64 = 0x5EED_0F12_E570_4E02
  static let updateSeed: UInt64 = 0x5EED_0F12_E570_4E03

  private static let alphanumerics = Array(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
  private static let letters = Array("abcdefghijklmnopqrstuvwxyz      ".utf8)

  static func post(_ number: Int) -> FeedPost {
    var seed = BenchRandom(documentSeed ^ (UInt64(number) &* 0xD134_2543_DE82_EF95))
    var random = BenchRandom(seed.next())
    let id = (0..<20).map { _ in alphanumerics[random.below(62)] }
    let tick = Int64((number + random.below(200)) / 10)
    let author = padded("user", random.below(authors), digits: 4)
    let titleLength = 30 + random.below(31)
    let hasAccent = random.below(16) == 0
    let title = (hasAccent ? "É" : "") + text(titleLength, &random)
    let body = text(180 + random.below(41), &random)
    let likes = Int64(1_000_000 / (1 + random.below(1_000_000)) - 1)
    let score = Double(random.next() >> 11) * 0x1p-53 * 2.0 - 1.0
    let tags = (0..<3).map { _ in padded("tag", random.below(50), digits: 2) }
    return FeedPost(
      id: String(decoding: id, as: UTF8.self),
      createdAt: 1_700_000_000_000_000 + tick * 1_234_567, author: author, title: title,
      body: body, likes: likes, score: score, tags: tags, published: random.below(10) != 0)
  }

  private static func text(_ length: Int, _ random: inout BenchRandom) -> String {
    var bytes: [UInt8] = []
    while bytes.count < length {
      var draw = random.next()
      for _ in 0..<min(12, length - bytes.count) {
        bytes.append(letters[Int(draw & 31)])
        draw >>= 5
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  static func padded(_ prefix: String, _ number: Int, digits: Int) -> String {
    let text = String(number)
    return prefix + String(repeating: "0", count: digits - text.utf8.count) + text
  }
}

/// The right answers: ranks in the order of the feed, which is `createdAt` and id, both descending.
struct FeedReference {
  struct Row {
    let number: Int
    let id: String
    let createdAt: Int64
    let author: String
    let likes: Int64
  }

  /// In the order of the feed.
  let rows: [Row]
  /// The ranks of each author's posts.
  let ranksByAuthor: [String: [Int]]
  let postsWithTenLikes: Int

  init(count: Int) {
    var rows = (0..<count).map { number in
      let post = FeedWorkload.post(number)
      return Row(
        number: number, id: post.id, createdAt: post.createdAt, author: post.author,
        likes: post.likes)
    }
    rows.sort { left, right in
      if left.createdAt != right.createdAt { return left.createdAt > right.createdAt }
      return right.id.utf8.lexicographicallyPrecedes(left.id.utf8)
    }
    ranksByAuthor = Dictionary(grouping: rows.indices) { rows[$0].author }
    postsWithTenLikes = rows.count { $0.likes >= 10 }
    self.rows = rows
  }
}
