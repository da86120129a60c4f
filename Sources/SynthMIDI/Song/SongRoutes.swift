/// The channels on which songs are played where these are not their own: for all of a channel, or for a track, which
/// counts first.
///
///     var routes = SongRoutes()
///     routes[.channel(2)] = 4
///     routes[.track(1)] = 9
///
/// All that a track or channel plays goes to the other channel: its notes, programs, controllers and bends. System
/// Exclusive messages, which name parts in their own ways, stay as they are. Routes do not follow one another: what
/// goes to channel 5 does not go on from there by a route of channel 5.
public struct SongRoutes: Hashable, Sendable {
  /// What has a route.
  public enum Part: Hashable, Sendable {
    /// Among the channels of all ports, 0 to 63.
    case channel(UInt8)
    /// The index of a track in the file.
    case track(Int)
  }

  private var channels: [Part: UInt8] = [:]

  /// Without routes.
  public init() {}

  /// The channel to which a part goes, among those of all ports, 0 to 63; nil where it has no route.
  public subscript(part: Part) -> UInt8? {
    get { channels[part] }
    set { channels[part] = newValue.map { $0 & 63 } }
  }

  /// Whether all songs are played as they are.
  public var isEmpty: Bool { channels.isEmpty }

  /// What has a route: channels, then tracks, by their numbers.
  public var parts: [Part] { channels.keys.sorted() }

  /// The channel on which a track plays what the song has on a channel.
  public func channel(for channel: UInt8, ofTrack track: Int) -> UInt8 {
    channels[.track(track)] ?? channels[.channel(channel)] ?? channel
  }
}

extension SongRoutes.Part: Comparable {
  public static func < (one: Self, other: Self) -> Bool {
    switch (one, other) {
    case (.channel(let one), .channel(let other)): one < other
    case (.track(let one), .track(let other)): one < other
    case (.channel, .track): true
    case (.track, .channel): false
    }
  }
}

extension Song {
  /// The same song with its tracks and channels on others. Events keep their order, times and tracks.
  public func routed(by routes: SongRoutes) -> Song {
    guard !routes.isEmpty else { return self }
    var song = self
    song.events = events.map { event in
      guard event.message.kind != .systemExclusive else { return event }
      let channel = routes.channel(for: UInt8(event.message.channelIndex), ofTrack: Int(event.track))
      return Event(
        seconds: event.seconds, tick: event.tick, track: event.track,
        message: event.message.onChannelIndex(Int(channel)),
        payload: event.payload)
    }
    return song
  }
}
