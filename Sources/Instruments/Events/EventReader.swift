import MIDI
import Realtime

/// An event input as the kernel reads it: live events and the timeline's, merged by time. [audio thread]
struct EventReader: ~Copyable {
  private let input: Unmanaged<EventInput>
  private let live: RingBuffer<MIDIEvent>.Consumer
  private let timelines: Handoff<Timeline>.Receiver
  private let payloads: PayloadBlocks.End
  /// The payload of the live event given out last, which has been played once the next one is asked for.
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

  /// Takes over a new timeline, which then begins at this quantum; false when there is none.
  @_noLocks
  mutating func adoptTimeline(at sampleTime: Int64) -> Bool {
    guard timelines.adopt(&timeline), let timeline else { return false }
    scheduled = timeline._withUnsafeGuaranteedRef { $0.events }
    startTime = sampleTime
    position = 0
    return true
  }

  /// The earliest event due before a time; where both sources have one at the same time, the timeline's.
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

  /// The timeline's next event, its time moved to the engine's clock.
  @_noLocks
  private func scheduledEvent() -> MIDIEvent? {
    guard position < scheduled.count, var event = scheduled.baseAddress?[position] else { return nil }
    event.time &+= startTime
    return event
  }
}
