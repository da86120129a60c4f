/// A MIDI file made ready for playing: the events of all tracks in one order, with their times in seconds.
///
/// Events are ordered by tick, then by track, then as they stand in the file. The tracks of a format 2 file follow
/// one another.
public struct Song: Sendable {
  /// A channel message or System Exclusive message to be played.
  public struct Event: BitwiseCopyable, Hashable, Sendable {
    /// Seconds from the start of the song.
    public let seconds: Double
    /// Ticks from the start of the song.
    public let tick: UInt32
    /// The index of the track in the file.
    public let track: UInt32
    /// What is to be played; for System Exclusive the kind only.
    public let message: MIDIMessage
    /// The bytes of a System Exclusive message, without F0 and F7: a range of `payloads`.
    let payload: MIDIFile.Payload
  }

  /// A text of the file: lyric, marker, track name and the like.
  public struct Text: Hashable, Sendable {
    /// What kind of text it is, `.text` to `.deviceName`.
    public let type: MetaType
    /// Seconds from the start of the song.
    public let seconds: Double
    /// Ticks from the start of the song.
    public let tick: UInt32
    /// The index of the track in the file.
    public let track: Int
    /// The text, without control characters other than line feed, carriage return and tab.
    public let string: String
  }

  /// The events to be played.
  public internal(set) var events: [Event]
  /// The texts, in the same order.
  public let texts: [Text]
  /// How the file encodes its texts, as far as one can tell; nil where all are ASCII.
  public let textEncoding: TextEncoding?
  /// Ticks to seconds and back.
  public let tempoMap: TempoMap
  /// Its bars and beats.
  public let meter: SongMeter
  /// Seconds from the start to the last event or end of track.
  public let duration: Double
  /// What the file is: in XMIDI, controllers have their own meaning.
  let kind: MIDIFile.Kind
  /// The ports that tracks with notes are for, from 0 and in order (`MetaType.port`), then those that have the names
  /// of devices (`MetaType.deviceName`), as they come; each has 16 channels. Events have the group of their port's
  /// place here, those of the fifth port on the groups of the first ones again.
  public let ports: [UInt8]
  /// For each of `ports` the device that the file names; nil where it gives a number.
  public let portNames: [String?]
  /// What stood around the song in a RIFF container: what it says about itself, and the bank it is to be played with.
  public var container: MIDIFile.Container?
  /// What it sounds like by itself; nil for one that only instruments play.
  public internal(set) var sound: (any SongSound)?
  /// The bytes of all System Exclusive messages.
  let payloads: [UInt8]

  /// What an event of this song is, as a source would deliver it.
  public func content(of event: Event) -> MIDISourceEvent.Content {
    guard event.message.kind == .systemExclusive else { return .message(event.message) }
    let start = Int(event.payload.start)
    return .systemExclusive(Array(payloads[start..<start + Int(event.payload.count)]))
  }

  /// The song of a file.
  public init(_ file: MIDIFile) {
    let order = PlayOrder(file)
    let tempoMap = TempoMap(file, order: order)
    var events: [Event] = []
    events.reserveCapacity(file.events.count)
    var texts: [Text] = []
    var signatures: [SongMeter.Change] = []
    let decoder =
      file.textEncoding.map { TextDecoder(encoding: $0) }
      ?? TextDecoder(
        file.events.lazy.compactMap { event -> ArraySlice<UInt8>? in
          guard case .meta(let payload, let type) = event.content, type.isText else { return nil }
          return file.bytes(of: payload)
        }, named: file.container?["MENC"])

    var ports = SongPorts(file, order)
    var hasNotes = false
    order.forEach(file) { entry in
      ports.follow(entry, in: file)
      let seconds = tempoMap.seconds(at: entry.tick)
      func add(_ message: MIDIMessage, _ payload: MIDIFile.Payload) {
        events.append(
          Event(
            seconds: seconds, tick: entry.tick, track: UInt32(entry.track),
            message: ports.placed(message, ofTrack: entry.track), payload: payload))
      }
      switch entry.event.content {
      case .message(let message):
        add(message, MIDIFile.Payload(start: 0, count: 0))
        hasNotes = hasNotes || message.kind == .noteOn
      case .systemExclusive(let payload): add(.systemExclusive, payload)
      case .meta(let payload, let type) where type.isText:
        let string = decoder.string(file.bytes(of: payload))
        texts.append(Text(type: type, seconds: seconds, tick: entry.tick, track: entry.track, string: string))
      case .meta(let payload, .timeSignature):
        if let signature = SongInfo.TimeSignature(Array(file.bytes(of: payload))) {
          signatures.append((entry.tick, signature))
        }
      case .meta, .escape: break
      }
    }
    self.events = events
    self.texts = texts
    textEncoding = decoder.encoding
    self.tempoMap = tempoMap
    meter = SongMeter(tempoMap, changes: signatures)
    self.duration = tempoMap.seconds(at: order.endTick)
    kind = file.kind
    container = file.container
    self.ports = ports.used.isEmpty && hasNotes ? [0] : ports.used.map(\.number)
    portNames = ports.used.isEmpty && hasNotes ? [nil] : ports.used.map { $0.name.map { decoder.string($0[...]) } }
    self.payloads = file.payloads
  }

