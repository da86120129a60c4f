import Synchronization
import SynthMIDI
import SynthRealtime

/// The events of an instrument: those played live and those of a song, both at times in frames of its own rate.
///
/// `EventInput+Song` has the song's transport.
public final class EventInput: Sendable {
  /// How many live events may wait: more than a second of the densest stream that a MIDI 1.0 cable carries.
  public static let liveCapacity = 4096

  let live = RingBuffer<MIDIEvent>(minimumCapacity: liveCapacity)
  let playbacks: PlaybackSender
  let payloads = SysExPool()
  /// Which tracks of songs are heard.
  public let tracks = SongTracks()
  /// Where the song is.
  public let clock: SongClock
  /// What the song's reader tells a metronome.
  let clicks = ClickList()
  /// What songs sound like by themselves, in the present quantum.
  public let passages = PassageList()
  let countInValue = Atomic<Int>(0)
  let tempoBits = Atomic<UInt64>(1.0.bitPattern)
  let transpositionValue = Atomic<Int>(0)
  let isHeldValue = Atomic<Bool>(false)
  /// How many live events had been sent at the last reset; those not played until then are dropped.
  let staleCount = Atomic<Int>(0)

  public init() {
    clock = SongClock()
    playbacks = PlaybackSender(clock)
  }

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

  /// Drops all events that have not been played yet. The rack calls it in its `reset`. [control thread]
  public func reset() {
    playbacks.forget()
    clock.reset()
    isHeldValue.store(false, ordering: .relaxed)
    staleCount.store(live.pushCount, ordering: .releasing)
  }
}
