// A sequence as a MIDI file in memory, which can be played, looked through and written.

extension MIDIFile {
  /// The file that a sequence would be written as.
  ///
  /// - Parameter format: nil for the sequence's own. `.single` merges the tracks, by tick and then by track; tracks
  ///   that are separate songs follow one another where they become one or simultaneous.
  /// - Throws: for more than `maximumByteCount` bytes, or ticks that do not fit behind one another.
  public init(_ sequence: MusicSequence, format: Format? = nil) throws(MusicSequenceError) {
    let format = format ?? sequence.format
    var tracks = sequence.tracks
    if format != .independent, sequence.format == .independent { tracks = try Self.inSuccession(sequence) }
    if format == .single, tracks.count > 1 {
      tracks = [MusicTrack(tracks.flatMap(\.events), endTick: tracks.map(\.endTick).max() ?? 0)]
    }
    var events: [Event] = []
    var payloads: [UInt8] = []
    var places: [Track] = []
    for track in tracks {
      let first = events.count
      for event in track.events {
        let bytes: [UInt8] =
          switch event.content {
          case .message: []
          case .systemExclusive(let bytes), .escape(let bytes), .meta(_, let bytes): bytes
          }
        guard payloads.count + bytes.count <= Self.maximumByteCount else {
          throw .tooLarge(maximumByteCount: Self.maximumByteCount)
        }
        let payload = Payload(start: UInt32(payloads.count), count: UInt32(bytes.count))
        payloads += bytes
        let content: Content =
          switch event.content {
          case .message(let message): .message(message)
          case .systemExclusive: .systemExclusive(payload)
          case .escape: .escape(payload)
          case .meta(let type, _): .meta(payload, type)
          }
        events.append(Event(tick: event.tick, content: content))
      }
      places.append(Track(events: first..<events.count, endTick: track.endTick))
    }
    self.init(
      format: format, division: sequence.division, tracks: places, events: events, warnings: [], warningCount: 0,
      container: nil, payloads: payloads)
  }

  /// The tracks of separate songs, each behind the one before it, at the tempo it begins with.
  private static func inSuccession(_ sequence: MusicSequence) throws(MusicSequenceError) -> [MusicTrack] {
    var tracks: [MusicTrack] = []
    for (track, start) in zip(sequence.tracks, TrackPlaces(sequence).starts) {
      guard track.endTick <= .max - start else { throw .noSuchBeat(Double(start) + Double(track.endTick)) }
      let tempo = start > 0 ? [MusicEvent(tick: start, .tempo(120))] : []
      let events = track.events.map { MusicEvent(tick: start + $0.tick, $0.content) }
      tracks.append(MusicTrack(tempo + events, endTick: start + track.endTick))
    }
    return tracks
  }
}

extension Song {
  /// A sequence made ready for playing.
  public init(_ sequence: MusicSequence) throws(MusicSequenceError) { self.init(try MIDIFile(sequence)) }

  /// Tracks made ready for playing; see `MusicSequence.init(tracks:ticksPerQuarter:)`.
  public init(tracks: [MusicTrack], ticksPerQuarter: UInt16 = 480) throws(MusicSequenceError) {
    try self.init(MusicSequence(tracks: tracks, ticksPerQuarter: ticksPerQuarter))
  }
}

extension MusicSequence {
  /// Writes it as a MIDI file; see `MIDIFile.write`.
  ///
  /// - Parameter format: nil for its own.
  /// - Throws: `MusicSequenceError` or `MIDIFileWritingError`; a file that was there is then as it was.
  public func write(to path: String, format: MIDIFile.Format? = nil) throws {
    try MIDIFile(self, format: format).write(to: path)
  }
}