  /// A song of events in the order of their times, without texts.
  init(
    events: [Event], tempoMap: TempoMap, meter: SongMeter, duration: Double, payloads: [UInt8],
    kind: MIDIFile.Kind = .standard, ports: [UInt8] = [], portNames: [String?] = [],
    container: MIDIFile.Container? = nil
  ) {
    self.events = events
    texts = []
    textEncoding = nil
    self.tempoMap = tempoMap
    self.meter = meter
    self.duration = duration
    (self.kind, self.ports, self.portNames, self.container) = (kind, ports, portNames, container)
    self.payloads = payloads
  }

  /// The name of the first track, which is the standard's place for the title; nil where it has no name.
  public var title: String? {
    texts.first { $0.type == .trackName && $0.track == 0 && $0.string.contains { !$0.isWhitespace } }?.string
  }

  /// Whether another song has the same events at the same times.
  public func hasEvents(of other: Song) -> Bool { events == other.events && payloads == other.payloads }

  /// The same song without the notes of other tracks. All that is not a note stays, whichever track has it.
  public func withNotes(ofTrack track: Int) -> Song {
    let kept = events.filter { event in
      !event.message.concernsOneNote || event.track == track
    }
    return Song(
      events: kept, tempoMap: tempoMap, meter: meter, duration: duration, payloads: payloads, kind: kind, ports: ports,
      portNames: portNames, container: container)
  }

  /// The System Exclusive payload of an event, without F0 and F7; empty for every other event.
  public func payload(of event: Event) -> ArraySlice<UInt8> {
    payloads[Int(event.payload.start)..<Int(event.payload.start) + Int(event.payload.count)]
  }
}

/// The order in which the events of a file's tracks are played, and the ticks of the song at which they are.
///
/// In formats 0 and 1 all tracks start at tick 0; in format 2 each starts where the one before it ends.
struct PlayOrder {
  /// The song tick at which each track starts.
  let trackStarts: [UInt32]
  /// The song tick at which the last track ends.
  let endTick: UInt32

  init(_ file: MIDIFile) {
    var starts: [UInt32] = []
    var end: UInt32 = 0
    for track in file.tracks {
      let start = file.format == .independent ? end : 0
      starts.append(start)
      end = max(end, Self.sum(start, track.endTick))
    }
    trackStarts = starts
    endTick = end
  }

  /// The song tick of an event of the track that starts at `trackStart`, held at the largest value.
  func tick(_ event: MIDIFile.Event, trackStart: UInt32) -> UInt32 { Self.sum(trackStart, event.tick) }

  /// An event in its place in the song.
  struct Entry {
    let tick: UInt32
    let track: Int
    let event: MIDIFile.Event
  }

  /// Calls `body` for every event of the file in playing order.
  func forEach(_ file: MIDIFile, _ body: (Entry) -> Void) {
    // A key is a tick and an index into the file's events; the index keeps lower tracks first within a tick.
    var keys: [UInt64] = []
    var trackOfEvent: [UInt32] = []
    keys.reserveCapacity(file.events.count)
    trackOfEvent.reserveCapacity(file.events.count)
    for (number, track) in file.tracks.enumerated() {
      for index in track.events {
        let tick = tick(file.events[index], trackStart: trackStarts[number])
        keys.append(UInt64(tick) << 32 | UInt64(index))
        trackOfEvent.append(UInt32(number))
      }
    }
    // The tracks are runs in order already, which the standard library's merge sort takes as they are.
    keys.sort()
    for key in keys {
      let index = Int(key & 0xFFFF_FFFF)
      body(Entry(tick: UInt32(key >> 32), track: Int(trackOfEvent[index]), event: file.events[index]))
    }
  }

  private static func sum(_ a: UInt32, _ b: UInt32) -> UInt32 {
    let (sum, overflow) = a.addingReportingOverflow(b)
    return overflow ? .max : sum
  }
}
