/// Why a buffer could not be changed or converted. It is then as it was.
public enum AudioBufferError: Error, Equatable, Sendable, CustomStringConvertible {
  /// What was appended has another format.
  case otherFormat(AudioFormat, than: AudioFormat)
  /// It would have more frames than a buffer can have.
  case tooLong(frameCount: Int)
  /// No converter makes one format of the other.
  case noConversion(from: AudioFormat, to: AudioFormat, reason: String)

  public var description: String {
    switch self {
    case .otherFormat(let other, let format):
      "appending to a buffer: it has \(format) and what is appended \(other); convert that with converted(to:) first"
    case .tooLong(let count):
      "making a buffer: \(count) frames do not fit; make several, each of up to \(AudioBuffer.mostFrames)"
    case .noConversion(let from, let to, let reason):
      "converting a buffer from \(from) to \(to): \(reason)"
    }
  }
}
