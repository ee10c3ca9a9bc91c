import FeedPaging
import ReadBilling
import TestSupport
import Testing

/// What a reader, a network and a database can do to a pager, in any order.
private enum Operation: CaseIterable {
  case loadFirstPage, loadNextPage, refresh, retry, cancel
  case answer, fail, failAfterBilling
}

/// A pager between a random feed and a network that delivers answers in any order; it keeps books of
/// its own and compares them with the pager's after every step.
private struct Simulation {
  /// The feed: page after page, some empty, some repeating rows of earlier ones.
  let pages: [[Int]]
  /// Each row once, where it comes first: what a reader should see in the end.
  let rows: [Int]
  var generator: SeededGenerator
  var state = State(pageSize: 3)
  var open: [(page: Int, generation: Int)] = []
  var wanted: Int?
  var billed = 0
  var wasted = 0

  init(_ generator: SeededGenerator) {
    self.generator = generator
    var pages: [[Int]] = []
    var rows: [Int] = []
    for _ in 0..<Int.random(in: 1...8, using: &self.generator) {
      let fresh = Int.random(in: 0...3, using: &self.generator)
      let repeated = rows.shuffled(using: &self.generator).prefix(
        Int.random(in: 0...2, using: &self.generator))
      let new = rows.count..<(rows.count + fresh)
      pages.append((repeated + new).shuffled(using: &self.generator))
      rows += pages[pages.count - 1].filter { new.contains($0) }
    }
    self.pages = pages
    self.rows = rows
  }

  func page(_ number: Int) -> Page<Post, Int> {
    .posts(pages[number], next: number + 1 < pages.count ? number + 1 : nil)
  }

  mutating func perform(_ operation: Operation) {
    switch operation {
    case .loadFirstPage: send(.loadFirstPage)
    case .loadNextPage: send(.loadNextPage)
    case .refresh: send(.refresh)
    case .retry: send(.retry)
    case .cancel: send(.cancel)
    case .answer: deliver { .loaded($0, generation: $1) }
    case .fail: deliver { _, generation in .failed(Offline(), generation: generation) }
    case .failAfterBilling:
      deliver { page, generation in
        .failed(BilledFailure(underlying: Offline(), cost: page.cost), generation: generation)
      }
    }
  }

  private mutating func deliver(_ answer: (Page<Post, Int>, Int) -> State.Event) {
    guard let index = open.indices.randomElement(using: &generator) else { return }
    let request = open.remove(at: index)
    let page = page(request.page)
    let event = answer(page, request.generation)
    let isStale = request.generation != wanted
    if !isStale { wanted = nil }
    switch event {
    case .loaded:
      billed += page.cost.reads.total
      if isStale { wasted += page.cost.reads.total }
    case .failed(let error, _) where error is BilledFailure:
      billed += page.cost.reads.total
      wasted += page.cost.reads.total
    default: break
    }
    send(event)
  }

  private mutating func send(_ event: State.Event) {
    for effect in state.handle(event) {
      switch effect {
      case .join: #expect(wanted != nil, "nobody waits for nothing")
      case .cancel(let generation):
        #expect(generation == wanted)
        wanted = nil
      case .load(let cursor, let limit, let generation):
        #expect(wanted == nil, "one load at a time")
        #expect(limit == 3)
        wanted = generation
        open.append((cursor ?? 0, generation))
      }
    }
    if case .cancel = event { wanted = nil }
    #expect((state.running != nil) == (wanted != nil))
    #expect(rows.starts(with: state.items.map(\.id)), "a feed without gap and repetition")
    #expect(state.cost.reads.total == billed)
    #expect(state.wastedCost.reads.total == wasted)
  }
}

@Suite struct RandomPagingTests {
  @Test func `whatever happens in whatever order, the feed is whole and the books are right`() {
    for number in Randomised.cases(1_000) {
      var generator = Randomised.generator(case: number)
      let steps = Int.random(in: 0...60, using: &generator)
      var simulation = Simulation(generator)
      for _ in 0..<steps {
        let operation = Operation.allCases.randomElement(using: &generator) ?? .answer
        simulation.perform(operation)
      }
      while !simulation.open.isEmpty { simulation.perform(.answer) }
      while simulation.state.canLoadMore {
        simulation.perform(.loadNextPage)
        while !simulation.open.isEmpty { simulation.perform(.answer) }
      }
      #expect(simulation.state.items.map(\.id) == simulation.rows, "case \(number)")
      simulation.perform(.loadNextPage)
      #expect(simulation.open.isEmpty, "case \(number): a query after the end")
    }
  }
}
