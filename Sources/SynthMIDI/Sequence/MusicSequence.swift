/// A song that can be edited: tracks of events in ticks, tempos, signatures and texts among them.
///
///     var sequence = MusicSequence(ticksPerQuarter: 480)
///     try sequence.setTempo(96)
///     try sequence.addText("Verse", .marker, at: 0)
///     try sequence.addNote(60, velocity: 100, at: 0, for: 1.5)
///     try sequence.write(to: "song.mid")
///
/// It holds everything that a Standard MIDI File does: one that is read and written has the same events at the same
/// ticks. Places are beats: quarter notes from the start of the song. In a file of SMPTE time, which has no tempo, a
/// beat is half a second.
public struct MusicSequence: Hashable, Sendable {
  /// How the tracks belong together. A `.single` sequence may have several tracks; they are written as one.
  public var format: MIDIFile.Format
  /// What a tick is. Changing it leaves the ticks as they are.
  public var division: Division
  /// The tracks.
  public var tracks: [MusicTrack]
  /// How the texts are read, and how new ones are added.
  public var textEncoding: TextEncoding

  /// A sequence of empty tracks.
  ///
  /// - Parameter ticksPerQuarter: 1 to 32767; others cannot be written.
  public init(ticksPerQuarter: UInt16 = 480, trackCount: Int = 1) {
    format = .simultaneous
    division = .ticksPerQuarter(ticksPerQuarter)
    tracks = Array(repeating: MusicTrack(), count: max(trackCount, 0))
    textEncoding = .utf8
  }

  /// A sequence of tracks that play at the same time.
  ///
  /// - Parameter ticksPerQuarter: what their ticks are, 1 to 32767.
  public init(tracks: [MusicTrack], ticksPerQuarter: UInt16 = 480) {
    self.init(ticksPerQuarter: ticksPerQuarter, trackCount: 0)
    self.tracks = tracks
  }

  /// All that is in a file, but for what its container says.
  public init(_ file: MIDIFile) {
    (format, division) = (file.format, file.division)
    tracks = file.tracks.map { track in
      MusicTrack(
        file.events[track.events].map { event in
          let content: MusicEvent.Content =
            switch event.content {
            case .message(let message): .message(message)
            case .systemExclusive(let payload): .systemExclusive(Array(file.bytes(of: payload)))
            case .escape(let payload): .escape(Array(file.bytes(of: payload)))
            case .meta(let payload, let type): .meta(type, Array(file.bytes(of: payload)))
            }
          return MusicEvent(tick: event.tick, content)
        }, endTick: track.endTick)
    }
    textEncoding = .utf8
    textEncoding = file.textEncoding ?? TextEncoding(of: allTexts.map { $0.bytes[...] }) ?? .utf8
  }
}

// MARK: - Editing

extension MusicSequence {
  /// Adds an event to a track.
  ///
  /// - Throws: for a beat or a track that it has not.
  public mutating func add(
    _ content: MusicEvent.Content, at beat: Double, track: Int = 0
  ) throws(MusicSequenceError) {
    let tick = try tick(at: beat)
    try check(track: track)
    tracks[track].add(content, at: tick)
  }

  /// Adds a note: its on and its off.
  ///
  /// - Parameters:
  ///   - note: 0 to 127; 60 is middle C.
  ///   - velocity: 1 to 127.
  ///   - channel: 0 to 15.
  ///   - beats: how long it is held, 0 or more.
  /// - Throws: for an argument that is out of range, or a track that does not exist.
  public mutating func addNote(
    _ note: UInt8, velocity: UInt8 = 100, channel: UInt8 = 0, at beat: Double, for beats: Double, track: Int = 0
  ) throws(MusicSequenceError) {
    try check(note, "note", 0...127)
    try check(velocity, "velocity", 1...127)
    try check(channel, "channel", 0...15)
    let (start, end) = (try tick(at: beat), try tick(at: beat + beats))
    guard beats >= 0 else { throw .noSuchBeat(beat + beats) }
    try check(track: track)
    tracks[track].add(.message(.noteOn(channel: channel, note: note, velocity7: velocity)), at: start)
    tracks[track].add(.message(.noteOff(channel: channel, note: note)), at: end)
  }

