/// A piece of an audio file.
public struct AudioFileSegment: Sendable, Equatable {
  public var path: String
  /// The first frame, at the file's own rate.
  public var start: Int
  /// How many frames, at the file's own rate; nil for all there are.
  public var frameCount: Int?

  /// All of a file, if nothing else is said.
  public init(_ path: String, start: Int = 0, frameCount: Int? = nil) {
    self.path = path
    self.start = start
    self.frameCount = frameCount
  }
}

/// How the playing of a segment came to its end.
public enum PlaybackEnd: Sendable, Equatable {
  /// To its last frame; `until` is the sample time of the frame after it.
  case played(until: Int64)
  /// By `stop`, before or while it played.
  case stopped
  /// At a place where the file is damaged or gone.
  case failed(AudioFileError)
}
