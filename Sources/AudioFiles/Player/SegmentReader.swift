import AudioGraph
import DSP

/// Reads a segment of a file as it is to be played: at another rate, with other channels. Used by one thread at a time.
final class SegmentReader {
  private let file: AudioFileReader
  /// The gains of the file's channels, one row for each that is wanted.
  private let gains: [[Float]]
  /// nil where the file has the rate already.
  private let converter: RateConverter?
  /// Frames of the file that are still to be read.
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
    // What libsamplerate can do.
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

  /// The next frames, planar, at most `count`; fewer at the end only. `isLast` once no more follow.
  func read(_ count: Int) throws(AudioFileError) -> (channels: [[Float]], isLast: Bool) {
    guard let converter else { return (try readFile(count), unread == 0) }
    while converter.available < count, unread > 0 { converter.append(try readFile(count)) }
    if unread == 0 { converter.end() }
    return converter.take(count)
  }

  /// Frames of the file with the channels that are wanted; at its end nothing is left to be read.
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
