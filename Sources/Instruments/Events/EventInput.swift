import MIDI
import Realtime
import Synchronization

/// Where an instrument's events come from: what is played live, and a timeline; both on the sample clock.
public final class EventInput: Sendable {
  /// How many live events may wait; 4096 are a second of the densest stream a MIDI 1.0 cable can carry, and more.
  public static let liveCapacity = 4096

  let live = RingBuffer<MIDIEvent>(minimumCapacity: liveCapacity)
  let timelines = Guarded(Handoff<Timeline>())
  let payloads = PayloadBlocks()
  /// How many of the live events ever sent are not to be played any more, whether or not they have been.
  let staleCount = Atomic<Int>(0)

  public init() {}

  /// Sends an event to be played at its time, or at the next quantum if that has passed. [one thread at a time]
  ///
  /// - Returns: false when the queue is full and the event was dropped.
  public func send(_ event: MIDIEvent) -> Bool { live.producer.push(event) }

  /// Sends a System Exclusive message, what stands between F0 and F7; the bytes are copied. [one thread at a time]
  ///
  /// - Returns: false when the message was dropped: longer than 1024 bytes, or no room for it.
  public func send(systemExclusive payload: UnsafeBufferPointer<UInt8>, time: Int64, source: UInt32 = 0) -> Bool {
    guard let copy = payloads.take(payload) else { return false }
    let isSent = send(MIDIEvent(time: time, systemExclusive: copy, source: source))
    if !isSent { payloads.restore(copy) }
    return isSent
  }

  /// Plays a timeline from its start at the next quantum, in place of the present one. [control threads]
  public func play(_ timeline: Timeline) { timelines.withLock { $0.send(timeline) } }

  /// Forgets whatever was sent before and has not been played yet. [control threads]
  ///
  /// The node whose input it is does so at its own `reset`.
  public func reset() {
    timelines.withLock { $0.withdraw() }
    staleCount.store(live.pushCount, ordering: .releasing)
  }
}
