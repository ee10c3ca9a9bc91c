public import Observation
import ReadBilling

/// Performs what a ``PagerState`` decides: one load at a time, each in a task of its own.
///
/// The main actor guards it, because what it holds is what a screen shows. A load belongs to the
/// pager and not to the caller who caused it: a caller whose task is cancelled stops waiting, but
/// the load goes on, because its reads are billed already and its page will be wanted. Only a
/// refresh, ``cancel()`` and the end of the pager's life cancel a load.
///
/// Views that read ``items`` are not redrawn when only the rest of the ``state`` changes.
@MainActor @Observable
public final class Pager<Source: PageSource>
where Source.Item: Identifiable, Source.Item.ID: Sendable {
  /// The pager's state.
  public typealias State = PagerState<Source.Item, Source.Cursor>

  private let source: Source
  @ObservationIgnored private var storage: State
  @ObservationIgnored private var load: Task<Void, Never>?
  /// What the requests of the running load read, as far as a meter records it.
  @ObservationIgnored private var requests: [PageLoadReads] = []
  @ObservationIgnored private var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
  @ObservationIgnored private var callers = 0

  /// A pager that has loaded nothing.
  ///
  /// - Parameters:
  ///   - source: where the pages come from.
  ///   - pageSize: the number of items asked for at a time; at least one is.
  public init(source: Source, pageSize: Int) {
    self.source = source
    storage = State(pageSize: pageSize)
  }

  deinit {
    load?.cancel()
  }

  /// The items, in the order of the feed, each id once.
  public var items: [Source.Item] {
    access(keyPath: \.items)
    return storage.items
  }

  /// Everything there is to know about the feed.
  public var state: State {
    access(keyPath: \.state)
    return storage
  }

  /// Loads the first page, unless it is there already.
  ///
  /// - Cost: what the page is billed; nothing if it is there or on its way.
  public func loadFirstPage() async { await send(.loadFirstPage) }

  /// Loads the page after the last one; the first page if there is none yet.
  ///
  /// - Cost: what the page is billed; nothing at the end of the feed or if it is on its way.
  public func loadNextPage() async { await send(.loadNextPage) }

  /// Loads the first page anew and puts it in the place of all items.
  ///
  /// - Cost: what the page is billed; nothing if a refresh is on its way.
  public func refresh() async { await send(.refresh) }

  /// Repeats the load that failed, if the last one did.
  ///
  /// - Cost: what the page is billed.
  public func retry() async { await send(.retry) }

  /// Cancels the load that is running; nobody waits for it any longer, and its answer is dropped.
  public func cancel() {
    perform(apply(.cancel))
    resumeCallersIfIdle()
  }
}

extension Pager {
  /// Takes a command in, and waits until the load it started or joined, and any that took that
  /// one's place, has come to an end.
  private func send(_ command: State.Event) async {
    guard !Task.isCancelled else { return }
    let effects = apply(command)
    perform(effects)
    if !effects.isEmpty { await waitUntilIdle() }
  }

  private func receive(_ answer: State.Event, of request: PageLoadReads) {
    let wasted = storage.wastedCost
    let isRunning = answer.generation == storage.run?.generation
    let effects = apply(answer)
    if case .failed = answer {
      request.waste()
    } else if storage.wastedCost != wasted {
      // A first page that leads nowhere takes with it what was read on the way there.
      for request in isRunning ? requests : [request] { request.waste() }
    }
    perform(effects)
    resumeCallersIfIdle()
  }

  /// Changes the state, and tells observers just what can have changed.
  private func apply(_ event: State.Event) -> [State.Effect] {
    if case .loaded(_, let generation) = event, generation == storage.run?.generation {
      return withMutation(keyPath: \.state) {
        withMutation(keyPath: \.items) { storage.handle(event) }
      }
    }
    // No other event touches the items, so trying it on a copy is cheap, and a command that changes
    // nothing redraws nothing: a row that asks for more at the end of the feed must not come round.
    var next = storage
    let effects = next.handle(event)
    if !event.isCommand || effects.contains(where: \.changesState) {
      withMutation(keyPath: \.state) { storage = next }
    }
    return effects
  }

  private func perform(_ effects: [State.Effect]) {
    for effect in effects {
      switch effect {
      case .join: break
      case .cancel: load?.cancel()
      case .load(let cursor, let limit, let generation):
        let request = PageLoadReads()
        if storage.run?.requests == 1 { requests = [] }
        requests.append(request)
        let number = storage.pageNumber(of: storage.run?.load ?? .firstPage)
        load = Task { [weak self, source] in
          let answer: State.Event
          do {
            let page = try await request.collect(page: number) {
              try await source.page(after: cursor, limit: limit)
            }
            answer = .loaded(page, generation: generation)
          } catch {
            answer = .failed(error, generation: generation)
          }
          if let self { receive(answer, of: request) } else { request.waste() }
        }
      }
    }
  }

  /// Returns when nothing runs, or as soon as the caller's task is cancelled.
  private func waitUntilIdle() async {
    callers += 1
    let caller = callers
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        // Cancelled before there was anything to resume: the handler has nothing to find later.
        if Task.isCancelled { continuation.resume() } else { waiting[caller] = continuation }
      }
    } onCancel: {
      Task { @MainActor in waiting.removeValue(forKey: caller)?.resume() }
    }
  }

  private func resumeCallersIfIdle() {
    guard storage.run == nil else { return }
    let resumed = waiting
    waiting = [:]
    for continuation in resumed.values { continuation.resume() }
  }
}

extension PagerState.Event {
  fileprivate var isCommand: Bool {
    switch self {
    case .loadFirstPage, .loadNextPage, .refresh, .retry, .cancel: true
    case .loaded, .failed: false
    }
  }
}

extension PagerState.Event {
  /// The request that the event answers.
  fileprivate var generation: Int? {
    switch self {
    case .loaded(_, let generation), .failed(_, let generation): generation
    case .loadFirstPage, .loadNextPage, .refresh, .retry, .cancel: nil
    }
  }
}

extension PagerState.Effect {
  fileprivate var changesState: Bool {
    if case .join = self { false } else { true }
  }
}
