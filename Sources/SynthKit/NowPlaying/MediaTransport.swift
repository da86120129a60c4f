/// Something with a transport that a desktop shows and media keys steer: a session, a program's player, a test's mock.
///
/// `NowPlaying` puts it on the session's bus. Everything is called by the thread that calls `NowPlaying.turn`.
public protocol MediaTransport: AnyObject {
  /// What plays, and how. [control thread]
  var mediaState: MediaState { get }

  /// Does what is asked for. [control thread]
  ///
  /// - Throws: what keeps it from being done; who asked is told the description.
  func perform(_ command: MediaCommand) throws
}

/// What a transport plays, and how.
public struct MediaState: Sendable, Equatable {
  /// Whether it plays; the names are those of MPRIS.
  public enum Status: String, Sendable {
    /// It sounds.
    case playing = "Playing"
    /// It goes on where it is.
    case paused = "Paused"
    /// It begins at the start, or there is nothing to play.
    case stopped = "Stopped"
  }

  /// What is repeated; the names are those of MPRIS.
  public enum Loop: String, Sendable {
    /// Nothing is.
    case none = "None"
    /// The present track is repeated.
    case track = "Track"
    /// The list begins again after its last track.
    case list = "Playlist"
  }

  /// A song or another piece.
  public struct Track: Sendable, Equatable {
    /// Another one for each beginning.
    public var number: Int
    /// What desktops show first.
    public var title: String
    /// As the file has it.
    public var artist: String?
    /// As the file has it.
    public var album: String?
    /// As the file has it.
    public var genre: String?
    /// As the file has it.
    public var comment: String?
    /// Absolute.
    public var path: String?
    /// In seconds.
    public var duration: Double

    public init(
      number: Int, title: String, artist: String? = nil, album: String? = nil, genre: String? = nil,
      comment: String? = nil, path: String? = nil, duration: Double
    ) {
      (self.number, self.title, self.artist) = (number, title, artist)
      (self.album, self.genre) = (album, genre)
      (self.comment, self.path, self.duration) = (comment, path, duration)
    }
  }

  /// Whether it plays.
  public var status = Status.stopped
  /// Nil for nothing.
  public var track: Track?
  /// In seconds of the track's own time.
  public var position = 0.0
  /// How fast the track is played: 1 is its own tempo.
  public var rate = 1.0
  /// The level of everything: 1 is 0 dB.
  public var volume = 1.0
  /// What is repeated.
  public var loop = Loop.none
  /// Whether the list is played in another order.
  public var isShuffled = false
  /// Whether `next` leads anywhere.
  public var hasNext = false
  /// Whether `previous` leads anywhere.
  public var hasPrevious = false

  public init() {}
}

/// What desktops and media keys ask of a transport.
public enum MediaCommand: Sendable, Equatable {
  /// What the keys of these names do; `quit` ends the program.
  case play, pause, stop, next, previous, quit
  /// To a place in the present track, in seconds within it.
  case seek(to: Double)
  /// 0.25 to 4.
  case rate(Double)
  /// 0 or more.
  case volume(Double)
  /// Repeats a track, the list, or nothing.
  case loop(MediaState.Loop)
  /// Plays the list in another order, or in its own.
  case shuffle(Bool)
}
