import SynthMIDI

/// How a sequencer plays a track of its sequence.
public struct SequencerTrack: Sendable {
  /// What plays it.
  public var destination: any SequencerDestination
  /// Whether its notes are left out; channels are told the rest all the same.
  public var isMuted = false
  /// Whether tracks that are not soloed are silent.
  public var isSoloed = false
  /// How many beats later it is played, earlier by a negative number. Tempos stay where they are.
  public var offset = 0.0
  /// How many of its beats are played, counted from its start; nil for all. What is held there is released.
  public var length: Double?

  /// A passage of it that is repeated, in its own beats, while other tracks go on; nil for nothing. What is held at its
  /// end is released there, and channels are told again what the track has told them before its start. What follows
  /// comes later. One of less than a 32nd of a beat is not repeated.
  ///
  /// Without a number of passes it ends with the song, at beat 100,000, or where it has had some two million events; a
  /// number of passes ends where they have had 250,000.
  public var loop: SequencerLoop?

  /// A track that is played as it is.
  public init(_ destination: any SequencerDestination) { self.destination = destination }
}

extension SequencerTrack {
  /// A track as it is played.
  ///
  /// - Parameter last: the tick of the song where a loop without a number of passes ends.
  func arranged(_ track: MusicTrack, isAudible: Bool, ticksPerBeat: Double, until last: UInt32) -> MusicTrack {
    let shift = (offset * ticksPerBeat).rounded()
    if let loop {
      var once = self
      (once.offset, once.loop) = (0, nil)
      var later = SequencerTrack(destination)
      later.offset = offset
      let repeated = once.arranged(track, isAudible: isAudible, ticksPerBeat: ticksPerBeat, until: last)
        .repeating(loop, ticksPerBeat: ticksPerBeat, until: Self.tick(Double(last) - shift))
      return later.arranged(repeated, isAudible: true, ticksPerBeat: ticksPerBeat, until: last)
    }
    let end = length.map { Self.tick(($0 * ticksPerBeat).rounded()) } ?? .max
    if isAudible, shift == 0, end == .max { return track }
    func place(_ tick: UInt32) -> UInt32 { Self.tick(Double(tick) + shift) }

    var held = HeldKeys()
    var events: [MusicEvent] = []
    for event in track.events {
      guard event.content.tempo == nil else {
        events.append(event)
        continue
      }
      guard event.tick < end else { continue }
      if case .message(let message) = event.content {
        if message.concernsOneNote, !isAudible { continue }
        // A note that would begin before the song is left out.
        if message.kind == .noteOn, Double(event.tick) + shift < 0 { continue }
        held.follow(message)
      }
      events.append(MusicEvent(tick: place(event.tick), event.content))
    }
    if end < .max { events += held.releases.map { MusicEvent(tick: place(end), .message($0)) } }
    return MusicTrack(events, endTick: place(min(track.endTick, end)))
  }

  /// The tick nearest to a number, of those there are.
  static func tick(_ tick: Double) -> UInt32 {
    tick >= 0 ? UInt32(exactly: tick) ?? .max : 0
  }
}

/// The keys and sustain pedals that a track holds.
struct HeldKeys {
  private var keys: Set<[UInt8]> = []
  private var pedals: Set<Int> = []

  init() {}

  init(after events: [MusicEvent.Content]) {
    for case .message(let message) in events { follow(message) }
  }

  mutating func follow(_ message: MIDIMessage) {
    switch message.kind {
    case .noteOn: keys.insert([UInt8(message.channelIndex), message.note])
    case .noteOff: keys.remove([UInt8(message.channelIndex), message.note])
    case .controlChange where message.controller == .sustain:
      if message.value7 >= 64 { pedals.insert(message.channelIndex) } else { pedals.remove(message.channelIndex) }
    default: break
    }
  }

  var releases: [MIDIMessage] {
    keys.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }.map {
      MIDIMessage.noteOff(channel: 0, note: $0[1]).onChannelIndex(Int($0[0]))
    }
      + pedals.sorted().map { MIDIMessage.controlChange(channel: 0, .sustain, value7: 0).onChannelIndex($0) }
  }
}
