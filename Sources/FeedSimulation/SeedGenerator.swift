import FeedStore
package import Seeds

/// Makes the documents of a seed, at any size, from a number.
///
/// The shipped files are what this makes with `seed` 1 and the seed's own count.
package struct SeedGenerator: Sendable {
  package static let shippedSeed: UInt64 = 1

  package let seed: Seed
  package let count: Int
  package let randomSeed: UInt64

  package init(_ seed: Seed, count: Int? = nil, randomSeed: UInt64 = shippedSeed) {
    self.seed = seed
    self.count = count ?? seed.count
    self.randomSeed = randomSeed
  }

  /// The documents, one JSON object a line, each line closed.
  package var text: String {
    var text = ""
    writeLines { text += $0 }
    return text
  }

  /// Hands every line, closed by a line feed, to `write` as soon as it is made.
  package func writeLines(_ write: (String) throws -> Void) rethrows {
    // The name takes part, so that no two seeds share their ids.
    let salt = seed.name.utf8.reduce(0) { $0 &* 257 &+ UInt64($1) }
    var random = SeededRandom(seed: randomSeed ^ salt)
    var state = State()
    for index in 0..<count {
      let document =
        switch seed.name {
        case Seed.articles.name: article(&random, &state)
        case Seed.anime.name: series(&random, &state, index)
        case Seed.banks.name: bank(&random, &state, index)
        default: post(&random, &state, index)
        }
      try write(JSONText.object(document).compact + "\n")
    }
  }

  /// What one document leaves for the next.
  private struct State {
    /// Milliseconds since 1970.
    var clock = 1_767_571_200_000  // 2026-01-05T00:00:00Z
    var leftInBurst = 0
    /// Hundredths of a point.
    var score = 936
    /// The names of banks so far.
    var names: Set<String> = []
  }

  private typealias Members = [(String, JSONText)]

  // MARK: Posts

  /// Single posts carry milliseconds; a scheduler publishes bursts on the quarter hour; one import
  /// of older posts shares a single time; a draft has no time yet.
  private func post(_ random: inout SeededRandom, _ state: inout State, _ index: Int) -> Members {
    let imported = count * 2 / 5..<count * 2 / 5 + count / 25
    if imported.contains(index) {
      if index == imported.lowerBound { nextQuarter(&state, &random, within: 1...4) }
      state.leftInBurst = 0
    } else if state.leftInBurst > 0 {
      state.leftInBurst -= 1
    } else if random.chance(18) {
      nextQuarter(&state, &random, within: 1...6)
      state.leftInBurst = random.number(in: 1...5)
    } else {
      state.clock += random.number(in: 20_000...3_600_000)
    }
    var document: Members = [
      ("id", .text(randomID(&random))),
      ("author", .text(random.element(of: Vocabulary.authors))),
      ("kind", .text(random.element(of: Vocabulary.kinds))),
      ("text", .text(Vocabulary.sentence(&random))),
      ("likes", .integer(skewed(&random, upTo: 900))),
      ("comments", .integer(skewed(&random, upTo: 60))),
    ]
    if count >= 10, index == count / 2 {
      document.append(("createdAt", .null))
    } else if index % 83 != 41 {
      document.append(("createdAt", .text(timestamp(state.clock))))
    }
    return document
  }

  private func nextQuarter(
    _ state: inout State, _ random: inout SeededRandom, within quarters: ClosedRange<Int>
  ) {
    let quarter = 900_000
    state.clock = (state.clock / quarter + random.number(in: quarters)) * quarter
  }

  // MARK: Articles

  private func article(_ random: inout SeededRandom, _ state: inout State) -> Members {
    if state.leftInBurst == 0 {
      let day = 86_400_000
      state.clock = (state.clock / day + 1) * day + 6 * 3_600_000
      state.leftInBurst = random.number(in: 1...4)
    }
    state.leftInBurst -= 1
    return [
      ("id", .text(randomID(&random))),
      ("title", .text(Vocabulary.headline(&random))),
      ("section", .text(random.element(of: Vocabulary.sections))),
      ("author", .text(random.element(of: Vocabulary.fullNames))),
      ("words", .integer(random.number(in: 6...48) * 50)),
      ("featured", .boolean(random.chance(12))),
      ("publishedAt", .text(timestamp(state.clock))),
    ]
  }

  // MARK: Ranking

  private func series(
    _ random: inout SeededRandom, _ state: inout State, _ index: Int
  ) -> Members {
    state.score = max(100, state.score - random.below(3) * random.below(2))
    let cents = state.score % 100
    let digits = "\(state.score / 100).\(cents < 10 ? "0" : "")\(cents)"
    return [
      ("id", .text(padded(index + 1, to: 5))),
      ("rank", .integer(index + 1)),
      ("title", .text(Vocabulary.series(&random))),
      ("score", .number(digits)),
      ("episodes", .integer([1, 10, 11, 12, 12, 12, 13, 24, 25, 26, 52][random.below(11)])),
      ("year", .integer(random.number(in: 1986...2025))),
      ("studio", .text(random.element(of: Vocabulary.studios))),
    ]
  }

  // MARK: Banks

  /// A name is used once, as long as there are enough of them.
  private func bank(_ random: inout SeededRandom, _ state: inout State, _ index: Int) -> Members {
    var city = ""
    var name = ""
    for _ in 0..<20 {
      city = random.element(of: Vocabulary.towns)
      name = "\(Vocabulary.bank(&random)) of \(city)"
      if state.names.insert(name).inserted { break }
    }
    return [
      ("id", .text("bank-\(padded(index + 1, to: 4))")),
      ("name", .text(name)),
      ("code", .text(padded((index * 7919 + random.below(7)) % 10_000, to: 4))),
      ("city", .text(city)),
      ("founded", .integer(random.number(in: 1851...2019))),
      ("branches", .integer(1 + skewed(&random, upTo: 240))),
      ("online", .boolean(random.chance(70))),
    ]
  }

  // MARK: Parts

  /// Many small numbers, few large ones.
  private func skewed(_ random: inout SeededRandom, upTo bound: Int) -> Int {
    let number = random.below(1000)
    return number * number / 1000 * bound / 1000
  }

  private func randomID(_ random: inout SeededRandom) -> String {
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)
    let bytes = (0..<20).map { _ in alphabet[random.below(alphabet.count)] }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func padded(_ number: Int, to width: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  /// ISO 8601 in UTC, with milliseconds where there are any.
  private func timestamp(_ milliseconds: Int) -> String {
    let (days, rest) = (milliseconds / 86_400_000, milliseconds % 86_400_000)
    let era = (days + 719_468) / 146_097
    let dayOfEra = days + 719_468 - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shifted = (5 * dayOfYear + 2) / 153
    let month = shifted < 10 ? shifted + 3 : shifted - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    let day = dayOfYear - (153 * shifted + 2) / 5 + 1
    let seconds = rest / 1000
    let time = [seconds / 3600, seconds / 60 % 60, seconds % 60].map { padded($0, to: 2) }
    let fraction = rest % 1000 == 0 ? "" : "." + padded(rest % 1000, to: 3)
    return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))T"
      + time.joined(separator: ":") + fraction + "Z"
  }
}
