import Synchronization
import SynthMIDI
import SynthRealtime

/// The events of an instrument: those played live and those of a song, both at times in frames of its own rate.
///
/// Live events are played in the order of their times, those of one time in the order in which they were sent, from
/// however many threads. `EventInput+Song` has the song's transport.
public final class EventInput: Sendable {
  /// How many live events may wait for their time: more than a second of the densest stream that a MIDI 1.0 cable
  /// carries.
  public static let liveCapacity = 4096

  let live = RingBuffer<MIDIEvent>(minimumCapacity: liveCapacity)
  /// What has left the ring and is not due. The audio thread's.
  let queue = Box(EventQueue(capacity: liveCapacity))
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
  /// Makes threads that send take turns; the audio thread has no part in it.
  private let sending = CheckedMutex(())
  /// How many live events have been played or dropped.
  let doneCount = Atomic<Int>(0)
  /// How many live events had been sent at the last reset; those not played until then are dropped.
  let staleCount = Atomic<Int>(0)

  public init() {
    clock = SongClock()
    playbacks = PlaybackSender(clock)
  }

  /// Sends an event to be played at its time, or at the next quantum if that has passed. [any thread], not the audio
  /// thread
  ///
  /// - Returns: false when `liveCapacity` events wait already, and this one was dropped.
  public func send(_ event: MIDIEvent) -> Bool { sending.withLock { _ in push(event) } }

  /// Sends the bytes of a System Exclusive message between F0 and F7, which are copied. [any thread], not the audio
  /// thread
  ///
  /// - Returns: false when the message was dropped because it is longer than 1024 bytes or 32 others wait.
  public func send(systemExclusive payload: UnsafeBufferPointer<UInt8>, time: Int64, source: UInt32 = 0) -> Bool {
    sending.withLock { _ in
      guard let copy = payloads.take(payload) else { return false }
      let isSent = push(MIDIEvent(time: time, systemExclusive: copy, source: source))
      if !isSent { payloads.restore(copy) }
      return isSent
    }
  }

  /// What waits in the ring and in the reader's queue together fits either, so neither can overflow.
  private func push(_ event: MIDIEvent) -> Bool {
    live.pushCount - doneCount.load(ordering: .acquiring) < Self.liveCapacity && live.producer.push(event)
  }

  /// Drops all events that have not been played yet, and forgets the songs. A song that plays goes on, unless the
  /// instrument starts over too: the rack calls this in its `reset`. `stop` ends a song. [control thread]
  public func reset() {
    playbacks.forget()
    clock.reset()
    isHeldValue.store(false, ordering: .relaxed)
    staleCount.store(live.pushCount, ordering: .releasing)
  }
}
