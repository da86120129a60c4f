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
    /// The index of the track in the file.
    public let track: Int
    /// The text, without control characters other than line feed, carriage return and tab.
    public let string: String
  }

  /// The events to be played.
  public let events: [Event]
  /// The texts, in the same order.
  public let texts: [Text]
  /// Ticks to seconds and back.
  public let tempoMap: TempoMap
  /// Seconds from the start to the last event or end of track.
  public let duration: Double
  /// The bytes of all System Exclusive messages.
  let payloads: [UInt8]

  /// The song of a file.
  public init(_ file: MIDIFile) {
    let order = PlayOrder(file)
    let tempoMap = TempoMap(file, order: order)
    var events: [Event] = []
    events.reserveCapacity(file.events.count)
    var texts: [Text] = []

    order.forEach(file) { entry in
      let seconds = tempoMap.seconds(at: entry.tick)
      func add(_ message: MIDIMessage, _ payload: MIDIFile.Payload) {
        events.append(
          Event(seconds: seconds, tick: entry.tick, track: UInt32(entry.track), message: message, payload: payload))
      }
      switch entry.event.content {
      case .message(let message): add(message, MIDIFile.Payload(start: 0, count: 0))
      case .systemExclusive(let payload): add(.systemExclusive, payload)
      case .meta(let payload, let type) where type.isText:
        let string = decodedText(file.bytes(of: payload))
        texts.append(Text(type: type, seconds: seconds, track: entry.track, string: string))
      case .meta, .escape: break
      }
    }
    self.events = events
    self.texts = texts
    self.tempoMap = tempoMap
    self.duration = tempoMap.seconds(at: order.endTick)
    self.payloads = file.payloads
  }

  /// The name of the first track, which is the standard's place for the title; nil if there is none.
  public var title: String? {
    texts.first { $0.type == .trackName && $0.track == 0 && $0.string.contains { !$0.isWhitespace } }?.string
  }

  /// Whether another song has the same events at the same times.
  public func hasEvents(of other: Song) -> Bool { events == other.events && payloads == other.payloads }

  /// The System Exclusive payload of an event, without F0 and F7; empty for every other event.
  public func payload(of event: Event) -> ArraySlice<UInt8> {
    payloads[Int(event.payload.start)..<Int(event.payload.start) + Int(event.payload.count)]
  }
}