  /// Sets the tempo from a beat on, in quarter notes per minute, in the first track; what another track said at the
  /// same tick is removed.
  ///
  /// - Parameter quarterNotesPerMinute: 3.5763 to 60,000,000: a file counts 1 to 16,777,215 microseconds per quarter
  ///   note.
  /// - Throws: for an argument that is out of range, or without a track.
  public mutating func setTempo(
    _ quarterNotesPerMinute: Double, at beat: Double = 0
  ) throws(MusicSequenceError) {
    guard Self.tempos.contains(quarterNotesPerMinute) else {
      throw .outOfRange(argument: "tempo", value: quarterNotesPerMinute, Self.tempos)
    }
    let tick = try tick(at: beat)
    try check(track: 0)
    for track in tracks.indices {
      guard tracks[track].events.contains(where: { $0.tick == tick && $0.content.tempo != nil }) else { continue }
      tracks[track].events.removeAll { $0.tick == tick && $0.content.tempo != nil }
    }
    tracks[0].add(.tempo(quarterNotesPerMinute), at: tick)
  }

  /// In quarter notes per minute.
  private static let tempos = 60_000_000.0 / 0xFF_FFFF...60_000_000

  private func check(
    _ value: UInt8, _ argument: String, _ range: ClosedRange<UInt8>
  ) throws(MusicSequenceError) {
    guard range.contains(value) else {
      throw .outOfRange(
        argument: argument, value: Double(value), Double(range.lowerBound)...Double(range.upperBound))
    }
  }

  func check(track: Int) throws(MusicSequenceError) {
    guard tracks.indices.contains(track) else { throw .noSuchTrack(track, count: tracks.count) }
  }
}

// MARK: - Time

extension MusicSequence {
  /// How many ticks a beat has; no whole number in 29.97 frames per second.
  public var ticksPerBeat: Double { division.ticksPerBeat }

  /// The beat at which a tick stands.
  public func beat(at tick: UInt32) -> Double { Double(tick) / ticksPerBeat }

  /// The tick nearest to a beat.
  ///
  /// - Throws: for one before the start, or more than 2³² − 1 ticks behind it.
  public func tick(at beat: Double) throws(MusicSequenceError) -> UInt32 {
    guard let tick = UInt32(exactly: (beat * ticksPerBeat).rounded()) else { throw .noSuchBeat(beat) }
    return tick
  }

  /// The end of the last track, in beats.
  public var duration: Double { beat(at: TrackPlaces(self).endTick) }

  /// Beats to seconds and back, by the tempos of all tracks. Looks through the whole sequence.
  public var tempoMap: TempoMap {
    let starts = TrackPlaces(self).starts
    var changes: [TempoMap.Change] = []
    for (track, start) in zip(tracks, starts) {
      if format == .independent { changes.append((start, TempoMap.defaultTempo)) }
      for event in track.events {
        if let tempo = event.content.microsecondsPerQuarter {
          changes.append((TrackPlaces.sum(start, event.tick), tempo))
        }
      }
    }
    return TempoMap(division: division, changes: changes)
  }
}

/// Where the tracks of a sequence begin, as `PlayOrder` has it for a file.
struct TrackPlaces {
  private(set) var starts: [UInt32] = []
  private(set) var endTick: UInt32 = 0

  init(_ sequence: MusicSequence) {
    for track in sequence.tracks {
      let start = sequence.format == .independent ? endTick : 0
      starts.append(start)
      endTick = max(endTick, Self.sum(start, track.endTick))
    }
  }

  /// Held at the largest value.
  static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }
}

/// Why a sequence is not edited or made a file as it was asked for.
public enum MusicSequenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// A beat before the start, or beyond what a file can count.
  case noSuchBeat(Double)
  /// A number that a file cannot have.
  case outOfRange(argument: String, value: Double, ClosedRange<Double>)
  /// A track that the sequence has not, counted from 0.
  case noSuchTrack(Int, count: Int)
  /// A text with characters that the sequence's encoding has not.
  case unencodableText(String, TextEncoding)
  /// More bytes of messages and texts than a file may have.
  case tooLarge(maximumByteCount: Int)

  public var description: String {
    switch self {
    case .noSuchBeat(let beat): "editing a song: there is no beat \(beat); give one from 0 to 2³² − 1 ticks"
    case .outOfRange(let argument, let value, let range):
      "editing a song: the \(argument) \(value) is out of range; give \(range.lowerBound) to \(range.upperBound)"
    case .noSuchTrack(let track, let count):
      "editing a song: there is no track \(track); it has \(count), counted from 0"
    case .unencodableText(let text, let encoding):
      "adding \"\(text)\" to a song: \(encoding.rawValue) cannot write it; choose another text encoding"
    case .tooLarge(let maximum):
      "making a song a MIDI file: it is larger than \(maximum >> 20) MiB; remove some of its events"
    }
  }
}
