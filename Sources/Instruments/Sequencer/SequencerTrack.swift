import MIDI

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

  /// A track that is played as it is.
  public init(_ destination: any SequencerDestination) { self.destination = destination }
}

extension SequencerTrack {
  /// A track as it is played.
  func arranged(_ track: MusicTrack, isAudible: Bool, ticksPerBeat: Double) -> MusicTrack {
    let shift = (offset * ticksPerBeat).rounded()
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

  private static func tick(_ tick: Double) -> UInt32 {
    tick >= 0 ? UInt32(exactly: tick) ?? .max : 0
  }
}

/// The keys and sustain pedals that a track holds.
private struct HeldKeys {
  private var keys: Set<[UInt8]> = []
  private var pedals: Set<UInt8> = []

  mutating func follow(_ message: MIDIMessage) {
    switch message.kind {
    case .noteOn: keys.insert([message.channel, message.note])
    case .noteOff: keys.remove([message.channel, message.note])
    case .controlChange where message.controller == .sustain:
      if message.value7 >= 64 { pedals.insert(message.channel) } else { pedals.remove(message.channel) }
    default: break
    }
  }

  var releases: [MIDIMessage] {
    keys.sorted { ($0[0], $0[1]) < ($1[0], $1[1]) }.map { .noteOff(channel: $0[0], note: $0[1]) }
      + pedals.sorted().map { .controlChange(channel: $0, .sustain, value7: 0) }
  }
}
