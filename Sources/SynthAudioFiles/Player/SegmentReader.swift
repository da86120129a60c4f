import AudioGraph
import SynthDSP

/// A piece of an audio file.
public struct AudioFileSegment: Sendable, Equatable {
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

/// How the playback of a segment ended.
public enum PlaybackEnd: Sendable, Equatable {
  /// After its last frame; `until` is the sample time of the frame after it, on the engine's clock.
  case played(until: Int64)
  /// By `stop`, before or during playback.
  case stopped
  /// Where the file is damaged or missing.
  case failed(AudioFileError)
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

  init(_ segment: AudioFileSegment, rate: Double, channelCount: Int) throws(AudioFileError) {
    file = try AudioFileReader(path: segment.path)
    gains = ChannelConversion.automatic(channelCount: channelCount).rows(from: file.channels)
    let end = file.frameCount ?? .max
    guard (0...end).contains(segment.start), (0...end - segment.start).contains(segment.frameCount ?? 0) else {
      throw .noSuchSegment(
        path: segment.path, start: segment.start, count: segment.frameCount, fileFrameCount: file.frameCount)
    }
    unread = segment.frameCount ?? end - segment.start
    converter = try Self.converter(for: file, path: segment.path, rate: rate, channelCount: channelCount)
    if segment.start > 0 { try file.seek(to: segment.start) }
  }

  private static func converter(
    for file: AudioFileReader, path: String, rate: Double, channelCount: Int
  ) throws(AudioFileError) -> RateConverter? {
    let fileRate = Double(file.rate)
    guard fileRate != rate else { return nil }
    let reason: String
    // libsamplerate's range.
    if (1.0 / 256...256).contains(fileRate / rate) {
      do throws(ResamplerError) {
        return try RateConverter(from: fileRate, to: rate, channelCount: channelCount)
      } catch {
        reason = error.description
      }
    } else {
      reason = "\(file.rate) Hz cannot become \(rate) Hz — convert it first"
    }
    throw .unreadable(path: path, reason: reason)
  }

  /// The next frames, planar, at most `count`, and fewer only at the end; `isLast` if no more follow.
  func read(_ count: Int) throws(AudioFileError) -> (channels: [[Float]], isLast: Bool) {
    guard let converter else { return (try readFile(count), unread == 0) }
    while converter.available < count, unread > 0 { converter.append(try readFile(count)) }
    if unread == 0 { converter.end() }
    return converter.take(count)
  }

  /// Frames of the file with the player's channels; at the file's end `unread` becomes 0.
  private func readFile(_ count: Int) throws(AudioFileError) -> [[Float]] {
    let channels = try file.read(min(count, unread))
    let frameCount = channels.first?.count ?? 0
    unread = frameCount < min(count, unread) ? 0 : unread - frameCount
    return mixed(channels, frameCount)
  }

  private func mixed(_ channels: [[Float]], _ frameCount: Int) -> [[Float]] {
    gains.map { row in
      let heard = row.indices.filter { row[$0] != 0 }
      if heard.count == 1, row[heard[0]] == 1 { return channels[heard[0]] }
      return (0..<frameCount).map { frame in heard.reduce(0) { $0 + channels[$1][frame] * row[$1] } }
    }
  }
}
