/// What is in a MIDI file: everything that can be said about it without playing it.
public struct SongInfo: Sendable {
  /// A moment of the song.
  public struct Moment: Hashable, Sendable {
    /// Ticks from the start of the song.
    public let tick: UInt32
    /// Seconds from the start of the song.
    public let seconds: Double
    /// Bar and beat; nil in a file of SMPTE time, which has none.
    public let position: BarPosition?
  }

  /// Something that holds from a moment on.
  public struct Change<Value: Hashable & Sendable>: Hashable, Sendable {
    /// From when on it holds.
    public let start: Moment
    /// What holds.
    public let value: Value
  }

  /// A time signature: 6/8 is 6 and 8.
  public struct TimeSignature: Hashable, Sendable, CustomStringConvertible {
    /// Beats in a bar, 1 to 255.
    public let numerator: Int
    /// A power of two up to 64: 4 is a quarter note.
    public let denominator: Int

    /// - Parameters:
    ///   - numerator: 1 to 255.
    ///   - denominator: a power of two up to 64. Nil for all others.
    public init?(_ numerator: Int, _ denominator: Int) {
      let isPower = (1...64).contains(denominator) && denominator.nonzeroBitCount == 1
      guard (1...255).contains(numerator), isPower else { return nil }
      (self.numerator, self.denominator) = (numerator, denominator)
    }

    public var description: String { "\(numerator)/\(denominator)" }
  }

  /// A key signature.
  public struct KeySignature: Hashable, Sendable {
    /// Sharps, or flats as a negative number: −7 to 7.
    public let sharps: Int
    /// Whether the mode is minor.
    public let isMinor: Bool

    /// - Parameter sharps: −7 to 7. Nil for all others.
    public init?(sharps: Int, isMinor: Bool = false) {
      guard (-7...7).contains(sharps) else { return nil }
      (self.sharps, self.isMinor) = (sharps, isMinor)
    }
  }

  /// A track of the file.
  public struct Track: Hashable, Sendable {
    /// Its first name that is not blank.
    public let name: String?
    /// In the order of their meta events.
    public let instrumentNames: [String]
    /// Channels of its messages, among those of all ports, 0–63, in order.
    public let channels: [UInt8]
    /// All events but the end of the track.
    public let eventCount: Int
    /// Notes that begin.
    public let noteCount: Int
  }

  /// The song, ready for playing.
  public let song: Song
  /// What the file is.
  public let kind: MIDIFile.Kind
  /// How the file's tracks belong together.
  public let format: MIDIFile.Format
  /// What a tick of the file is.
  public let division: Division
  /// What stands around the song in a RIFF container.
  public let container: MIDIFile.Container?
  /// The defects that were repaired; at most `MIDIFile.mostWarnings`.
  public let warnings: [MIDIFile.Warning]
  /// The number of all of them.
  public let warningCount: Int

  /// In file order.
  public let tracks: [Track]
  /// Quarter notes per minute, from the start on; empty in a file of SMPTE time.
  public let tempos: [Change<Double>]
  /// As the file gives them: there may be none.
  public let timeSignatures: [Change<TimeSignature>]
  /// As the file gives them: there may be none.
  public let keySignatures: [Change<KeySignature>]
  /// Those with notes, in order, of all ports.
  public let channels: [Channel]
  /// The largest number of keys that are held down at once. Pedals and the time that notes take to fade are not
  /// considered, so more voices may sound.
  public let polyphony: Int
  /// What the song says about repeating.
  public let loopPoints: [LoopPoints]
  /// The words.
  public let lyrics: Lyrics

  /// Looks through a file.
  ///
  /// - Parameter routes: the channels on which the song is played where these are not its own.
  public init(_ file: MIDIFile, routes: SongRoutes = SongRoutes()) {
    self.init(file, routes: routes, mt32: .off)
  }

  /// The same, of a song that may be played as General MIDI has it.
  package init(_ file: MIDIFile, routes: SongRoutes, mt32: MT32Mapping) {
    let song = mt32.applied(to: Song(file)).routed(by: routes)
    self.song = song
    (kind, format, division, container) = (file.kind, file.format, file.division, file.container)
    (warnings, warningCount) = (file.warnings, file.warningCount)
    let map = ScoreMap(file, song.tempoMap)
    (tempos, timeSignatures, keySignatures) = (map.tempos, map.timeSignatures, map.keySignatures)
    bars = map.bars
    let texts = Dictionary(grouping: song.texts, by: \.track)
    var trackChannels = [ChannelSet](repeating: [], count: file.tracks.count)
    for event in song.events where event.message.kind != .systemExclusive {
      trackChannels[Int(event.track)].insert(event.message.channelIndex)
    }
    tracks = file.tracks.indices.map { Self.track($0, of: file, texts[$0] ?? [], trackChannels[$0]) }
    let usage = ChannelUsage(song)
    (channels, polyphony) = (usage.channels, usage.polyphony)
    loopPoints = song.loopPoints
    lyrics = song.lyrics
  }

  private let bars: BarMap?

  /// A moment of the song by its tick.
  public func moment(at tick: UInt32) -> Moment {
    Moment(tick: tick, seconds: song.tempoMap.seconds(at: tick), position: bars?.position(at: tick))
  }

  /// The title: of the karaoke, the container, or the first track's name.
  public var title: String? { lyrics.titles.first ?? container?["INAM"] ?? song.title }

  /// The first copyright notice of the tracks, else the container's.
  public var copyright: String? {
    song.texts.first { $0.type == .copyright && !$0.string.isEmpty }?.string ?? container?["ICOP"]
  }

  /// Markers and cue points that are not blank, by time.
  public var markers: [Song.Text] {
    song.texts.filter { ($0.type == .marker || $0.type == .cuePoint) && $0.string.contains { !$0.isWhitespace } }
  }

  /// The notes of all channels.
  public var noteCount: Int { channels.reduce(0) { $0 + $1.noteCount } }

  private static func track(_ number: Int, of file: MIDIFile, _ texts: [Song.Text], _ channels: ChannelSet) -> Track {
    let events = file.tracks[number].events
    let messages = file.events[events].lazy.compactMap { event -> MIDIMessage? in
      if case .message(let message) = event.content { message } else { nil }
    }
    let texts = texts.filter { $0.string.contains { !$0.isWhitespace } }
    return Track(
      name: texts.first { $0.type == .trackName }?.string,
      instrumentNames: texts.filter { $0.type == .instrumentName }.map(\.string),
      channels: channels.channels.map { UInt8($0) },
      eventCount: events.count,
      noteCount: messages.count { $0.kind == .noteOn })
  }
}

extension SongInfo.KeySignature: CustomStringConvertible {
  /// "B flat major", "F sharp minor".
  public var description: String {
    // The fifths from F flat to B sharp; a minor key is three fifths above the major key of its signature.
    let fifth = sharps + 8 + (isMinor ? 3 : 0)
    let accidental = ["flat", nil, "sharp"][fifth / 7]
    let letter = ["F", "C", "G", "D", "A", "E", "B"][fifth % 7]
    return ([letter, accidental] + [isMinor ? "minor" : "major"]).compactMap(\.self).joined(separator: " ")
  }
}
