import AudioGraph
import SynthDSP

/// A piece of an audio file.
public struct AudioFileSegment: Sendable, Equatable {
  /// The file that it is a part of.
  public var path: String
  /// The first frame, at the file's own rate.
  public var start: Int
  /// How many frames, at the file's own rate; nil for all.
  public var frameCount: Int?

  /// A segment; by default the whole file.
  public init(_ path: String, start: Int = 0, frameCount: Int? = nil) {
    self.path = path
    self.start = start
    self.frameCount = frameCount
  }
}

/// Reads a segment of a file, converted to the player's rate and channels. Used by one thread at a time.
final class SegmentReader {
  private let file: AudioFileReader
  /// The gains of the file's channels, one row for each channel of the player.
  private let gains: [[Float]]
  /// Nil if the file has the player's rate.
  private let converter: RateConverter?
  /// Frames of the file that remain to be read.
  private var unread: Int

  init(_ segment: AudioFileSegment, format: AudioFormat) throws(AudioFileError) {
    file = try AudioFileReader(path: segment.path)
    gains = ChannelConversion.automatic(channelCount: format.channelCount).rows(from: file.channelCount)
    let end = file.frameCount ?? .max
    guard (0...end).contains(segment.start), (0...end - segment.start).contains(segment.frameCount ?? 0) else {
      throw .noSuchSegment(
        path: segment.path, start: segment.start, count: segment.frameCount, fileFrameCount: file.frameCount)
    }
    unread = segment.frameCount ?? end - segment.start
    converter = try Self.converter(for: file, path: segment.path, to: format)
    if segment.start > 0 { try file.seek(to: segment.start) }
  }

  private static func converter(
    for file: AudioFileReader, path: String, to format: AudioFormat
  ) throws(AudioFileError) -> RateConverter? {
    let (fileRate, rate) = (Double(file.sampleRate), format.sampleRate)
    guard fileRate != rate else { return nil }
    let reason: String
    // The resampler's range.
    if (1.0 / 256...256).contains(fileRate / rate) {
      do throws(ResamplerError) {
        return try RateConverter(from: fileRate, to: rate, channelCount: format.channelCount)
      } catch {
        reason = error.description
      }
    } else {
      reason = "\(file.sampleRate) Hz cannot become \(rate) Hz — convert it first"
    }
    throw .unreadable(path: path, reason: reason)
  }

  /// The next frames, at most `count`, and fewer only at the end; `isLast` if no more follow.
  func read(_ count: Int) throws(AudioFileError) -> (frames: AudioBuffer, isLast: Bool) {
    guard let converter else { return (try readFile(count), unread == 0) }
    while converter.available < count, unread > 0 { converter.append(try readFile(count)) }
    if unread == 0 { converter.end() }
    return converter.take(count)
  }

  /// Frames of the file with the player's channels; at the file's end `unread` becomes 0.
  private func readFile(_ count: Int) throws(AudioFileError) -> AudioBuffer {
    let wanted = min(count, unread)
    let frames = try file.read(wanted)
    unread = frames.frameCount < wanted ? 0 : unread - wanted
    return frames.mixed(by: gains)
  }
}
