import CALSA
import DSP

/// Converts the stream an output was opened for into that of a replacement device with another rate or channel count.
/// [audio thread]
///
/// The render callback is asked for whole periods of the stream. They pass through a ring and a resampler, as those of
/// an aggregate's followers do. Channel n of the stream then goes to channel n modulo the device's channel count, and
/// those that share a channel are averaged; a single channel goes to the first two.
package struct StreamConverter: ~Copyable {
  /// Frames of the stream per frame of the device.
  package let step: Double
  /// The most frames in the ring and the resampler after a period.
  let reserve: Int

  private let period: Int
  private let streamCount: Int
  private let deviceCount: Int
  private let ring: FrameRing
  private var reader: RingReader
  private let asked: ChannelBuffers
  private let converted: ChannelBuffers

  package init(from stream: PCMParameters, to device: PCMParameters) throws(ResamplerError) {
    step = Double(stream.rate) / Double(device.rate)
    period = stream.period
    streamCount = stream.channels
    deviceCount = device.channels
    reader = try RingReader(channelCount: stream.channels, step: step)
    reserve = stream.period + StreamResampler.lookahead(step: step)
    let slice = Int(Double(device.period) * step) + reserve
    ring = FrameRing(channelCount: stream.channels, minimumCapacity: slice + 2 * stream.period)
    asked = ChannelBuffers(channelCount: stream.channels, frameCount: stream.period)
    converted = ChannelBuffers(channelCount: stream.channels, frameCount: device.period)
  }

  /// Fills the device's channels, with up to a period: how many frames there were before the stream ended.
  @_noLocks @_noAllocation
  package mutating func render(
    _ source: PCMSource, into channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int,
    position: borrowing PCMPosition
  ) -> Int {
    while !ring.hasEnded, ring.endIndex < reader.end(ofSlice: frameCount, step: step) {
      position.note(unplayed: ring.endIndex &- Int(reader.position))
      let count = source.render(asked.channels, channelCount: streamCount, frameCount: period)
      ring.write(asked.channels, from: 0, frameCount: count)
      if count < period { ring.end() }
    }
    let hasEnded = ring.hasEnded
    let count = reader.read(
      ring, into: converted.channels, from: 0, to: frameCount, step: step == 1 ? nil : step, hasEnded: hasEnded)
    position.note(unplayed: ring.endIndex &- Int(reader.position))
    for channel in 0..<deviceCount { mix(into: channels[channel], channel, count) }
    return count
  }

  @_noLocks @_noAllocation
  private func mix(into target: UnsafeMutablePointer<Float>, _ channel: Int, _ frameCount: Int) {
    let first = streamCount == 1 && channel == 1 ? 0 : channel
    guard first < streamCount else { return target.update(repeating: 0, count: frameCount) }
    for frame in 0..<frameCount { target[frame] = converted.channels[first][frame] }
    var sourceCount = 1
    var source = first &+ deviceCount
    while source < streamCount {
      for frame in 0..<frameCount { target[frame] += converted.channels[source][frame] }
      sourceCount &+= 1
      source &+= deviceCount
    }
    guard sourceCount > 1 else { return }
    for frame in 0..<frameCount { target[frame] /= Float(sourceCount) }
  }
}
