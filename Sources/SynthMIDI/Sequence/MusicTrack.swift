/// A track of a `MusicSequence`: events in the order of their ticks.
public struct MusicTrack: Hashable, Sendable {
  /// By tick; those of one tick in the order they were added. Whatever is set is brought into this order.
  public var events: [MusicEvent] {
    didSet { settle() }
  }

  /// Where the track ends: at its last event or later.
  public var endTick: UInt32 {
    didSet { endTick = max(endTick, events.last?.tick ?? 0) }
  }

  /// A track of events in any order.
  public init(_ events: [MusicEvent] = [], endTick: UInt32 = 0) {
    (self.events, self.endTick) = (events, endTick)
    settle()
  }

  /// Adds an event after those of the same tick.
  public mutating func add(_ content: MusicEvent.Content, at tick: UInt32) {
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].tick <= tick { low = middle + 1 } else { high = middle }
    }
    events.insert(MusicEvent(tick: tick, content), at: low)
  }

  private mutating func settle() {
    if !zip(events, events.dropFirst()).allSatisfy({ $0.tick <= $1.tick }) {
      // The order of those of one tick matters, so not a sort by tick alone.
      let order = events.indices.sorted { (events[$0].tick, $0) < (events[$1].tick, $1) }
      events = order.map { events[$0] }
    }
    endTick = max(endTick, events.last?.tick ?? 0)
  }
}
