/// What will happen, the earliest first; of what happens at the same time, what was announced first.
struct EventQueue<Event> {
  private struct Entry {
    let time: Int
    let number: Int
    let event: Event

    func isBefore(_ other: Entry) -> Bool { (time, number) < (other.time, other.number) }
  }

  /// A binary heap: no entry is before its parent at half its place.
  private var heap: [Entry] = []
  private var count = 0

  /// Announces `event` for a time in milliseconds.
  mutating func add(_ event: Event, at time: Int) {
    heap.append(Entry(time: time, number: count, event: event))
    count += 1
    var child = heap.count - 1
    while child > 0, heap[child].isBefore(heap[(child - 1) / 2]) {
      heap.swapAt(child, (child - 1) / 2)
      child = (child - 1) / 2
    }
  }

  /// Takes out the next event; nil when nothing more will happen.
  mutating func next() -> (time: Int, event: Event)? {
    guard let first = heap.first, let last = heap.popLast() else { return nil }
    guard !heap.isEmpty else { return (first.time, first.event) }
    heap[0] = last
    var parent = 0
    while true {
      let children = (2 * parent + 1..<2 * parent + 3).clamped(to: 0..<heap.count)
      guard let least = children.min(by: { heap[$0].isBefore(heap[$1]) }),
        heap[least].isBefore(heap[parent])
      else { return (first.time, first.event) }
      heap.swapAt(parent, least)
      parent = least
    }
  }
}
