import MIDI
import Realtime
import Synchronization

/// The events of an instrument: those played live and those of a timeline, both at times in frames of its own rate.
public final class EventInput: Sendable {
  /// How many live events may wait: more than a second of the densest stream that a MIDI 1.0 cable carries.
  public static let liveCapacity = 4096

  let live = RingBuffer<MIDIEvent>(minimumCapacity: liveCapacity)
  let timelines = CheckedMutex(Handoff<Timeline>())
  let payloads = SysExPool()
  /// How many live events had been sent at the last reset; those not played until then are dropped.
  let staleCount = Atomic<Int>(0)

  public init() {}

  /// Sends an event to be played at its time, or at the next quantum if that has passed. Only one thread may send at a
  /// time. [any thread]
  ///
  /// - Returns: false when the queue is full and the event was dropped.
  public func send(_ event: MIDIEvent) -> Bool { live.producer.push(event) }

  /// Sends the bytes of a System Exclusive message between F0 and F7, which are copied. Only one thread may send at a
  /// time. [any thread]
  ///
  /// - Returns: false when the message was dropped because it is longer than 1024 bytes or 32 others wait.
  public func send(systemExclusive payload: UnsafeBufferPointer<UInt8>, time: Int64, source: UInt32 = 0) -> Bool {
    guard let copy = payloads.take(payload) else { return false }
    let isSent = send(MIDIEvent(time: time, systemExclusive: copy, source: source))
    if !isSent { payloads.restore(copy) }
    return isSent
  }

  /// Plays a timeline from its start at the next quantum, in place of the present one. [control thread]
  public func play(_ timeline: Timeline) { timelines.withLock { $0.send(timeline) } }

  /// Drops all events that have not been played yet. The rack calls it in its `reset`. [control thread]
  public func reset() {
    timelines.withLock { _ = $0.withdraw() }
    staleCount.store(live.pushCount, ordering: .releasing)
  }
}

/// The reading end of an event input: live events and the timeline's, merged by time. [audio thread]
struct EventReader: ~Copyable {
  private let input: Unmanaged<EventInput>
  private let live: RingBuffer<MIDIEvent>.Consumer
  private let timelines: Handoff<Timeline>.Receiver
  private let payloads: SysExPool.End
  /// The payload of the last live event; it has been played when the next event is asked for.
  private var playedPayload: UnsafePointer<UInt8>?
  private var timeline: Unmanaged<Timeline>?
  private var scheduled = UnsafeBufferPointer<MIDIEvent>(start: nil, count: 0)
  private var startTime: Int64 = 0
  private var position = 0

  init(_ input: EventInput) {
    self.input = .passUnretained(input)
    live = input.live.consumer
    timelines = input.timelines.withLock { $0.receiver }
    payloads = input.payloads.end
  }

  deinit { timeline?.release() }

  /// Takes over a new timeline, which then begins at this quantum; false without one.
  @_noLocks
  mutating func adoptTimeline(at sampleTime: Int64) -> Bool {
    guard timelines.adopt(&timeline), let timeline else { return false }
    scheduled = timeline._withUnsafeGuaranteedRef { $0.events }
    startTime = sampleTime
    position = 0
    return true
  }

  /// The earliest event due before a time. At the same time the timeline's comes first.
  @_noLocks
  mutating func next(before time: Int64) -> MIDIEvent? {
    if let payload = playedPayload {
      payloads.giveBack(payload)
      playedPayload = nil
    }
    dropStale()
    let scheduled = scheduledEvent()
    let played = live.peek()
    if let scheduled, scheduled.time < time, scheduled.time <= played?.time ?? .max {
      position &+= 1
      return scheduled
    }
    guard let played, played.time < time else { return nil }
    playedPayload = played.payloadStart
    return live.pop()
  }

  /// Drops the live events that were sent before the input was reset.
  @_noLocks
  private mutating func dropStale() {
    let staleCount = input._withUnsafeGuaranteedRef { $0.staleCount.load(ordering: .acquiring) }
    while live.popCount < staleCount, let event = live.pop() {
      if let payload = event.payloadStart { payloads.giveBack(payload) }
    }
  }

  /// The timeline's next event, its time moved to the rack's clock.
  @_noLocks
  private func scheduledEvent() -> MIDIEvent? {
    guard position < scheduled.count, var event = scheduled.baseAddress?[position] else { return nil }
    event.time &+= startTime
    return event
  }
}
