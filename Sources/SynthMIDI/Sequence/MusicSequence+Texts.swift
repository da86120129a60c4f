// The texts of a sequence: names, markers, lyrics.

extension MusicSequence {
  /// A text with its place.
  public struct Text: Hashable, Sendable {
    /// What kind of text it is.
    public let type: MetaType
    /// The index of its track.
    public let track: Int
    /// Ticks since the start of the track.
    public let tick: UInt32
    /// The text, without control characters other than line feed, carriage return and tab.
    public let string: String
  }

  /// The texts of some types, track by track; without a type, all of them.
  public func texts(_ types: MetaType...) -> [Text] {
    let decoder = TextDecoder(encoding: textEncoding)
    return allTexts.filter { types.isEmpty || types.contains($0.type) }.map {
      Text(type: $0.type, track: $0.track, tick: $0.tick, string: decoder.string($0.bytes[...]))
    }
  }

  /// Adds a text, in the sequence's encoding.
  ///
  /// - Throws: for a beat or a track that it has not, or a character that the encoding cannot write.
  public mutating func addText(
    _ string: String, _ type: MetaType, at beat: Double, track: Int = 0
  ) throws(MusicSequenceError) {
    try add(.meta(type, encoded(string)), at: beat, track: track)
  }

  /// The first name of a track; nil where it has none.
  public func name(ofTrack track: Int) -> String? {
    guard tracks.indices.contains(track) else { return nil }
    return tracks[track].events.lazy.compactMap { event -> String? in
      guard case .meta(.trackName, let bytes) = event.content else { return nil }
      return TextDecoder(encoding: textEncoding).string(bytes[...])
    }.first
  }

  /// Names a track, at its start, in place of all names it has. The name of the first one is the song's title.
  ///
  /// - Throws: for a track that it has not, or a character that the encoding cannot write.
  public mutating func setName(_ name: String, ofTrack track: Int) throws(MusicSequenceError) {
    let bytes = try encoded(name)
    try check(track: track)
    var events = tracks[track].events
    events.removeAll { if case .meta(.trackName, _) = $0.content { true } else { false } }
    tracks[track].events = [MusicEvent(tick: 0, .meta(.trackName, bytes))] + events
  }

  func encoded(_ string: String) throws(MusicSequenceError) -> [UInt8] {
    guard let bytes = textEncoding.bytes(of: string) else { throw .unencodableText(string, textEncoding) }
    return bytes
  }

  var allTexts: [(type: MetaType, track: Int, tick: UInt32, bytes: [UInt8])] {
    tracks.enumerated().flatMap { number, track in
      track.events.compactMap { event in
        guard case .meta(let type, let bytes) = event.content, type.isText else { return nil }
        return (type, number, event.tick, bytes)
      }
    }
  }
}
