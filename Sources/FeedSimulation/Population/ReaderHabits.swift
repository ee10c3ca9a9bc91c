/// How many people read a feed, how they scroll, over which network, and what is written meanwhile.
///
/// Chances are whole percents. The seed decides everything; the same habits, the same run.
package struct ReaderHabits: Hashable, Sendable {
  package var readers = 100
  /// The time over which they come for the first time.
  package var minutes = 60
  package var pageSize = 15
  /// How far a session goes: after each page it goes on with the same chance.
  package var meanPages = 4
  /// Where every session ends at the latest; nil lets it go to the end of the feed.
  package var mostPages: Int?
  package var secondsAPage = 12
  /// After a page: a pull to refresh.
  package var refreshPercent = 10
  /// After a session: another one, about so much later.
  package var returnPercent = 30
  package var minutesAway = 20
  /// The end of the list is reached and the trigger fires a second time.
  package var doubleFirePercent = 15
  /// Whether a load that runs keeps a second trigger from sending a second query.
  package var isGuarded = true
  /// The reader leaves while a page is on its way.
  package var cancelPercent = 3
  /// Sessions that begin without any network, and see what the cache holds or nothing.
  package var offlinePercent = 0
  /// Whether the client keeps what it has read on its disk.
  package var hasPersistentCache = false
  package var network = SimulatedNetwork()
  package var insertsAMinute = 2
  package var editsAMinute = 5
  package var deletesAMinute = 1
  package var seed: UInt64 = 1

  package init() {}
}

/// What a request goes through on its way: virtual time, no waiting.
package struct SimulatedNetwork: Hashable, Sendable {
  /// There and back, on average; one request takes from half of it to one and a half.
  package var latencyMilliseconds = 120
  /// Half of the requests that fail never arrive, and of the other half the answer is lost.
  package var failurePercent = 1
  /// How often a failed load is tried again, each time a second later.
  package var retries = 2

  package init() {}

  /// The fate of one request.
  struct Passage {
    let there: Int
    let back: Int
    let isLostOnTheWayThere: Bool
    let isLostOnTheWayBack: Bool
  }

  func passage(_ random: inout SeededRandom) -> Passage {
    let latency = latencyMilliseconds / 2 + random.below(latencyMilliseconds + 1)
    let fails = random.chance(failurePercent)
    let isAnswerLost = random.chance(50)
    return Passage(
      there: latency / 2, back: latency - latency / 2,
      isLostOnTheWayThere: fails && !isAnswerLost, isLostOnTheWayBack: fails && isAnswerLost)
  }
}
