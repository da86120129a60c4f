import SynthMIDI

/// What a sequence sounds like as its tracks are played: a timeline for each destination, all as long as each other.
struct SequencerRendition: Sendable {
  /// A destination's timeline, and where its beats are.
  struct Part: Sendable {
    let destination: any SequencerDestination
    let timeline: Timeline
    let tempoMap: TempoMap
  }

  let parts: [Part]
  let tempoMap: TempoMap
  /// In beats; of loops without end, where they end all the same.
  let duration: Double
  /// As far as loops without end are written out, in beats.
  private let horizon: SequencerHorizon?
  /// By the numbers that stand for them in the timeline of `caller`.
  let cues: [UInt32: SequencerCue]

  /// - Parameters:
  ///   - caller: what is told of markers and the like; nil for nothing.
  ///   - firstCue: the number of the first of them.
  ///   - beat: where the song is.
  init(
    _ sequence: MusicSequence, _ tracks: [SequencerTrack], clock: any SequencerDestination,
    caller: (any SequencerDestination)?, firstCue: UInt32, at beat: Double
  ) throws(MusicSequenceError) {
    let isSolo = tracks.contains { $0.isSoloed }
    var arranged = sequence
    func arrange(_ wanted: (SequencerTrack) -> Bool, until last: UInt32 = .max) {
      for (index, track) in tracks.enumerated() where wanted(track) {
        arranged.tracks[index] = track.arranged(
          sequence.tracks[index], isAudible: !track.isMuted && (!isSolo || track.isSoloed),
          ticksPerBeat: sequence.ticksPerBeat, until: last)
      }
    }
    for (index, track) in tracks.enumerated() where track.isEndless { arranged.tracks[index] = MusicTrack() }
    arrange { !$0.isEndless }
    horizon = SequencerHorizon(sequence, tracks, from: max(arranged.duration, beat.isFinite ? beat : 0))
    if let horizon {
      arrange(\.isEndless, until: SequencerTrack.tick((horizon.end * sequence.ticksPerBeat).rounded()))
    }
    // What tells the time plays a song, be it without events.
    var destinations = [clock]
    for track in tracks where !destinations.contains(where: { $0 === track.destination }) {
      destinations.append(track.destination)
    }
    var parts: [Part] = []
    for destination in destinations {
      var part = arranged
      for (index, track) in tracks.enumerated() where track.destination !== destination {
        part.tracks[index].events.removeAll { if case .meta = $0.content { false } else { true } }
      }
      parts.append(try Self.part(part, destination))
    }
    var cues: [UInt32: SequencerCue] = [:]
    if let caller {
      var part = arranged
      let texts = Dictionary(grouping: arranged.texts(), by: \.track)
      for index in part.tracks.indices {
        var strings = (texts[index] ?? []).map(\.string)[...]
        part.tracks[index].events = arranged.tracks[index].events.compactMap { event in
          guard case .meta(let type, let bytes) = event.content else { return nil }
          if type == .tempo { return event }
          let text = type.isText ? strings.popFirst() : nil
          guard type.isText || type == .sequencerSpecific else { return nil }
          let number = firstCue + UInt32(cues.count)
          cues[number] = SequencerCue(
            track: index, beat: arranged.beat(at: event.tick), type: type, bytes: bytes, text: text)
          return MusicEvent(tick: event.tick, .message(.cue(number)))
        }
      }
      parts.append(try Self.part(part, caller))
    }
    self.parts = parts
    self.cues = cues
    tempoMap = arranged.tempoMap
    duration = max(arranged.duration, horizon?.limit ?? 0)
  }

  /// Whether loops without end are to be written out farther for what follows a beat.
  func isShort(at beat: Double) -> Bool { horizon?.isNear(beat) ?? false }

  private static func part(
    _ sequence: MusicSequence, _ destination: any SequencerDestination
  ) throws(MusicSequenceError) -> Part {
    let song = try Song(sequence)
    return Part(
      destination: destination, timeline: Timeline(song, sampleRate: destination.frameRate), tempoMap: song.tempoMap)
  }
}

/// A place of a sequence that a program is told of: a marker, a cue point, a lyric or another text, or the bytes of a
/// program (`MetaType.sequencerSpecific`).
public struct SequencerCue: Hashable, Sendable {
  /// The index of its track.
  public let track: Int
  /// Where it stands in the song, as it is played.
  public let beat: Double
  /// What it is.
  public let type: MetaType
  /// As they stand in the file.
  public let bytes: [UInt8]
  /// If it is a text.
  public let text: String?
}

extension MIDIMessage {
  /// What stands for a cue in a timeline: a note on, because chase lists leave notes out.
  fileprivate static func cue(_ number: UInt32) -> MIDIMessage {
    .noteOn(
      channel: UInt8(number >> 23 & 15), note: UInt8(number >> 16 & 127),
      velocity16: UInt16(truncatingIfNeeded: number))
  }

  /// The number of the cue it stands for; nil if it stands for none.
  var cueNumber: UInt32? {
    kind == .noteOn ? UInt32(channel) << 23 | UInt32(note) << 16 | UInt32(velocity16) : nil
  }
}
