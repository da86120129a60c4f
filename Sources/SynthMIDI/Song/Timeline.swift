/// A song on the sample clock: its events in raw memory, in order, for the audio thread to walk.
///
/// Immutable. The audio thread copies `events` (pointer and count); the control side keeps the timeline alive for as
/// long as they are read, for instance by `withExtendedLifetime`: Swift may free an object after its last mention.
public final class Timeline: @unchecked Sendable {
  // Unchecked because of the pointers: the memory is written before init returns and never after.

  /// The events by time, from frame 0; those of one time in the song's order, except that a note-off comes before a
  /// note-on of its key at its tick if the key was down before. The source of each is its track's index.
  public let events: UnsafeBufferPointer<MIDIEvent>

  /// The frames from the start to the last event or end of track.
  public let duration: Int64

  /// The song's beats, by time: where a metronome clicks.
  public let beats: UnsafeBufferPointer<TimelineBeat>

  /// One more than the highest track with an event.
  public let trackCount: Int

  /// The song's.
  public let title: String?

  /// In frames per second.
  public let sampleRate: Double

  /// What it was made of, with its events in the same order.
  public let song: Song

  private let payloads: UnsafeBufferPointer<UInt8>

  /// The events of `song` at `sampleRate` frames per second, each at the frame nearest to its time.
  ///
  /// Every time is computed from the start of the song, so errors do not add up.
  public init(_ song: Song, sampleRate: Double) {
    let song = song.endingOlderNotesFirst()
    let payloads = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: song.payloads.count)
    _ = payloads.initialize(from: song.payloads)
    let events = UnsafeMutableBufferPointer<MIDIEvent>.allocate(capacity: song.events.count)
    for (index, event) in song.events.enumerated() {
      let time = Self.frame(event.seconds, sampleRate)
      let sound: MIDIEvent
      if event.message.kind == .systemExclusive {
        let start = Int(event.payload.start)
        let bytes = payloads[start..<start + Int(event.payload.count)]
        sound = MIDIEvent(
          time: time, systemExclusive: UnsafeBufferPointer(rebasing: bytes), group: event.message.group,
          source: event.track)
      } else {
        sound = MIDIEvent(time: time, message: event.message, source: event.track)
      }
      events.initializeElement(at: index, to: sound)
    }
    self.events = UnsafeBufferPointer(events)
    self.payloads = UnsafeBufferPointer(payloads)
    self.duration = Self.frame(song.duration, sampleRate)
    self.sampleRate = sampleRate
    self.song = song
    // A sound does not say where its beats are.
    let meteredDuration = song.sound == nil ? song.duration : 0
    let beatList = song.meter.beats(before: meteredDuration).map { TimelineBeat($0, sampleRate: sampleRate) }
    let beats = UnsafeMutableBufferPointer<TimelineBeat>.allocate(capacity: beatList.count)
    _ = beats.initialize(from: beatList)
    self.beats = UnsafeBufferPointer(beats)
    title = song.title
    trackCount = Int(song.events.map(\.track).max() ?? 0) + 1
  }

  deinit {
    events.deallocate()
    beats.deallocate()
    payloads.deallocate()
  }

  /// The same with its tracks and channels on others. [control thread]
  public func routed(by routes: SongRoutes) -> Timeline {
    routes.isEmpty ? self : Timeline(song.routed(by: routes), sampleRate: sampleRate)
  }

  /// The frame nearest to a time in seconds; times before the start give 0.
  public func frame(at seconds: Double) -> Int64 { Self.frame(seconds, sampleRate) }

  /// The index of the first event at a frame or later; the number of events after the last one.
  public func firstEvent(at frame: Int64) -> Int {
    var (low, high) = (0, events.count)
    while low < high {
      let middle = (low + high) / 2
      if events[middle].time < frame { low = middle + 1 } else { high = middle }
    }
    return low
  }

  private static func frame(_ seconds: Double, _ sampleRate: Double) -> Int64 {
    let frame = (seconds * sampleRate).rounded()
    return frame >= 0 ? Int64(exactly: frame) ?? .max : 0
  }
}

/// A beat on the sample clock.
public struct TimelineBeat: BitwiseCopyable, Sendable {
  /// The nearest to the beat; negative before the start of the song.
  public let frame: Int64
  /// Whether it begins a bar.
  public let isFirst: Bool

  /// A beat, at a rate in hertz.
  public init(_ beat: SongMeter.Beat, sampleRate: Double) {
    frame = Int64(exactly: (beat.seconds * sampleRate).rounded()) ?? .max
    isFirst = beat.isFirst
  }
}
