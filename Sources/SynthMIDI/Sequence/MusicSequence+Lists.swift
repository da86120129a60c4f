// What a sequence says about itself as lists: tempos, signatures, markers, lyrics. A list is read, edited and set.

/// Something that stands at a tick of a sequence.
public struct PlacedValue<Value: Hashable & Sendable>: Hashable, Sendable {
  /// Ticks since the start of the track.
  public var tick: UInt32
  /// What stands there.
  public var value: Value

  /// A value at a tick.
  public init(tick: UInt32, _ value: Value) { (self.tick, self.value) = (tick, value) }
}

extension MusicSequence {
  /// The tempos of all tracks, in quarter notes per minute, by tick. Setting them removes those of all tracks and puts
  /// the new ones into the first; a file holds whole microseconds a quarter note.
  public var tempos: [PlacedValue<Double>] {
    get { list(\.tempo) }
    set { replace(newValue.map { MusicEvent(tick: $0.tick, .tempo($0.value)) }) { $0.is(.tempo) } }
  }

  /// The time signatures of all tracks, by tick. Setting them is like setting tempos.
  public var timeSignatures: [PlacedValue<SongInfo.TimeSignature>] {
    get { list(\.timeSignature) }
    set { replace(newValue.map { MusicEvent(tick: $0.tick, .timeSignature($0.value)) }) { $0.is(.timeSignature) } }
  }

  /// The key signatures of all tracks, by tick. Setting them is like setting tempos.
  public var keySignatures: [PlacedValue<SongInfo.KeySignature>] {
    get { list(\.keySignature) }
    set { replace(newValue.map { MusicEvent(tick: $0.tick, .keySignature($0.value)) }) { $0.is(.keySignature) } }
  }

  /// The markers of all tracks, by tick.
  public var markers: [PlacedValue<String>] { list(of: .marker) }

  /// The lyrics of all tracks, by tick. In karaoke files they are texts: `texts(.text)`.
  public var lyrics: [PlacedValue<String>] { list(of: .lyric) }

  /// Puts markers into the first track, in place of those of all tracks.
  ///
  /// - Throws: for a sequence without a track, or a character that the encoding cannot write.
  public mutating func setMarkers(_ markers: [PlacedValue<String>]) throws(MusicSequenceError) {
    try set(markers, .marker, track: 0)
  }

  /// Puts lyrics into a track, in place of those of all tracks.
  ///
  /// - Throws: for a track that it has not, or a character that the encoding cannot write.
  public mutating func setLyrics(_ lyrics: [PlacedValue<String>], track: Int = 0) throws(MusicSequenceError) {
    try set(lyrics, .lyric, track: track)
  }

  private mutating func set(
    _ texts: [PlacedValue<String>], _ type: MetaType, track: Int
  ) throws(MusicSequenceError) {
    var events: [MusicEvent] = []
    for text in texts { events.append(MusicEvent(tick: text.tick, .meta(type, try encoded(text.value)))) }
    try check(track: track)
    replace(events, track: track) { $0.is(type) }
  }

  private func list<Value>(_ value: (MusicEvent.Content) -> Value?) -> [PlacedValue<Value>] {
    sorted(
      tracks.flatMap {
        $0.events.compactMap { event in
          value(event.content).map { PlacedValue(tick: event.tick, $0) }
        }
      })
  }

  private func list(of type: MetaType) -> [PlacedValue<String>] {
    sorted(texts(type).map { PlacedValue(tick: $0.tick, $0.string) })
  }

  /// By tick; those of one tick stay in the order of their tracks.
  private func sorted<Value>(_ list: [PlacedValue<Value>]) -> [PlacedValue<Value>] {
    list.enumerated().sorted { ($0.element.tick, $0.offset) < ($1.element.tick, $1.offset) }.map(\.element)
  }

  /// A sequence without a track gets one.
  private mutating func replace(
    _ events: [MusicEvent], track: Int = 0, where isOld: (MusicEvent.Content) -> Bool
  ) {
    for index in tracks.indices { tracks[index].events.removeAll { isOld($0.content) } }
    if tracks.isEmpty { tracks.append(MusicTrack()) }
    // Before what sounds at the same tick.
    tracks[track].events = events + tracks[track].events
  }
}

extension MusicEvent.Content {
  fileprivate func `is`(_ type: MetaType) -> Bool { if case .meta(type, _) = self { true } else { false } }
}
