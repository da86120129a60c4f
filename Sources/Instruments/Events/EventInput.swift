import MIDI
import Realtime

/// Where an instrument's events come from: what is played live, and a timeline; both on the sample clock.
public final class EventInput: Sendable {
  /// How many live events may wait; 4096 are a second of the densest stream a MIDI 1.0 cable can carry, and more.
  public static let liveCapacity = 4096

  let live = RingBuffer<MIDIEvent>(minimumCapacity: liveCapacity)
  let timelines = Handoff<Timeline>()

  public init() {}

  /// Sends an event to be played at its time, or at the next quantum if that has passed. [one thread at a time]
  ///
  /// - Returns: false when the queue is full and the event was dropped.
  public func send(_ event: MIDIEvent) -> Bool { live.producer.push(event) }

  /// Plays a timeline from its start at the next quantum, in place of the present one. [control thread]
  public func play(_ timeline: Timeline) { timelines.send(timeline) }
}
